/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has a part in Device IO: a direction of a trace, or, with -P, of a
 * process; each with a colour.
 */
#ifndef TOOLS_IOWATCHER_PLANE_SHARES_H
#define TOOLS_IOWATCHER_PLANE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traced;			/* tools/iowatcher/traced.h */
struct watch_options;		/* tools/iowatcher/options.h */

struct plane_share {
	size_t trace;		/* its number */
	unsigned int class;	/* of a caller's number and a direction */
	uint64_t count;		/* marks, to tell which have most */
	char *label;
	int32_t color;
	bool listed;		/* is in the legend */
};

struct plane_shares {
	struct plane_share *list;	/* callers: those with most first */
	size_t count;
	unsigned int shown;	/* are told apart: the last of them is all the
				 * rest, too */
	bool mixed;		/* by class: those of one trace */
	unsigned int **by_class;	/* of each trace, places in the list */
	size_t traces;
};

/* Without memory the program ends. */
void plane_shares_find_all(struct plane_shares *s,
			   const struct watch_options *o,
			   const struct traced *traces, size_t count);

/* which of those shown has a class of a trace, as its raster has it */
unsigned int plane_shares_find(const struct plane_shares *s, size_t trace,
			 unsigned int class);

/* what a share that is shown is called: the last may be all the rest, too */
const char *plane_shares_label(const struct plane_shares *s,
			       unsigned int share);

void plane_shares_free(struct plane_shares *s);

#endif
