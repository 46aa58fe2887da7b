/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page made from gathered facts, with its parts.
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
	/* bytes of a file besides the room for data */
	MAKING_BESIDE = 150 << 10,
};

/* texts on a page; the caller's */
struct making_options {
	const char *title;	/* NULL: "Block I/O of " its devices */
	const char *host;	/* "": unknown; a card's host comes first */
	const char *program, *command;	/* that made it */
	const char *input;	/* as report_page has it */
	const char *theme;	/* as report_page has it */
	/* a side of a pair: without remarks yet, and without a limit for the
	 * rest of its file */
	bool of_pair;
};

struct making {
	struct report_page page;	/* of these: */
	struct report_tables tables;
	struct report_blocks blocks;
	struct report_remarks remarks;
	uint32_t *processes;
	char title[MAKING_TITLE_MAX];
};

/* The page of what has ended to be gathered, which stays, and loses what there
 * is no room for; so do m and the options' texts.  0, -ENOMEM, or -ENOSPC: by
 * itself it has more bytes than its size and MAKING_BESIDE, even of the least.
 * */
int making_init(struct making *m, const struct gathering *g,
		const struct making_options *o);

/* Makes its remarks: on a side of a pair those the other lacks; without other,
 * making_init() has made them. */
void making_remark(struct making *m, const struct gathering *g,
		   const struct gathering *other);

void making_free(struct making *m);

#endif
