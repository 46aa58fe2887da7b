/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names on a command line, each of them once.
 */
#ifndef REPLAY_NAMED_H
#define REPLAY_NAMED_H

#include <stdbool.h>

/* an all-zero struct named has no names */
struct named {
	const char **list;	/* of the command line's own strings */
	int count;
};

/* adds name if it is new; 0 or -ENOMEM */
int named_add(struct named *n, const char *name);

bool named_has(const struct named *n, const char *name);

void named_free(struct named *n);

#endif
