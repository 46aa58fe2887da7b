/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared keys: a file of lines "identity:key in hexadecimal", as GnuTLS'
 * psktool(1) writes it.
 */
#ifndef TRANSPORT_PSK_H
#define TRANSPORT_PSK_H

#include <stddef.h>
#include <stdint.h>

#include "base/opener.h"
#include "transport/identity.h"

/* --- secret --------------------------------------------------------------- */

enum {
	SECRET_MAX = 8 << 20,	/* bytes of a file */
	SECRET_WHY = 160,
};

/*
 * All of a file of secrets, opened by `by` (base/opener.h), for secret_free(),
 * with a NUL not counted by *len.  NULL, and why: it cannot be read, is too long,
 * others than its owner and group have rights to it, or the group may write to
 * it.
 */
char *secret_read(const struct opener *by, const char *path, size_t *len,
		  char why[SECRET_WHY]);

/* the same of a file that anybody may read or change, such as a certificate */
char *public_read(const struct opener *by, const char *path, size_t *len,
		  char why[SECRET_WHY]);

/* From now on this process leaves no core dump, and no other process of its user
 * can read its memory; again after a change of user, which undoes the latter. */
void secret_guard(void);

/* overwrites len bytes and frees them; bytes may be NULL */
void secret_free(void *bytes, size_t len);

/* --- psk ------------------------------------------------------------------ */

enum {
	PSK_KEY_MIN = 16,
	PSK_KEY_MAX = 64,
	PSK_WHY = 192,
};

struct psk_key {
	char identity[IDENTITY];
	uint8_t key[PSK_KEY_MAX];
	size_t len;		/* of key, PSK_KEY_MIN to PSK_KEY_MAX */
};

struct psk_list {
	struct psk_key *keys;	/* in the order of the file */
	size_t count;		/* at least one */
};

/*
 * Reads the file.  0, for psk_free(); or -errno and why: secret_read()'s
 * reason, no key, or a faulty line, such as a repeated identity, or a key below
 * PSK_KEY_MIN bytes.
 */
int psk_read(struct psk_list *l, const struct opener *by, const char *path,
	     char why[PSK_WHY]);

/* an identity's key (NULL: the first one); NULL: none */
const struct psk_key *psk_find(const struct psk_list *l, const char *identity);

/* erases all keys; l may be all zero */
void psk_free(struct psk_list *l);

#endif
