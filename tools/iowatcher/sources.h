/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sources of one picture: traces, CPU times and logs of fio.
 */
#ifndef TOOLS_IOWATCHER_SOURCES_H
#define TOOLS_IOWATCHER_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/rates.h"

struct traced;			/* tools/iowatcher/traced.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* a bandwidth log of fio: lines of ms since the start, KiB/s, direction (0
 * read, 1 write, 2 trim), and more that is ignored */
struct fio_log {
	const char *label;	/* "" if there is none */
	/* counts are of values, bytes are sums of what they say */
	struct rates rates;
	uint64_t end;		/* of the last value, ns */
	uint64_t values;	/* in the wanted time */
	uint64_t bad;		/* lines that are none */
};

struct sources {
	struct traced *traces;
	size_t trace_count;
	struct fio_log *logs;
	size_t log_count;
};

/* Reads the sources that the options name, and reports faults; a name without
 * any source ends the program. */
void sources_read(struct sources *s, const struct watch_options *o);

/* GRAPH_BIT()s of the wanted graphs that have a source (CPU times, logs) */
unsigned int sources_graphs(const struct sources *s,
			    const struct watch_options *o);

/* whether any of these graphs has something to draw */
bool sources_any(const struct sources *s, unsigned int graphs);

/* whether some of it could not be read */
bool sources_damaged(const struct sources *s);

/* events known to be lost */
uint64_t sources_missing(const struct sources *s);

void sources_free(struct sources *s);

#endif
