/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys that both ends have: a file of lines "identity:key in hexadecimal", as
 * GnuTLS' psktool(1) writes it.
 */
#ifndef TRANSPORT_PSK_H
#define TRANSPORT_PSK_H

#include <stddef.h>
#include <stdint.h>

#include "transport/identity.h"

/* --- secret --------------------------------------------------------------- */

/*
 * Files with keys in them, which not everybody may read.
 */

enum {
	SECRET_MAX = 8 << 20,	/* bytes of a file */
	SECRET_WHY = 160,
};

/*
 * All of the file, with a NUL behind it that *len does not count, for
 * secret_free().  NULL, and why: it cannot be read, is too long, or others than
 * its owner and its group have a part in it, or the group may write to it.
 */
char *secret_read(const char *path, size_t *len, char why[SECRET_WHY]);

/* overwrites len bytes before it frees them; NULL is fine */
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
 * Reads the file.  0, for psk_free(); or -errno and why: it cannot be read or
 * others may read it, it names nobody, or which line is wrong: one
 * identity may be there once, and has a key of PSK_KEY_MIN bytes or more.
 */
int psk_read(struct psk_list *l, const char *path, char why[PSK_WHY]);

/* the key of an identity, of NULL the first one; NULL: there is none */
const struct psk_key *psk_find(const struct psk_list *l, const char *identity);

/* leaves no key in memory; a list of zeros is fine */
void psk_free(struct psk_list *l);

#endif
