/* SPDX-License-Identifier: GPL-2.0-only */
/* What a picture is of; see about.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "base/unit.h"
#include "emit/signs.h"
#include "tools/iowatcher/about.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

enum { NAMED = 3 };		/* devices, and traces; others are counted */

struct line {
	char *text;
	size_t len;
};

static __attribute__((format(printf, 2, 3)))
void add(struct line *l, const char *fmt, ...)
{
	size_t room = ABOUT_MAX - l->len;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(l->text + l->len, room, fmt, args);
	va_end(args);
	if (n > 0)
		l->len += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_devices(struct line *l, const struct traced *t)
{
	size_t named = t->device_count <= NAMED ? t->device_count : NAMED - 1;

	for (size_t i = 0; i < named; i++)
		add(l, "%s%s", i ? ", " : "", t->devices[i].name);
	if (named < t->device_count)
		add(l, " and %zu more", t->device_count - named);
	if (*t->host)
		add(l, " on %s", t->host);
}

/* a moment as the time of day, its date only where it differs from before */
static bool add_moment(struct line *l, const struct traced *t, uint64_t ns,
		       const char *before, char date[16])
{
	time_t seconds = (time_t)((t->began + ns) / NS_PER_SECOND);
	char day[16], hour[16];
	struct tm tm;

	if (!t->began || !gmtime_r(&seconds, &tm) ||
	    !strftime(day, sizeof(day), "%Y-%m-%d", &tm) ||
	    !strftime(hour, sizeof(hour), "%H:%M:%S", &tm))
		return false;
	add(l, "%s", before);
	if (strcmp(date, day))
		add(l, "%s ", day);
	add(l, "%s", hour);
	memcpy(date, day, sizeof(day));
	return true;
}

static void add_trace(struct line *l, const struct traced *t,
		      const struct time_frame *frame, bool only)
{
	char date[16] = "";
	bool known;

	add_devices(l, t);
	known = add_moment(l, t, frame->from, ", ", date);
	if (known && only)
		add_moment(l, t, frame->to, " to ", date);
	if (known)
		add(l, " UTC");
}

/* cut to columns, of which the last three are dots then */
static void cut(char *text, unsigned int width)
{
	unsigned int at = 0;
	char *c = text;

	if (signs_width(text) <= width || width < 3)
		return;
	for (; *c && (at < width - 3 || (*c & 0xc0) == 0x80); c++)
		at += (c[1] & 0xc0) != 0x80;
	snprintf(c, 4, "...");
}

void about_text(char text[ABOUT_MAX], const struct sources *s,
		const struct time_frame *frame, unsigned int width)
{
	size_t named = s->trace_count <= NAMED ? s->trace_count : NAMED - 1;
	struct line l = { .text = text };
	char span[UNIT_SPACED_MAX];

	*text = '\0';
	for (size_t i = 0; i < named; i++) {
		add(&l, "%s", i ? "; " : "");
		add_trace(&l, &s->traces[i], frame, s->trace_count == 1);
	}
	if (named < s->trace_count)
		add(&l, "; %zu more", s->trace_count - named);
	unit_time(span, frame->to - frame->from);
	unit_space(span);
	if (named)
		add(&l, " (%s)", span);
	cut(text, width);
}
