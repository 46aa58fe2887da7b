/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block events of a Perfetto trace: messages FtraceEvent, as Perfetto's
 * ftrace_event.proto, block.proto and generic.proto have them.
 */
#ifndef IMPORT_PERFETTO_EVENT_H
#define IMPORT_PERFETTO_EVENT_H

#include <stdint.h>

#include "import/proto.h"
#include "import/tracepoint.h"

struct perfetto_event {
	uint64_t time;		/* of ftrace's clock */
	uint32_t pid;
	const struct tracepoint *tracepoint;
	uint32_t has;		/* bits of fields */
	uint64_t numbers[TRACE_FIELDS];
	struct proto texts[TRACE_FIELDS];	/* in the message */
};

/* 1: *e is a block event; 0: another one; -EBADMSG */
int perfetto_event_read(struct perfetto_event *e, struct proto message);

/* its values, valid as long as *e and the message */
struct trace_values perfetto_event_values(const struct perfetto_event *e);

#endif
