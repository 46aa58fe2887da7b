/* SPDX-License-Identifier: GPL-2.0-only */
/* Block events as text; see trace_text.h. */
#include <errno.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/time.h"
#include "import/import.h"
#include "import/lines.h"
#include "import/trace_line.h"
#include "import/trace_text.h"

enum {
	PLACE = 40,		/* bytes of a line that a message shows */
	ENOUGH = 4096,		/* events to know by what is not recorded */
};

/* how far lines may be out of order */
#define SLACK NS_PER_SECOND

struct trace_text {
	const struct import_to *to;
	struct import_about about;
	struct lines lines;
	struct tracing tracing;
	uint64_t first, newest;	/* ns, of all events */
	uint64_t events;
	uint32_t groups;	/* of these */
	bool told;
};

/* A page that systrace has made around what ftrace prints. */
static bool is_systrace(const char *begin, size_t len)
{
	static const char title[] = "<title>Android System Trace</title>";

	return memmem(begin, len, title, sizeof(title) - 1);
}

bool trace_text_is(const struct import_format *f, const char *begin,
		   size_t len)
{
	const char *mark = f->data, *end = begin + len, *cut;
	struct trace_line l;

	if (!mark && is_systrace(begin, len))
		return true;

	for (; (cut = memchr(begin, '\n', (size_t)(end - begin)));
	     begin = cut + 1) {
		size_t n = (size_t)(cut - begin);

		if (trace_line_read(&l, begin, n) == TRACE_LINE_EVENT)
			return !mark || memmem(begin, n, mark, strlen(mark));
	}
	return false;
}

/* --- what it lacks -------------------------------------------------------- */

static int tell_about(struct trace_text *t, bool known)
{
	char lacks[TRACEPOINTS_LACK];

	t->told = true;
	if (known && tracepoints_lack(t->groups | tracepoints_rare(), lacks))
		t->about.lacks = lacks;
	return t->to->about(t->to->ctx, &t->about);
}

/* Before the first event is handed over. */
static int tell_in_time(struct trace_text *t)
{
	if (t->told || (t->newest - t->first <= SLACK &&
			t->events < ORDER_MAX))
		return 0;
	return tell_about(t, t->events >= ENOUGH);
}

/* --- lines ---------------------------------------------------------------- */

static void report(const struct trace_text *t, const struct trace_line *l,
		   const char *line, size_t len)
{
	char why[IMPORT_WHY], text[PLACE];
	size_t from = l->column - 1;

	escape_text(text, sizeof(text), line + from, len - from);
	snprintf(why, sizeof(why), "%s at \"%s\" in what %s prints",
		 l->expected, text, l->tracepoint->name);
	t->to->fault(t->to->ctx, t->lines.number, l->column, why);
}

static int read_event(struct trace_text *t, const struct trace_line *l)
{
	const struct trace_values v = trace_line_values(l);
	const char *why;
	int err;

	if (!t->events || l->at.time < t->first)
		t->first = l->at.time;
	if (l->at.time > t->newest)
		t->newest = l->at.time;
	t->events++;
	t->groups |= 1u << l->tracepoint->group;
	err = tell_in_time(t);
	if (!err)
		err = tracing_add(&t->tracing, &l->at, l->tracepoint, &v, &why);
	if (err == -EBADMSG) {
		t->to->fault(t->to->ctx, t->lines.number, 1, why);
		err = 0;
	}
	if (!err && t->told && t->newest > SLACK)
		err = tracing_release(&t->tracing, t->newest - SLACK);
	return err;
}

static int read_line(struct trace_text *t, const char *line, size_t len)
{
	struct trace_line l;

	switch (trace_line_read(&l, line, len)) {
	case TRACE_LINE_EVENT:
		return read_event(t, &l);
	case TRACE_LINE_LOSS:
		l.at.time = t->newest;
		return tracing_lost(&t->tracing, &l.at, l.lost);
	case TRACE_LINE_WRONG:
		report(t, &l, line, len);
		return 0;
	default:
		return 0;
	}
}

static int read_lines(struct trace_text *t)
{
	char *line;
	size_t len;
	int n;

	while ((n = lines_next(&t->lines, &line, &len)) > 0) {
		n = read_line(t, line, len);
		if (n)
			return n;
	}
	return n;
}

/* --- all ------------------------------------------------------------------ */

static int end(struct trace_text *t)
{
	int err = t->events ? tell_about(t, true) : 0;

	if (!err)
		err = tracing_end(&t->tracing);
	if (err || t->events)
		return err;
	t->to->fault(t->to->ctx, 0, 0, "it has no events of the block layer");
	return -EBADMSG;
}

int trace_text_read(const struct import_format *f, struct source *s,
		    const struct import_options *o, const struct import_to *to)
{
	struct trace_text t = { .to = to, .about.from = f->words };
	int err = lines_open(&t.lines, s);

	(void)o;
	if (err)
		return err;
	err = tracing_init(&t.tracing, to);
	if (!err)
		err = read_lines(&t);
	if (!err)
		err = end(&t);
	tracing_free(&t.tracing);
	lines_close(&t.lines);
	return err;
}
