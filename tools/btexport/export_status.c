/* SPDX-License-Identifier: GPL-2.0-only */
/* How --follow gets on; see export_status.h. */
#include "base/metric.h"
#include "base/time.h"
#include "cli/outfile.h"
#include "tools/btexport/export_status.h"
#include "tools/btexport/ship.h"

#define NAME "blktrace_export_"

enum { BUFFER = 16384 };

static void put_sent(struct buf *b, const struct ship_counts *c)
{
	metric_one(b, NAME "sent_segments_total", "counter", "Segments sent.",
		   atomic_load(&c->parts));
	metric_one(b, NAME "sent_rows_total", "counter", "I/Os in these.",
		   atomic_load(&c->rows));
	metric_one(b, NAME "sent_bytes_total", "counter", "Bytes of these.",
		   atomic_load(&c->bytes));
	metric_one(b, NAME "send_failures_total", "counter",
		   "Attempts that failed.", atomic_load(&c->failures));
	metric_one(b, NAME "waiting_bytes", "gauge",
		   "Exported and not sent yet.", atomic_load(&c->waiting));
}

static void put_exported(struct buf *b, const struct export_status *s)
{
	metric_one(b, NAME "captures", "gauge", "Captures followed.",
		   s->captures);
	metric_one(b, NAME "segments_total", "counter", "Segments exported.",
		   s->segments);
	metric_one(b, NAME "rows_total", "counter", "I/Os exported.", s->rows);
	metric_one(b, NAME "failures_total", "counter", "Segments that failed.",
		   s->failures);
	metric_head(b, NAME "lag_seconds", "gauge", "From a segment's completion"
		    " to its export, the longest lately.");
	buf_printf(b, NAME "lag_seconds %.3f\n",
		   (double)s->lag / (double)NS_PER_SECOND);
}

void export_status_write(const struct export_status *s,
			 const struct ship_counts *c, const struct opener *o,
			 const char *path)
{
	struct outfile f;

	if (!outfile_open_whole(&f, o, path, BUFFER))
		return;
	put_exported(&f.buf, s);
	if (c)
		put_sent(&f.buf, c);
	outfile_flush(&f, "");
	outfile_close(&f);
}
