/*
 * Lines held until they can be put in order.  A call is told when it returns,
 * with the time it began, and each CPU has a ring of its own: so lines come in
 * late, and are held for HOLD_NS to be shown in order of time.
 */
#ifndef TOOLS_IOTRACER_HOLD_H
#define TOOLS_IOTRACER_HOLD_H

#include <stdint.h>

#include "base/heap.h"
#include "bpf/layout.h"

#define HOLD_NS 500000000u

/* more are never held: the earliest is shown, whatever its time */
enum { HOLD_LINES = 262144 };

struct hold {
	struct heap order;
	struct bpf_line *lines;	/* by the heap's numbers */
	uint32_t *spare;	/* numbers that are not in use */
	uint32_t count, size;	/* of spare; of both */
	uint64_t arrived;
};

/* an all-zero struct hold is empty */
void hold_free(struct hold *h);

/* 0, or -ENOMEM */
int hold_put(struct hold *h, const struct bpf_line *l);

/*
 * The earliest line, if it is not later than `until` or too many are held; it
 * is good until the next call.  NULL: none.
 */
const struct bpf_line *hold_take(struct hold *h, uint64_t until);

#endif
