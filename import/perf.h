/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data: what `perf record -a -e 'block:*'` writes, to a file or, with -o
 * -, to a pipe.  A file has the formats of its events at its end, so that it
 * can only be read where it can be read from anywhere.
 */
#ifndef IMPORT_PERF_H
#define IMPORT_PERF_H

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has it */
int perf_read(const struct import_format *f, struct source *s,
	      const struct import_options *o, const struct import_to *to);

#endif
