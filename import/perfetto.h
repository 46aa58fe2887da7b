/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perfetto traces with block events: packets, as Perfetto's trace.proto and
 * trace_packet.proto have them, of which those with bundles of ftrace's events
 * are read.
 */
#ifndef IMPORT_PERFETTO_H
#define IMPORT_PERFETTO_H

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has it */
int perfetto_read(const struct import_format *f, struct source *s,
		  const struct import_options *o, const struct import_to *to);

#endif
