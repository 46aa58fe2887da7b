/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines and complaints; see report.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/report.h"

enum { LINE = 1000 };

int report_open(struct report *r, int fd, const struct server_reporter *to,
		bool verbose)
{
	*r = (struct report){ .to = to, .verbose = verbose };
	return spool_open(&r->out, fd);
}

void report_flush(struct report *r)
{
	char line[LINE];

	if (!r->left_out)
		return;
	snprintf(line, sizeof(line), "%u more complaint%s not shown",
		 r->left_out, r->left_out == 1 ? "" : "s");
	if (r->to->line(r->to->ctx, line))
		r->left_out = 0;
}

/* Whether this second has room for one more line. */
static bool has_room(struct report *r)
{
	time_t now = time(NULL);

	if (now != r->second) {
		report_flush(r);
		r->second = now;
		r->printed = 0;
	}
	if (r->printed < REPORT_RATE) {
		r->printed++;
		return true;
	}
	r->left_out++;
	return false;
}

static void add_line(struct report *r, const char *fmt, va_list ap)
{
	char line[LINE];

	if (!has_room(r))
		return;
	vsnprintf(line, sizeof(line), fmt, ap);
	if (!r->to->line(r->to->ctx, line))
		r->left_out++;
}

void report_warn(struct report *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(r, fmt, ap);
	va_end(ap);
}

void report_note(struct report *r, const char *fmt, ...)
{
	va_list ap;

	if (!r->verbose)
		return;
	va_start(ap, fmt);
	add_line(r, fmt, ap);
	va_end(ap);
}

void report_drops(struct report *r, uint64_t events, uint64_t drops)
{
	if (drops && !r->to->drops(r->to->ctx, events, drops))
		r->left_out++;
}

struct buf *report_lines(struct report *r, unsigned int lines)
{
	struct buf *out = spool_add(&r->out, lines);

	if (!out && r->out.dropped && !r->full) {
		r->full = true;
		report_warn(r, "server: standard output is not read: lines for"
			    " it are dropped");
	}
	return out;
}

int report_close(struct report *r)
{
	int err = spool_close(&r->out);

	if (err)
		report_warn(r, "server: cannot write to standard output: %s",
			    strerror(-err));
	else if (r->out.dropped)
		report_warn(r, "server: standard output was not read: %" PRIu64
			    " line%s dropped", r->out.dropped,
			    r->out.dropped == 1 ? "" : "s");
	report_flush(r);
	return !err && r->out.dropped ? -ENOBUFS : err;
}
