/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.dat: what `trace-cmd record -e block` writes, trace-cmd.dat(5), of
 * versions 6 and 7.  The events of each CPU are in one place, so that it can
 * only be read where it can be read from anywhere.
 */
#ifndef IMPORT_TRACE_DAT_H
#define IMPORT_TRACE_DAT_H

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has it */
int trace_dat_read(const struct import_format *f, struct source *s,
		   const struct import_options *o, const struct import_to *to);

#endif
