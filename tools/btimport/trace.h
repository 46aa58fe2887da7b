/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace that is made of a recording: records of version 7 with their
 * numbers, notes and cards, to a sink.
 */
#ifndef TOOLS_BTIMPORT_TRACE_H
#define TOOLS_BTIMPORT_TRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "import/import.h"

struct sink;			/* capture/sink.h */
struct trace;

struct trace_options {
	struct sink *sink;
	bool stream;		/* all records go through one buffer */
	const volatile sig_atomic_t *stop;
	/* after each event: a loop may show progress */
	void (*turn)(void *ctx);
	void (*fault)(void *ctx, uint64_t line, uint64_t at, const char *why);
	void (*remark)(void *ctx, const char *why);
	void *ctx;
};

/* NULL: no memory.  What the receiver returns: -EINTR: stopped; -EIO: a write
 * has failed, which was reported; -ENOMEM */
struct trace *trace_new(const struct trace_options *o);

/* the receiver, valid as long as the trace */
const struct import_to *trace_receiver(struct trace *t);

/* writes what waits, and the cards; 0 or -errno */
int trace_end(struct trace *t);

/* so far */
uint64_t trace_events(const struct trace *t);
uint32_t trace_devices(const struct trace *t);
uint64_t trace_lost(const struct trace *t);

void trace_free(struct trace *t);

#endif
