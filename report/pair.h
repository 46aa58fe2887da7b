/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two pages shown as one: runs A and B, each from its own start.  Processes and
 * devices of both sides are matched by name.
 */
#ifndef REPORT_PAIR_H
#define REPORT_PAIR_H

#include <stdint.h>

#include "compare/compare.h"
#include "compare/comparison_text.h"
#include "report/remarks.h"
#include "report/tables.h"

/* --- pair ----------------------------------------------------------------- */

struct report_page;		/* report/page.h */

enum { PAIR_NONE = UINT32_MAX, PAIR_VERDICTS = 2 };

/* things of either side; A's first, in its order */
struct pair_list {
	/* the place on each side, or PAIR_NONE */
	uint32_t (*list)[COMPARE_SIDES];
	uint32_t count;
};

/* a compared latency */
struct pair_verdict {
	struct comparison_options o;
	const struct compare_result *result;	/* the caller's */
};

struct report_pair {
	const struct report_page *side[COMPARE_SIDES];
	const char *name[COMPARE_SIDES];	/* what was read */
	const char *title;
	struct pair_verdict verdicts[PAIR_VERDICTS];
	struct pair_list processes, devices;	/* ours, by pair_init() */
};

/* matches both sides; 0 or -ENOMEM */
int pair_init(struct report_pair *pair);

void pair_free(struct report_pair *pair);

/* the row of a table with that key, or NULL */
const struct report_table_row *pair_row(const struct report_page *p,
					unsigned int kind, uint64_t key);

/* adds a remark about latencies that only the other side has */
void pair_note_absent(struct report_remarks *to, const struct report_page *mine,
		      const struct report_page *other);

/* "A" and "B" */
const char *pair_letter(enum compare_side side);

/* --- pair html ------------------------------------------------------------ */

/* A page of two runs as one file of HTML. */

struct buf;			/* base/buf.h */

/* appends to b; a write error is stored in b */
void pair_html_write(const struct report_pair *pair, struct buf *b);

#endif
