/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Binary events of the block layer's tracepoints, decoded as the formats
 * describe them that the recording machine's kernel has in
 * tracing/events/block, by libtraceevent.
 */
#ifndef IMPORT_TRACE_EVENT_H
#define IMPORT_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_event;
struct trace_events;
struct trace_values;		/* import/tracepoint.h */
struct tracepoint;

/* whether this build has libtraceevent; without it there are no events */
bool trace_event_built(void);

/* formats of one recording, of a machine of that byte order; NULL: no memory */
struct trace_events *trace_events_new(bool big_endian);
void trace_events_free(struct trace_events *e);

/* Adds what a format file says.  0, also for an event of no interest; -EBADMSG:
 * it is no format; or -ENOMEM. */
int trace_events_add(struct trace_events *e, const char *text, size_t len);

/* by the number that the kernel gave a tracepoint; NULL: unknown */
const struct trace_event *trace_events_get(const struct trace_events *e,
					   uint64_t id);

const struct tracepoint *trace_event_tracepoint(const struct trace_event *e);

/* bits of their tracepoints' groups */
uint32_t trace_events_groups(const struct trace_events *e);

/* one event's bytes */
struct trace_raw {
	const struct trace_event *event;
	const uint8_t *bytes;
	size_t len;
};

/* its values, valid as long as *raw */
struct trace_values trace_raw_values(const struct trace_raw *raw);

/* the process (thread) that ran then; false: it is not in the bytes */
bool trace_raw_pid(const struct trace_raw *raw, uint32_t *pid);

#endif
