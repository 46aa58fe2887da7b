/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is drawn on one page.
 */
#ifndef TOOLS_IOWATCHER_SOURCES_H
#define TOOLS_IOWATCHER_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fio_log;			/* tools/iowatcher/fio_log.h */
struct traced;			/* tools/iowatcher/traced.h */
struct watch_options;		/* tools/iowatcher/options.h */

struct sources {
	struct traced *traces;
	size_t trace_count;
	struct fio_log *logs;
	size_t log_count;
};

/* Reads what the options name.  What is wrong with it has been reported; what
 * means nothing ends the program. */
void sources_read(struct sources *s, const struct watch_options *o);

/* GRAPH_BIT()s of what is wanted, without those of which there is no source:
 * CPU times, logs */
unsigned int sources_graphs(const struct sources *s,
			    const struct watch_options *o);

/* whether there is something to see in one of these graphs */
bool sources_any(const struct sources *s, unsigned int graphs);

/* whether some of it could not be read */
bool sources_damaged(const struct sources *s);

/* events that are known to be lost */
uint64_t sources_missing(const struct sources *s);

void sources_free(struct sources *s);

#endif
