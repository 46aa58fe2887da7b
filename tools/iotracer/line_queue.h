/*
 * Lines held until they can be put in order.  A call is told when it returns,
 * with the time it began, and each CPU has a ring of its own: so lines come in
 * late, and are held for LINE_QUEUE_HOLD to be shown in order of time.
 */
#ifndef TOOLS_IOTRACER_LINE_QUEUE_H
#define TOOLS_IOTRACER_LINE_QUEUE_H

#include <stdint.h>

#include "base/heap.h"
#include "bpf/layout.h"

#define LINE_QUEUE_HOLD 500000000u

/* more are never held: the earliest is shown, whatever its time */
enum { LINE_QUEUE_MAX = 262144 };

struct line_queue {
	struct heap order;
	struct bpf_line *lines;	/* by the heap's numbers */
	uint32_t *spare;	/* numbers that are not in use */
	uint32_t count, size;	/* of spare; of both */
	uint64_t arrived;
};

/* an all-zero struct line_queue is empty */
void line_queue_free(struct line_queue *q);

/* 0, or -ENOMEM */
int line_queue_add(struct line_queue *q, const struct bpf_line *l);

/*
 * The earliest line, if it is not later than `until` or too many are held; it
 * is good until the next call.  NULL: none.
 */
const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until);

#endif
