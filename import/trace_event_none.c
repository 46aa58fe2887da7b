/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces trace_event.c in builds without libtraceevent. */
#include <errno.h>

#include "import/trace_event.h"
#include "import/tracepoint.h"

bool trace_event_built(void)
{
	return false;
}

struct trace_events *trace_events_new(bool big_endian)
{
	(void)big_endian;
	return NULL;
}

void trace_events_free(struct trace_events *e)
{
	(void)e;
}

int trace_events_add(struct trace_events *e, const char *text, size_t len)
{
	(void)e, (void)text, (void)len;
	return -EOPNOTSUPP;
}

const struct trace_event *trace_events_get(const struct trace_events *e,
					   uint64_t id)
{
	(void)e, (void)id;
	return NULL;
}

uint32_t trace_events_groups(const struct trace_events *e)
{
	(void)e;
	return 0;
}

const struct tracepoint *trace_event_tracepoint(const struct trace_event *e)
{
	(void)e;
	return NULL;
}

struct trace_values trace_raw_values(const struct trace_raw *raw)
{
	(void)raw;
	return (struct trace_values){ 0 };
}

bool trace_raw_pid(const struct trace_raw *raw, uint32_t *pid)
{
	(void)raw, (void)pid;
	return false;
}
