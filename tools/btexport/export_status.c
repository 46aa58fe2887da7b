/* SPDX-License-Identifier: GPL-2.0-only */
/* How --follow gets on; see export_status.h. */
#include <inttypes.h>

#include "base/time.h"
#include "cli/outfile.h"
#include "tools/btexport/export_status.h"
#include "tools/btexport/ship.h"

enum { BUFFER = 16384 };

static void put_head(struct buf *b, const char *name, const char *kind,
		     const char *help)
{
	buf_printf(b, "# HELP blktrace_export_%s %s\n"
		   "# TYPE blktrace_export_%s %s\n"
		   "blktrace_export_%s ", name, help, name, kind, name);
}

static void put(struct buf *b, const char *name, const char *kind,
		const char *help, uint64_t value)
{
	put_head(b, name, kind, help);
	buf_printf(b, "%" PRIu64 "\n", value);
}

static void put_sent(struct buf *b, const struct ship_counts *c)
{
	put(b, "sent_segments_total", "counter", "Segments sent.",
	    atomic_load(&c->parts));
	put(b, "sent_rows_total", "counter", "I/Os in these.",
	    atomic_load(&c->rows));
	put(b, "sent_bytes_total", "counter", "Bytes of these.",
	    atomic_load(&c->bytes));
	put(b, "send_failures_total", "counter", "Attempts that failed.",
	    atomic_load(&c->failures));
	put(b, "waiting_bytes", "gauge", "Exported and not sent yet.",
	    atomic_load(&c->waiting));
}

void export_status_write(const struct export_status *s,
			 const struct ship_counts *c, const struct opener *o,
			 const char *path)
{
	struct outfile f;

	if (!outfile_open_whole(&f, o, path, BUFFER))
		return;
	put(&f.buf, "captures", "gauge", "Captures followed.", s->captures);
	put(&f.buf, "segments_total", "counter", "Segments exported.",
	    s->segments);
	put(&f.buf, "rows_total", "counter", "I/Os exported.", s->rows);
	put(&f.buf, "failures_total", "counter", "Segments that failed.",
	    s->failures);
	put_head(&f.buf, "lag_seconds", "gauge", "From a segment's completion"
		 " to its export, the longest lately.");
	buf_printf(&f.buf, "%.3f\n", (double)s->lag / (double)NS_PER_SECOND);
	if (c)
		put_sent(&f.buf, c);
	outfile_flush(&f, "");
	outfile_close(&f);
}
