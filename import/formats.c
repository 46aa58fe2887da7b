/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All formats; see formats.h.
 *
 * Sources of the public sets' columns: the README files published with the
 * traces of MSR Cambridge (SNIA IOTTA 387), Tencent (27917) and FIU (390);
 * alibaba/block-traces; the heading of the files of SYSTOR '17 (SNIA IOTTA
 * 4964); the SPC trace file format specification 1.0.1 (2002).
 */
#include <errno.h>
#include <string.h>

#include "file/foreign.h"
#include "import/biosnoop.h"
#include "import/formats.h"
#include "import/iolog.h"
#include "import/perf.h"
#include "import/perfetto.h"
#include "import/printed.h"
#include "import/table.h"
#include "import/trace_dat.h"
#include "import/trace_text.h"

static const struct table msr = {
	.from = "MSR Cambridge",
	.columns = "time:filetime,device,device,op,offset,bytes,"
		   "response:filetime",
	.clock = "Windows filetime", .wall = true,
	.separator = ',', .prefix = "", .shape = "ntnonnn",
};

static const struct table alibaba = {
	.from = "Alibaba",
	.columns = "device,op,offset,bytes,time:us",
	.clock = "us since 1970", .wall = true,
	.separator = ',', .prefix = "vol", .shape = "nonnn",
};

static const struct table tencent = {
	.from = "Tencent CBS",
	.columns = "time:s,offset:sectors,bytes:sectors,op,device",
	.clock = "s since 1970", .wall = true,
	.separator = ',', .prefix = "vol", .shape = "nnn0n",
};

static const struct table systor = {
	.from = "SYSTOR '17",
	.columns = "time:s,response:s,op,device,offset,bytes",
	.clock = "s since 1970", .wall = true,
	.separator = ',', .prefix = "lun", .shape = "ffonnn",
};

static const struct table spc = {
	.from = "SPC",
	.columns = "device,offset:sectors,bytes,op,time:s",
	.clock = "s since the start",
	.separator = ',', .prefix = "asu", .shape = "nnnof",
};

static const struct table fiu = {
	.from = "FIU",
	.columns = "time:ns,pid,process,offset:sectors,bytes:sectors,op,device,"
		   "device,-",
	.clock = "ns",
	.separator = ' ', .prefix = "dev", .shape = "nntnnonn*",
};

static const struct table csv = {
	.from = "CSV", .separator = '\0', .prefix = "",
};

static int read_table(const struct import_format *f, struct source *s,
		      const struct import_options *o,
		      const struct import_to *to)
{
	const struct table *t = f->data;

	return table_read(t, o->columns, s, to);
}

/* The first line that is no heading. */
static bool looks_like(const struct table *t, const char *begin)
{
	const char *line = begin;
	size_t len = strcspn(line, "\r\n");

	return t->shape && table_has_shape(line, len, t->separator, t->shape);
}

/* With a heading the second line decides. */
static bool is_table(const struct import_format *f, const char *begin,
		     size_t len)
{
	const char *end = memchr(begin, '\n', len);

	return looks_like(f->data, begin) ||
	       (end && looks_like(f->data, end + 1));
}

static const struct import_format formats[] = {
	{ "perf", "perf.data", NULL, perf_read, NULL },
	{ "trace-cmd", "trace.dat", NULL, trace_dat_read, NULL },
	{ "perfetto", "Perfetto", NULL, perfetto_read, NULL },
	{ "script", "perf script", trace_text_is, trace_text_read, "block:" },
	{ "ftrace", "ftrace", trace_text_is, trace_text_read, NULL },
	{ "blkparse", "blkparse's text", printed_is, printed_read, NULL },
	{ "biosnoop", "biosnoop", biosnoop_is, biosnoop_read, NULL },
	{ "iolog", "fio's iolog", iolog_is, iolog_read, NULL },
	{ "msr", "MSR Cambridge", is_table, read_table, &msr },
	{ "alibaba", "Alibaba", is_table, read_table, &alibaba },
	{ "tencent", "Tencent CBS", is_table, read_table, &tencent },
	{ "systor", "SYSTOR '17", is_table, read_table, &systor },
	{ "spc", "SPC", is_table, read_table, &spc },
	{ "fiu", "FIU", is_table, read_table, &fiu },
	{ "csv", "CSV", NULL, read_table, &csv },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

const struct import_format *import_format_at(size_t index)
{
	return index < FORMATS ? &formats[index] : NULL;
}

const struct import_format *import_format_named(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const struct import_format *import_format_of(const char *begin, size_t len)
{
	const struct foreign *by = foreign_of(begin, len);

	if (by)
		return import_format_named(by->format);
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].is && formats[i].is(&formats[i], begin, len))
			return &formats[i];
	return NULL;
}
