/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block events as text: what perf script and trace-cmd report print, and what
 * tracefs has in trace and trace_pipe.
 *
 * Times have the decimals that are printed.  Whether a kind of event was not
 * recorded, or did not occur, is only clear for those that every I/O has.
 */
#ifndef IMPORT_TRACE_TEXT_H
#define IMPORT_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has them; its words are what the text is from, its data is what
 * is in the first event's line, or NULL */
bool trace_text_is(const struct import_format *f, const char *begin,
		   size_t len);
int trace_text_read(const struct import_format *f, struct source *s,
		    const struct import_options *o,
		    const struct import_to *to);

#endif
