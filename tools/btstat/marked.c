/* SPDX-License-Identifier: GPL-2.0-only */
/* The marks of a run; see marked.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/sink.h"
#include "emit/table.h"
#include "emit/values.h"
#include "run/marks.h"
#include "tools/btstat/marked.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"

enum {
	HEAD_MARKS = 4,		/* in the head */
	TEXT = ESCAPE_MAX * MARK_TEXT + 1,
	LINE = HEAD_MARKS * (TEXT + 32) + 256,
	TIME = 48,
};

static const struct marks *marks_of(const struct screen *s)
{
	return reader_marks(s->facts->reader);
}

static bool is_in(const struct screen *s, const struct mark *m)
{
	return m->time >= s->o->window.start && m->time <= s->o->window.end;
}

/* the first mark in the window from *at on, or NULL; moves *at past it */
static const struct mark *next(const struct screen *s, size_t *at)
{
	const struct marks *m = marks_of(s);

	while (*at < m->count)
		if (is_in(s, &m->list[(*at)++]))
			return &m->list[*at - 1];
	return NULL;
}

static const char *text_of(char to[TEXT], const struct mark *m)
{
	escape_text(to, TEXT, m->text, m->len);
	return to;
}

static const char *seconds(char to[TIME], uint64_t ns)
{
	snprintf(to, TIME, "%llu.%06u",
		 (unsigned long long)(ns / NS_PER_SECOND),
		 (unsigned int)(ns % NS_PER_SECOND / NS_PER_US));
	return to;
}

/* --- text ----------------------------------------------------------------- */

void marked_head(const struct screen *s)
{
	char line[LINE], text[TEXT], time[TIME];
	const struct mark *m;
	size_t at = 0, n = 0, len = 0;

	while ((m = next(s, &at))) {
		if (n++ >= HEAD_MARKS)
			continue;
		len += (size_t)snprintf(line + len, sizeof(line) - len,
					"%s%s s %s", n > 1 ? "; " : "",
					seconds(time, m->time),
					text_of(text, m));
	}
	if (n > HEAD_MARKS)
		snprintf(line + len, sizeof(line) - len,
			 "; and %zu more (--marks)", n - HEAD_MARKS);
	if (n) {
		char whole[LINE + 16];

		snprintf(whole, sizeof(whole), "%-10s%s", "marks", line);
		screen_lines(s, whole);
	}
}

/* its device, or their number */
static void device_of(const struct screen *s, const struct mark *m,
		      char name[VALUE_MAX])
{
	if (m->devices > 1)
		snprintf(name, VALUE_MAX, "%u devices", m->devices);
	else
		value_device(&s->values, m->device, name);
}

static void put_row(const struct screen *s, struct table *t,
		    const struct mark *m, uint64_t until)
{
	char text[TEXT], time[TIME], name[VALUE_MAX];

	table_cell(t, seconds(time, m->time));
	table_cell(t, seconds(time, until > m->time ? until - m->time : 0));
	device_of(s, m, name);
	table_cell(t, name);
	snprintf(name, sizeof(name), "%u", m->pid);
	table_cell(t, name);
	table_cell(t, text_of(text, m));
}

int marked_table(const struct screen *s)
{
	static const struct table_column columns[] = {
		{ "TIME s", 12, false, 0 },
		{ "TO NEXT s", 11, false, 2 },
		{ "DEVICE", 8, true, 1 },
		{ "PID", 7, false, 3 },
		{ "MARK", 8, true, 0 },
	};
	const struct mark *m, *after;
	struct table t = { .rows = 0 };
	size_t at = 0;
	int err;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(&t, columns[i]);
	for (m = next(s, &at); m; m = after) {
		after = next(s, &at);
		put_row(s, &t, m, after ? after->time :
					  s->facts->from + s->facts->length);
	}
	err = table_print(&t, s->b, s->look->width, true);
	if (marks_of(s)->more)
		buf_printf(s->b, "and %llu more, which are not kept\n",
			   (unsigned long long)marks_of(s)->more);
	table_free(&t);
	return err;
}

/* --- for programs --------------------------------------------------------- */

static void put_values(const struct screen *s, struct sink *k,
		       const struct mark *m)
{
	char name[VALUE_MAX];

	sink_row(k);
	sink_number(k, "time_ns", m ? m->time : 0);
	sink_text(k, "text", m ? m->text : "");
	if (m && m->devices == 1) {
		value_device(&s->values, m->device, name);
		sink_text(k, "device", name);
	} else {
		sink_none(k, "device");
	}
	sink_number(k, "devices", m ? m->devices : 0);
	sink_number(k, "pid", m ? m->pid : 0);
	sink_row_end(k);
}

void marked_data(const struct screen *s, struct sink *k, const char *name)
{
	const struct mark *m;
	size_t at = 0;

	if (!k->json) {
		k->heading = true;
		put_values(s, k, NULL);
		k->heading = false;
	}
	sink_array(k, name);
	while ((m = next(s, &at)))
		put_values(s, k, m);
	sink_array_end(k);
}
