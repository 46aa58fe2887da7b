/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace.dat has in front of its events.  Version 6 has its parts one
 * after the other, version 7 in sections that are found by options, and may be
 * compressed: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 */
#ifndef IMPORT_TRACE_DAT_PARTS_H
#define IMPORT_TRACE_DAT_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "import/binary.h"
#include "import/faults.h"
#include "import/trace_dat_about.h"
#include "import/trace_formats.h"
#include "import/trace_packed.h"
#include "import/trace_pages.h"

struct trace_dat_parts {
	struct binary b;
	struct import_faults faults;
	struct trace_formats formats;
	struct trace_dat_about about;
	struct trace_unpacker unpacker;
	struct trace_pages pages;
	char *names;		/* lines of a pid and a name, or NULL */
	size_t names_len;
};

/*
 * After the head: the parts, with places of pages.  0; -EBADMSG: reported; or
 * -errno of the source.
 */
int trace_dat_6(struct trace_dat_parts *t);
int trace_dat_7(struct trace_dat_parts *t);

/* for both */

/* reports damage where b is; returns -EBADMSG */
int trace_dat_damage(struct trace_dat_parts *t, const char *why);

/* b continues at a byte of the file; -EBADMSG: it has no places, reported */
int trace_dat_seek(struct trace_dat_parts *t, uint64_t at);

/* names of processes, with their size in front, from b */
int trace_dat_names(struct trace_dat_parts *t, struct binary *b);

/* 0, also for one without pages; -EBADMSG: reported; or -ENOMEM */
int trace_dat_stretch(struct trace_dat_parts *t, const struct trace_stretch *s);

#endif
