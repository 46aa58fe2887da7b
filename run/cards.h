/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of the traces that names mean, and what hosts are called there. */
#ifndef RUN_CARDS_H
#define RUN_CARDS_H

#include "machine/card.h"

struct location;		/* file/location.h */
struct locations;

/*
 * The card beside a device's files; in segments, that of the last.  0 and *c;
 * -ENOENT: there is none; or as card_read().  *path is the caller's to free,
 * NULL unless a card was looked for.
 */
int cards_find(const struct location *at, struct card **c, char **path,
	       char why[CARD_WHY]);

/* the first card of a host's locations, or NULL */
const struct card *cards_of_host(const struct locations *l, unsigned int host);

struct cards_hooks {
	/* a card that cannot be read, and why: the trace is read without */
	void (*unread)(void *ctx, const char *path, const char *why);
	void *ctx;
};

/*
 * Gives each location its card, calls hosts by the names that are in them, and
 * tells devices of several machines apart that are named by themselves.  Before
 * locations are used.  0, or -ENOMEM.
 */
int cards_load(struct locations *l, const struct cards_hooks *hooks);

#endif
