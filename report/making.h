/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page that is made of what was gathered, with all that it owns.
 */
#ifndef REPORT_MAKING_H
#define REPORT_MAKING_H

#include <stdbool.h>
#include <stdint.h>

#include "report/blocks.h"
#include "report/page.h"
#include "report/remarks.h"
#include "report/tables.h"

struct gathering;		/* report/gathering.h */

enum {
	MAKING_TITLE_MAX = 256,
	/* bytes that a file may have beyond the room for data */
	MAKING_BESIDE = 150 << 10,
};

/* what a page says of itself; the caller's, as are the texts */
struct making_options {
	const char *title;	/* NULL: "Block I/O of " its devices */
	const char *host;	/* "": not known; a card says better */
	const char *program, *command;	/* which made it */
	const char *theme;	/* as report_page has it */
	/* one of two that are shown beside each other: it has no remarks yet,
	 * and what there is beside its data is not held to a size */
	bool of_pair;
};

struct making {
	struct report_page page;	/* it is made of these: */
	struct report_tables tables;
	struct report_blocks blocks;
	struct report_remarks remarks;
	uint32_t *processes;
	char title[MAKING_TITLE_MAX];
};

/* The page of what has ended to be gathered, which stays, and loses what there
 * is no room for; so do m and the options' texts.  0, -ENOMEM, or -ENOSPC: by
 * itself it has more bytes than its size and MAKING_BESIDE, even of the least. */
int making_init(struct making *m, const struct gathering *g,
		const struct making_options *o);

/* Its remarks: of one of a pair those that the other has not; other is NULL
 * else, and making_init() has made them. */
void making_remark(struct making *m, const struct gathering *g,
		   const struct gathering *other);

void making_free(struct making *m);

#endif
