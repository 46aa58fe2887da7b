/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines held until they can be put in order.  A call's line comes when the
 * call returns, with the time it began, and each CPU has a ring of its own: so
 * lines come late, and are held for LINE_QUEUE_HOLD to be printed in order of
 * time.  Both bounds are those of events on a pipe.
 */
#ifndef TOOLS_IOTRACER_LINE_QUEUE_H
#define TOOLS_IOTRACER_LINE_QUEUE_H

#include <stdint.h>

#include "base/heap.h"
#include "base/pool.h"
#include "bpf/layout.h"
#include "run/reorder.h"

#define LINE_QUEUE_HOLD REORDER_HOLD	/* ns */

/* more are never held: the earliest comes next, whatever its time */
enum { LINE_QUEUE_MAX = REORDER_EVENTS };

struct line_queue {
	struct heap order;	/* of slots of `lines` */
	struct pool lines;	/* of struct bpf_line */
	uint64_t arrived;	/* lines ever added */
};

void line_queue_init(struct line_queue *q);

/* after that it has to be initialized again */
void line_queue_free(struct line_queue *q);

/* 0, or -ENOMEM */
int line_queue_add(struct line_queue *q, const struct bpf_line *l);

/*
 * The earliest line, if it is not later than `until` or too many are held; it
 * is good until the next call.  NULL: none.
 */
const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until);

#endif
