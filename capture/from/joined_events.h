/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that a joined record of the BPF programs stands for. */
#ifndef CAPTURE_FROM_JOINED_EVENTS_H
#define CAPTURE_FROM_JOINED_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "blktrace.h"
#include "bpf/joined_layout.h"

/* An I/O's events, by what they may follow.  The last one is its completion,
 * requeue or merge, or an event that is alone in its record. */
enum joined_phase {
	PHASE_QUEUE,
	PHASE_GETRQ,
	PHASE_INSERT,
	PHASE_ISSUE,
	PHASE_LAST,
	PHASE_COUNT
};

/* a record, with what its events have in common */
struct joined_events {
	struct joined_io io;
	uint32_t words[2];	/* categories of a bio's and a request's */
	uint32_t last;		/* action of the last one; 0: there is none */
	uint16_t last_cpu;
	uint16_t error;		/* of the last one: -errno */
};

/* status: the block layer's code; cpu: where the last event was */
void joined_events_find(struct joined_events *e, const struct joined_io *io,
			uint16_t cpu, uint16_t status);

/* ns; there must be an event of that phase, as for what follows */
static inline uint64_t joined_events_time(const struct joined_events *e,
					  enum joined_phase phase)
{
	/* what is alone has something else in place of times */
	if (phase == PHASE_QUEUE || e->io.events >= JOINED_REMAP)
		return e->io.first;
	return e->io.first + e->io.offsets[phase - 1];
}

static inline uint16_t joined_events_cpu(const struct joined_events *e,
					 enum joined_phase phase)
{
	if (phase == PHASE_LAST)
		return e->last_cpu;
	return phase == PHASE_ISSUE ? e->io.issue_cpu : e->io.cpu;
}

/* its word in records; 0: there is no event of that phase */
static inline uint32_t joined_events_action(const struct joined_events *e,
					    enum joined_phase phase)
{
	static const struct {
		uint32_t action;
		unsigned int word;
	} kinds[PHASE_LAST] = {
		{ BLK_TA_QUEUE | BLK_TC_ACT(BLK_TC_QUEUE), 0 },
		{ BLK_TA_GETRQ | BLK_TC_ACT(BLK_TC_QUEUE), 0 },
		{ BLK_TA_INSERT | BLK_TC_ACT(BLK_TC_QUEUE), 1 },
		{ BLK_TA_ISSUE | BLK_TC_ACT(BLK_TC_ISSUE), 1 },
	};

	if (phase == PHASE_LAST)
		return e->last;
	return e->io.events & 1u << phase ?
		       kinds[phase].action | e->words[kinds[phase].word] : 0;
}

/* bits of the phases that it has events of */
static inline uint32_t joined_events_phases(const struct joined_events *e)
{
	return (e->io.events & ((1u << PHASE_LAST) - 1)) |
		(e->last ? 1u << PHASE_LAST : 0);
}

enum { JOINED_PAYLOAD = 16 };

/* what an event that is alone in its record has */
static inline uint16_t joined_events_payload_bytes(const struct joined_events *e)
{
	if (e->io.events < JOINED_REMAP)
		return 0;
	return e->io.events & JOINED_SPLIT ? 8 : JOINED_PAYLOAD;
}

/* writes these bytes */
void joined_events_payload(const struct joined_events *e,
			   uint8_t payload[JOINED_PAYLOAD]);

#endif
