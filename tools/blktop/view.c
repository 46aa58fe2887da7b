/* SPDX-License-Identifier: GPL-2.0-only */
/* The contents of the screen; see view.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "emit/heat_text.h"
#include "emit/signs.h"
#include "expr/expr.h"
#include "tools/blktop/graphs.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/view.h"

enum {
	/* a smaller screen has the table only */
	SMALL_COLUMNS = 40, SMALL_LINES = 10,
	TABLE_MIN = 3,		/* lines of a table that has as many */
	CALM = 16,		/* intervals for which a table keeps its lines */
	BYTES = 8,		/* per cell of the screen */
	LOST = 40,		/* "lost N!" */
};

void view_init(struct view *v, struct expr *filter, const char *where)
{
	v->filter = filter;
	v->text.look = &v->look;
	v->text.own = -1;
	snprintf(v->where, sizeof(v->where), "%s", where ? where : "");
}

void view_free(struct view *v)
{
	expr_free(v->filter);
	history_free(&v->history);
	free(v->page);
}

void view_clear(struct view *v)
{
	history_free(&v->history);
	v->back = 0;
}

void view_set_page(struct view *v, char *page)
{
	free(v->page);
	v->page = page;
	v->page_top = 0;
}

void view_note(struct view *v, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(v->note, sizeof(v->note), fmt, args);
	va_end(args);
}

void view_add(struct view *v, struct sample *s)
{
	history_add(&v->history, s);
	if (!v->hold)
		v->back = 0;
	else if (v->back + 1 < v->history.count)
		v->back++;
}

/* --- a frame -------------------------------------------------------------- */

/* lines are written to b, then to the screen */
struct frame {
	struct display *d;
	struct buf b;
	unsigned int columns, lines;
	unsigned int at;	/* the next line, below limit */
	unsigned int limit;
};

static void put(struct frame *f, const char *line, size_t len,
		enum screen_style style)
{
	if (f->at < f->limit)
		screen_line(f->d, f->at++, line, len, style);
}

/* writes the lines in b, the first one in another style */
static void put_lines(struct frame *f, enum screen_style first,
		      enum screen_style rest)
{
	const char *line = f->b.data, *end = line + f->b.len, *next;
	enum screen_style style = first;

	for (; line < end; line = next + 1, style = rest) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			break;
		put(f, line, (size_t)(next - line), style);
	}
	f->b.len = 0;
}

static void put_empty(struct frame *f)
{
	put(f, "", 0, SCREEN_PLAIN);
}

/* --- the head ------------------------------------------------------------- */

static void set_title(struct view *v)
{
	char state[64], speed[16] = "";

	if (v->speed)
		snprintf(speed, sizeof(speed), ", %s%d",
			 v->speed > 0 ? "x" : "x1/",
			 1 << (v->speed > 0 ? v->speed : -v->speed));
	snprintf(state, sizeof(state), "%s%s%s%s", v->source,
		 v->live && v->all_steps ? ", all steps" : "", speed,
		 v->hold ? ", hold" : v->ended ? ", end" : "");
	text_set_title(&v->text, v->names, v->name_count, state);
	v->text.where = *v->where ? v->where : NULL;
}

/* colors "lost N!" at the end of the title */
static void alarm_lost(struct frame *f, unsigned int line,
		       const struct sample *s)
{
	char lost[LOST];
	int len = snprintf(lost, sizeof(lost), "lost %llu!",
			   (unsigned long long)s->lost);

	if (s->newly_lost && f->columns > (unsigned int)len)
		screen_restyle(f->d, line, f->columns - (unsigned int)len,
			       (unsigned int)len, SCREEN_ALARM);
}

/* what is in flight: now, if the newest interval of a live input is shown */
static const struct late *late_of(const struct view *v, const struct sample *s)
{
	bool now = !v->recorded && !v->back && !v->hold;

	return now ? &v->late : &s->late;
}

/* Late devices come first, however small the screen is. */
static void draw_late(struct view *v, struct frame *f, const struct sample *s)
{
	late_text(late_of(v, s), &f->b, f->columns);
	put_lines(f, SCREEN_LATE, SCREEN_LATE);
}

static void draw_head(struct view *v, struct frame *f, const struct sample *s)
{
	unsigned int line = f->at;

	set_title(v);
	text_head(&v->text, &f->b, s, late_of(v, s));
	put_lines(f, SCREEN_TITLE, SCREEN_PLAIN);
	if (f->at > line)
		alarm_lost(f, line, s);
	if (!v->headline || !*v->headline || f->at >= f->limit)
		return;
	signs_append(&f->b, v->headline, f->columns);
	buf_append(&f->b, "\n", 1);
	put_lines(f, SCREEN_LATE, SCREEN_LATE);
}

/* --- the table ------------------------------------------------------------ */

/* keeps the selected row in the table and among the room rows shown */
static void settle_rows(struct view *v, const struct sample_table *t,
			unsigned int room)
{
	unsigned int count = t ? t->count : 0;

	if (v->chosen >= count)
		v->chosen = count ? count - 1 : 0;
	if (v->top > v->chosen)
		v->top = v->chosen;
	if (room && v->chosen >= v->top + room)
		v->top = v->chosen - room + 1;
}

/* in lines lines, with the heading */
static int draw_table(struct view *v, struct frame *f, struct sample *s,
		      unsigned int lines)
{
	struct sample_table *t = sample_table(s, v->text.by);
	unsigned int row = f->at;
	const char *line;
	int err;

	if (t)
		sample_sort(t, v->text.sort);
	settle_rows(v, t, lines - 1);
	err = text_table(&v->text, &f->b, s, t, v->top, lines - 1);
	line = f->b.data;
	put_lines(f, SCREEN_HEADING, SCREEN_PLAIN);
	row += 1 + v->chosen - v->top;
	if (err || !t || !t->count || row >= f->at)
		return err;
	/* writes the selected line, still in the buffer, again */
	for (unsigned int i = 0; i < 1 + v->chosen - v->top; i++)
		line = strchr(line, '\n') + 1;
	screen_line(f->d, row, line, strcspn(line, "\n"), SCREEN_CHOSEN);
	return 0;
}

/* --- the screen ----------------------------------------------------------- */

static bool is_small(const struct frame *f)
{
	return f->columns < SMALL_COLUMNS || f->lines < SMALL_LINES;
}

/* The most rows of the last intervals: graphs below do not move with each. */
static unsigned int recent_rows(const struct view *v)
{
	unsigned int most = 0;
	struct sample *s;

	for (unsigned int i = 0; i < CALM; i++) {
		const struct sample_table *t;

		s = history_get(&v->history, v->back + i);
		t = s ? sample_table(s, v->text.by) : NULL;
		if (t && t->count > most)
			most = t->count;
	}
	return most;
}

/* the lines of the table, of those left; the others are for graphs */
static unsigned int table_lines(const struct view *v, const struct frame *f)
{
	unsigned int left = f->limit - f->at, lines = 1 + recent_rows(v);
	unsigned int share = left * 2 / 5;

	if (v->shows == VIEW_TABLE || is_small(f))
		return left;
	if (v->shows == VIEW_MAP)
		return 0;
	share = share < TABLE_MIN ? TABLE_MIN : share;
	share = share < left ? share : left;
	return lines < share ? lines : share;
}

static int draw_body(struct view *v, struct frame *f, struct sample *s)
{
	unsigned int end = f->limit, lines;
	int err = 0;

	if (f->at >= end)
		return 0;
	lines = table_lines(v, f);
	f->limit = f->at + lines;
	if (lines)
		err = draw_table(v, f, s, lines);
	while (f->at < f->limit)
		put_empty(f);
	f->limit = end;
	if (err || f->at == end)
		return err;
	err = graphs_text(&f->b, &v->look, &v->history, v->back, end - f->at);
	put_lines(f, SCREEN_PLAIN, SCREEN_PLAIN);
	return err;
}

/* the number of samples shown: those of the graphs, or one */
static unsigned int shown_samples(const struct view *v)
{
	unsigned int columns = heat_text_columns(&v->look);

	return history_shown(&v->history, v->back,
			     v->shows == VIEW_TABLE ? 1 : columns);
}

bool view_span(const struct view *v, uint64_t *from, uint64_t *to)
{
	const struct sample *last = history_get(&v->history, v->back);

	if (!last)
		return false;
	*to = last->depth.to;
	*from = history_get(&v->history, v->back + shown_samples(v) - 1)
			->depth.from;
	return true;
}

/* from page_top on */
static void draw_page(struct view *v, struct frame *f)
{
	const char *line = v->page;
	unsigned int skip;

	for (skip = v->page_top; skip && *line; skip--)
		line += strcspn(line, "\n") + 1;
	v->page_top -= skip;
	while (*line && f->at < f->limit) {
		size_t len = strcspn(line, "\n");

		put(f, line, len, SCREEN_PLAIN);
		line += len + (line[len] != '\0');
	}
}

/* lines at the bottom */
static unsigned int foot_lines(const struct view *v, const struct frame *f)
{
	unsigned int lines = 1;

	if (is_small(f) && !v->asking && !*v->note)
		return 0;
	for (const char *c = v->mistake; *c; c++)
		lines += *c == '\n';
	return lines + (*v->mistake != '\0') + (*v->note != '\0');
}

static void draw_foot(const struct view *v, struct frame *f)
{
	/* the longest that fits */
	static const char *const hints[] = {
		"q quit  d p i c o h by  s sort  / where  m map  space hold"
		"  , . step  + - speed  e findings  w save  ? help",
		"q quit  d p i c o h by  s sort  / where  m map  space hold"
		"  ? help",
		"q quit  / where  m map  ? help",
	};
	size_t hint = 0;

	while (hint + 1 < sizeof(hints) / sizeof(*hints) &&
	       strlen(hints[hint]) > f->columns)
		hint++;
	if (*v->mistake) {
		buf_printf(&f->b, "%s\n", v->mistake);
		put_lines(f, SCREEN_ALARM, SCREEN_PLAIN);
	}
	if (*v->note) {
		buf_printf(&f->b, "%s\n", v->note);
		put_lines(f, SCREEN_TITLE, SCREEN_TITLE);
	}
	if (v->asking)
		buf_printf(&f->b, "where: %s_\n", v->line);
	else if (v->page)
		buf_printf(&f->b, "arrows scroll  any other key: back\n");
	else
		buf_printf(&f->b, "%s\n", hints[hint]);
	put_lines(f, v->asking ? SCREEN_TITLE : SCREEN_HINT, SCREEN_HINT);
}

static int draw_all(struct view *v, struct frame *f)
{
	struct sample *s = history_get(&v->history, v->back);
	unsigned int foot = foot_lines(v, f);
	int err = 0;

	f->limit = f->lines > foot ? f->lines - foot : 0;
	if (v->page) {
		draw_page(v, f);
	} else if (s) {
		draw_late(v, f, s);
		if (!is_small(f))
			draw_head(v, f, s);
		err = draw_body(v, f, s);
	} else {
		buf_printf(&f->b, "%s\n", v->ended ?
			   "the trace has no I/Os" : "no events yet");
		put_lines(f, SCREEN_PLAIN, SCREEN_PLAIN);
	}
	while (f->at < f->limit)
		put_empty(f);
	f->limit = f->lines;
	if (foot)
		draw_foot(v, f);
	return err;
}

int view_draw(struct view *v, struct display *d)
{
	struct frame f = { .d = d };
	int err;

	screen_size(d, &f.columns, &f.lines);
	v->look.width = f.columns < LOOK_MIN_WIDTH ? LOOK_MIN_WIDTH : f.columns;
	v->look.height = f.lines;
	/* large enough never to be written to its descriptor */
	err = buf_init(&f.b, -1, (size_t)(f.lines + BYTES) *
		       (v->look.width + VIEW_WHERE) * BYTES);
	if (err)
		return err;
	err = draw_all(v, &f);
	buf_free(&f.b);
	screen_show(d);
	return err;
}
