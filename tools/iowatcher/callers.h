/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes of a trace, by pid while it is read, by name once it has been: of
 * one name they are one.  kworker/u8:1 is kworker, as is every other.
 */
#ifndef TOOLS_IOWATCHER_CALLERS_H
#define TOOLS_IOWATCHER_CALLERS_H

#include <stdint.h>

#include "base/hash.h"

struct reader;			/* run/reader.h */

/* so many pids are told apart; later ones are one */
enum { CALLERS_MAX = 16384 };

struct caller {
	uint16_t origin;
	uint32_t pid;
	uint32_t name;		/* its number, from 0 in the order of pids */
};

struct callers {
	struct hash by_pid;	/* of a person, its number */
	struct caller *list;
	uint32_t count;
	size_t size;
	char **names;		/* all different */
	uint32_t name_count;
};

/* the number of a process, from 0; or -ENOMEM */
int callers_find(struct callers *p, uint16_t origin, uint32_t pid);

/* No more come: names are asked of the reader.  0, or -ENOMEM. */
int callers_name(struct callers *p, const struct reader *r);

void callers_free(struct callers *p);

#endif
