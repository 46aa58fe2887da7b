/* Lines and complaints; see report.h. */
#include <stdarg.h>
#include <stdio.h>

#include "server/report.h"

enum { OUT_SIZE = 8192, LINE = 1000 };

int report_open(struct report *r, int fd, const struct reporter *to,
		bool verbose)
{
	*r = (struct report){ .to = to, .verbose = verbose };
	return buf_init(&r->out, fd, OUT_SIZE);
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

int report_close(struct report *r)
{
	int err = buf_flush(&r->out);

	report_flush(r);
	buf_free(&r->out);
	return err;
}
