/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who sends: a sender is all that comes from one address, or by one identity.
 * What has to be fair between machines is counted here, not by connection or
 * run, of which a machine can have any number.
 */
#ifndef SERVER_SENDERS_H
#define SERVER_SENDERS_H

#include <stddef.h>

#include "base/hash.h"
#include "transport/identity.h"

/* an identity; or an address as text, with its interface */
enum { SENDER_NAME = IDENTITY };

struct sender {
	uint64_t key;
	size_t clients;		/* its connections */
	size_t active;		/* of them, not finished: clients counts this */
	char name[SENDER_NAME];
};

/* all zero is none */
struct senders {
	struct hash by_name;
};

/*
 * The sender of that name, shorter than SENDER_NAME, with one client more.
 * NULL: out of memory.
 */
struct sender *sender_join(struct senders *s, const char *name);

/* It has one client less; *sender is freed with the last one. */
void sender_leave(struct senders *s, struct sender *sender);

/* once all have left */
void senders_free(struct senders *s);

#endif
