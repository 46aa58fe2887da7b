/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events and notes as a CPU of the simulated machine writes them.
 */
#ifndef BENCH_SYNTH_EVENT_H
#define BENCH_SYNTH_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/synth/request.h"

struct cpu;			/* bench/synth/machine.h */
struct machine;

/*
 * One event of the CPU's current task, and the time until its next.  Nothing
 * is written once as many as were asked for are there: a trace ends in the
 * middle of requests.
 */
void event_with(struct machine *m, struct cpu *c, const struct request *rq,
		uint32_t action, const void *payload, size_t size);

/* the usual one: nothing to say beyond its header */
static inline void event(struct machine *m, struct cpu *c,
			 const struct request *rq, uint32_t action)
{
	event_with(m, c, rq, action, NULL, 0);
}

/* a note; those have no sequence number and are not counted */
void event_note(struct machine *m, struct cpu *c, unsigned disk,
		uint32_t action, const void *payload, size_t size);

/* payloads are big-endian whatever the machine; headers are its own */
static inline void put_be32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline void put_be64(uint8_t *p, uint64_t value)
{
	put_be32(p, (uint32_t)(value >> 32));
	put_be32(p + 4, (uint32_t)value);
}

#endif
