/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of blkparse; see printed.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/time.h"
#include "import/import.h"
#include "import/lines.h"
#include "import/order.h"
#include "import/printed.h"
#include "import/printed_event.h"
#include "import/printed_format.h"
#include "import/printed_line.h"
#include "import/printed_numbers.h"
#include "import/printed_past.h"
#include "import/scan.h"

enum {
	DEVICE = 240u << 20,	/* of a text without; of no driver of Linux */
	FILTERED = 16,		/* events for each hole, or fewer */
	PLACE = 40,		/* bytes of a line that a message shows */
	DAY = 86400,		/* s */
	/* 1.3.0: seconds before time 0 show as up to 2^64 ns, cut to 32 bits */
	BEFORE_END = 1266874889,
	BEFORE = 1000000,	/* s that are taken to be before time 0, and are
				 * added to all times */
};

/* how far lines may be out of order */
#define SLACK NS_PER_SECOND

/* a line that was no event, until the next one shows that it was no heading */
struct doubt {
	uint64_t line, at;	/* line 0: none */
	char why[IMPORT_WHY];
};

struct text_in {
	const struct import_to *to;
	struct import_to ordered;	/* what comes out of order */
	struct import_about about;
	char lacks[IMPORT_WHY];
	struct printed_format *format;	/* NULL: the default text */
	struct lines lines;
	struct import_order order;
	struct printed_numbers numbers;
	struct printed_past past;
	struct doubt doubt;
	uint64_t newest;	/* ns, of all events */
	uint64_t day;		/* s, since the first day of %z */
	bool no_device;		/* in the format */
	bool any, over, filtered;
	bool more;		/* events after the summary, reported */
	uint8_t payload[PRINTED_PAYLOAD];
};

/* --- events --------------------------------------------------------------- */

static int tell_filtered(struct text_in *t)
{
	size_t used = strlen(t->lacks);

	t->filtered = true;
	snprintf(t->lacks + used, sizeof(t->lacks) - used, "%snot all events",
		 used ? ", " : "");
	t->about.lacks = t->lacks;
	return t->to->about(t->to->ctx, &t->about);
}

static int tell_missing(struct text_in *t, const struct event *ev)
{
	const struct printed_numbers *n = &t->numbers;

	if (n->holes * FILTERED > n->events + FILTERED)
		return tell_filtered(t);
	return t->to->lost(t->to->ctx, ev->cpu, ev->sequence);
}

/* Of a device without requests, what completes is no request. */
static bool is_requests(const struct text_in *t, const struct event *ev)
{
	return !event_is_note(ev) && event_number(ev) == BLK_TA_COMPLETE &&
	       !event_is_pc(ev) && printed_past_requests(&t->past, ev->device);
}

/* In order of time, when later lines have been read; the number is how many are
 * missing before. */
static int hand_over(void *ctx, const struct event *ev)
{
	struct text_in *t = ctx;
	struct event request = *ev;
	int err = 0;

	if (UNLIKELY(ev->sequence && !t->filtered))
		err = tell_missing(t, ev);
	if (err || !is_requests(t, ev))
		return err ? err : t->to->event(t->to->ctx, ev);
	request.action |= BLK_TC_ACT(BLK_TC_FS);
	return t->to->event(t->to->ctx, &request);
}

static void pass_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	const struct text_in *t = ctx;

	t->to->fault(t->to->ctx, line, at, why);
}

/* After the time of day wraps round it is the next day's. */
static uint64_t day_second(struct text_in *t, uint32_t second)
{
	uint64_t now = t->day + second, last = t->newest / NS_PER_SECOND;

	last -= last > BEFORE ? BEFORE : last;
	if (t->any && now + DAY / 2 < last) {
		t->day += DAY;
		now += DAY;
	} else if (t->any && t->day && now > last + DAY / 2) {
		now -= DAY;
	}
	return now;
}

static uint64_t time_of(struct text_in *t, const struct printed *p)
{
	uint64_t second = p->seconds;

	if (t->format && printed_format_has(t->format, 'z'))
		second = day_second(t, p->seconds);
	else if (UNLIKELY(second <= BEFORE_END && second > BEFORE_END - BEFORE))
		second += UINT64_C(4) << 32;
	return (second + BEFORE) * NS_PER_SECOND + p->ns;
}

/* What the number of an event means. */
static void set_number(struct text_in *t, struct printed *p)
{
	struct event *ev = &p->ev;

	ev->sequence = 0;
	if (!p->action || !p->has_sequence)
		return;
	if (p->has_remap)
		ev->device = printed_numbers_device(&t->numbers, ev,
						    p->sequence);
	ev->sequence = printed_numbers_missing(&t->numbers, ev, p->sequence);
}

static int add(struct text_in *t, struct printed *p)
{
	int err = 0;

	p->ev.time = time_of(t, p);
	printed_make(p, t->payload);
	set_number(t, p);
	if (p->action)
		printed_past_add(&t->past, p);
	if (p->name.len)
		err = t->to->process(t->to->ctx, p->ev.pid, p->name.text,
				     p->name.len);
	if (!err)
		err = import_order_add(&t->order, p->ev.cpu, &p->ev);
	t->any = true;
	if (p->ev.time > t->newest)
		t->newest = p->ev.time;
	if (err || t->newest < SLACK)
		return err;
	return import_order_release(&t->order, t->newest - SLACK);
}

/* --- other lines ---------------------------------------------------------- */

static bool starts(const char *line, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !memcmp(line, word, n);
}

static bool is_blank(const char *line, size_t len)
{
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return !len;
}

/* Lines without an event, which may be anywhere. */
static bool is_remark(const char *line, size_t len)
{
	return is_blank(line, len) || starts(line, len, "Input file ") ||
	       (*line == '[' && memmem(line, len, " skipped]", 9));
}

static bool is_summary(const char *line, size_t len)
{
	return starts(line, len, " Reads Queued:") ||
	       starts(line, len, "Throughput (R/W):") ||
	       starts(line, len, "Trace started at ");
}

static void tell_doubt(struct text_in *t)
{
	if (t->doubt.line)
		t->to->fault(t->to->ctx, t->doubt.line, t->doubt.at,
			     t->doubt.why);
	t->doubt.line = 0;
}

static void set_doubt(struct text_in *t, const struct scan *s,
		      const char *line)
{
	char text[PLACE];
	size_t len = 0;

	tell_doubt(t);
	while (s->at + len < s->end && s->at[len] != ' ')
		len++;
	t->doubt.line = t->lines.number;
	t->doubt.at = (uint64_t)(s->at - line) + 1;
	escape_text(text, sizeof(text), s->at, len);
	if (len)
		snprintf(t->doubt.why, sizeof(t->doubt.why),
			 "\"%s\" is not %s", text, s->expected);
	else if (s->at < s->end)
		snprintf(t->doubt.why, sizeof(t->doubt.why),
			 "a blank is not %s", s->expected);
	else
		snprintf(t->doubt.why, sizeof(t->doubt.why),
			 "the line ends before %s", s->expected);
}

static COLD void read_other(struct text_in *t, const struct scan *s,
			    const char *line, size_t len)
{
	if (is_remark(line, len))
		return;
	t->over = is_summary(line, len);
	if (!t->over)
		set_doubt(t, s, line);
	else
		t->doubt.line = 0;
}

/* --- lines ---------------------------------------------------------------- */

/* Messages are printed as always. */
static bool is_message(const char *line, size_t len, struct printed *p)
{
	struct scan s = { .at = line, .end = line + len };

	*p = (struct printed){ .has_sequence = false };
	return printed_line(&s, p) && !p->action;
}

static bool take_line(const struct text_in *t, struct scan *s, const char *line,
		      struct printed *p)
{
	size_t len = (size_t)(s->end - line);

	if (!t->format)
		return printed_line(s, p);
	if (!printed_format_line(t->format, s, p))
		return is_message(line, len, p);
	if (t->no_device)
		p->ev.device = DEVICE;
	return true;
}

/* More text after the summary is of another run, which has another time 0. */
static void read_more(struct text_in *t)
{
	t->to->fault(t->to->ctx, t->lines.number, 1,
		     "events after the summary are of another run, and are not"
		     " read: divide the file");
	t->more = true;
}

static int read_line(struct text_in *t, const char *line, size_t len)
{
	struct scan s = { .at = line, .end = line + len };
	struct printed p = { .has_sequence = false };

	if (!take_line(t, &s, line, &p)) {
		if (!t->over)
			read_other(t, &s, line, len);
		return 0;
	}
	if (UNLIKELY(t->over)) {
		if (!t->more)
			read_more(t);
		return 0;
	}
	if (UNLIKELY(t->doubt.line))
		tell_doubt(t);
	return add(t, &p);
}

static int read_lines(struct text_in *t)
{
	char *line;
	size_t len;
	int n;

	while ((n = lines_next(&t->lines, &line, &len)) > 0) {
		n = read_line(t, line, len);
		if (n)
			return n;
	}
	tell_doubt(t);
	return n ? n : import_order_end(&t->order);
}

/* --- all ------------------------------------------------------------------ */

bool printed_is(const struct import_format *f, const char *begin, size_t len)
{
	const char *line = begin, *end = begin + len;

	(void)f;
	while (line < end) {
		size_t n = strcspn(line, "\r\n");

		if (!is_remark(line, n))
			return printed_line_is(line, n);
		line += n + 1;
	}
	return false;
}

static int parse_format(struct text_in *t, const char *format)
{
	char why[IMPORT_WHY];
	int err;

	t->format = malloc(sizeof(*t->format));
	if (!t->format)
		return -ENOMEM;
	err = printed_format_parse(t->format, format, why, sizeof(why));
	if (err) {
		t->to->fault(t->to->ctx, 0, 0, why);
		return -EBADMSG;
	}
	t->no_device = !printed_format_has_device(t->format);
	if (printed_format_lacks(t->format, t->lacks, sizeof(t->lacks)))
		t->about.lacks = t->lacks;
	return 0;
}

static int tell_about(struct text_in *t)
{
	int err = t->to->about(t->to->ctx, &t->about);

	if (!err && t->no_device)
		err = t->to->device(t->to->ctx, DEVICE, "disk");
	return err;
}

static int read_all(struct text_in *t, const struct import_options *o)
{
	int err = o->format ? parse_format(t, o->format) : 0;

	t->ordered = (struct import_to){ .event = hand_over,
					 .fault = pass_fault, .ctx = t };
	import_order_init(&t->order, &t->ordered);
	if (!err)
		err = tell_about(t);
	if (!err)
		err = read_lines(t);
	import_order_free(&t->order);
	free(t->format);
	printed_numbers_free(&t->numbers);
	printed_past_free(&t->past);
	return err;
}

int printed_read(const struct import_format *f, struct source *s,
		 const struct import_options *o, const struct import_to *to)
{
	struct text_in *t = calloc(1, sizeof(*t));
	int err = t ? lines_open(&t->lines, s) : -ENOMEM;

	(void)f;
	if (!err) {
		t->to = to;
		t->about = (struct import_about){
			.from = "blkparse's text", .tool = "blkparse",
			.clock = "ns since the first event",
		};
		err = read_all(t, o);
		lines_close(&t->lines);
	}
	free(t);
	return err;
}
