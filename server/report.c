/* Lines and complaints; see report.h. */
#include <stdarg.h>
#include <stdio.h>

#include "base/msg.h"
#include "server/report.h"

enum { OUT_SIZE = 8192, LINE = 512 };

int report_open(struct report *r, int fd, bool verbose)
{
	*r = (struct report){ .verbose = verbose };
	return buf_init(&r->out, fd, OUT_SIZE);
}

void report_flush(struct report *r)
{
	if (r->unsaid)
		msg_warn("%u more complaint%s not shown", r->unsaid,
			 r->unsaid == 1 ? "" : "s");
	r->unsaid = 0;
}

/* Whether this second has room for one more line. */
static bool may_say(struct report *r)
{
	time_t now = time(NULL);

	if (now != r->second) {
		report_flush(r);
		r->second = now;
		r->said = 0;
	}
	if (r->said < REPORT_RATE) {
		r->said++;
		return true;
	}
	r->unsaid++;
	return false;
}

static void add_line(struct report *r, const char *fmt, va_list ap)
{
	char line[LINE];

	if (!may_say(r))
		return;
	vsnprintf(line, sizeof(line), fmt, ap);
	msg_warn("%s", line);
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

int report_close(struct report *r)
{
	int err = buf_flush(&r->out);

	report_flush(r);
	buf_free(&r->out);
	return err;
}
