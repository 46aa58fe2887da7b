/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of traces, and the hosts by them. */
#ifndef RUN_CARDS_H
#define RUN_CARDS_H

#include "machine/card.h"

struct location;		/* file/location.h */
struct locations;

/* as card_read(), also a card in a packed file: x.btz/sda.blktrace.json */
int cards_read(struct card **c, const char *path, char why[CARD_WHY]);

/*
 * The card beside a device's files; in segments, the last one's.  0 and *c;
 * -ENOENT: none; or as card_read().  The caller frees *path, which is NULL if
 * there cannot be a card.
 */
int cards_find(const struct location *at, struct card **c, char **path,
	       char why[CARD_WHY]);

/* the first card of a host's locations, or NULL */
const struct card *cards_of_host(const struct locations *l, unsigned int host);

struct cards_hooks {
	/* a card cannot be read: the trace is read without */
	void (*unread)(void *ctx, const char *path, const char *why);
	void *ctx;
};

/*
 * Loads each location's card, names hosts by their cards, and splits devices
 * named by themselves by machine.  Call before using locations.  0 or -ENOMEM.
 */
int cards_load(struct locations *l, const struct cards_hooks *hooks);

#endif
