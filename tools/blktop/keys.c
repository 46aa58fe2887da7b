/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys: view_key() of view.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/container.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "tools/blktop/options.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/view.h"

enum { PAGE = 10, SPEED_MAX = 6 };

/* --- filter --------------------------------------------------------------- */

/* text may be ""; false, and the mistake is shown, if it is no expression */
static bool set_filter(struct view *v, const char *text)
{
	struct expr *e = NULL;
	struct expr_error why;
	int err = *text ? expr_compile(&e, text, &why) : 0;

	*v->mistake = '\0';
	if (err == -ENOMEM)
		snprintf(v->mistake, sizeof(v->mistake), "out of memory");
	else if (err)
		where_text(v->mistake, "where", text, why.at, why.phrase);
	if (err)
		return false;
	expr_free(v->filter);
	v->filter = e;
	snprintf(v->where, sizeof(v->where), "%s", text);
	return true;
}

static enum view_wish ask(struct view *v, int arg)
{
	(void)arg;
	v->asking = true;
	snprintf(v->line, sizeof(v->line), "%s", v->where);
	v->len = strlen(v->line);
	return VIEW_NOTHING;
}

static enum view_wish count_all(struct view *v, int arg)
{
	(void)arg;
	return set_filter(v, "") ? VIEW_FILTER : VIEW_NOTHING;
}

/* a key while a line is edited */
static enum view_wish edit(struct view *v, int key)
{
	if (key == SCREEN_ENTER) {
		v->asking = !set_filter(v, v->line);
		return v->asking ? VIEW_NOTHING : VIEW_FILTER;
	}
	if (key == SCREEN_ESCAPE) {
		v->asking = false;
		*v->mistake = '\0';
	} else if (key == SCREEN_ERASE && v->len) {
		/* all bytes of a character */
		while (--v->len && (v->line[v->len] & 0xc0) == 0x80)
			;
	} else if (key >= ' ' && key < 256 && v->len < sizeof(v->line) - 1) {
		v->line[v->len++] = (char)key;
	}
	v->line[v->len] = '\0';
	return VIEW_NOTHING;
}

/* A name in quotes: escaped characters ("\x1b") and quotes become "any
 * character". */
static void quote(char *to, size_t size, const char *name)
{
	size_t at = 0;

	for (; *name && at + 1 < size; name++) {
		bool escaped = !strncmp(name, "\\x", 2) && strlen(name) >= 4;

		to[at++] = escaped || *name == '"' ? '?' : *name;
		name += escaped ? 3 : 0;
	}
	to[at] = '\0';
}

/* A row's name in an expression, or "".  The part left out of a cgroup's name
 * becomes "any text". */
static void put_name(char *to, size_t size, enum group_key key,
		     const char *name)
{
	const char *id = strchr(name, ':');

	*to = '\0';
	if (key != GROUP_CGROUP || *name == '/')
		snprintf(to, size, "%s", name);
	else if (*name == '.')
		snprintf(to, size, "*%s", name + strspn(name, "."));
	else if (id)
		snprintf(to, size, "*%.*s*", CONTAINER_ID_SHORT, id + 1);
}

/* the chosen row becomes the filter */
static enum view_wish take_row(struct view *v, int arg)
{
	struct sample *s = history_get(&v->history, v->back);
	const struct sample_table *t = s ? sample_table(s, v->text.by) : NULL;
	const char *field = group_key_row(v->text.by)->word;
	const struct sample_row *row;
	char name[VIEW_WHERE / 2], text[VIEW_WHERE], whole[VIEW_WHERE / 2];
	bool word = v->text.by == GROUP_PID || v->text.by == GROUP_OP;

	(void)arg;
	if (!t || v->chosen >= t->count)
		return VIEW_NOTHING;
	row = &t->rows[v->chosen];
	if (row->other)
		return VIEW_NOTHING;
	put_name(whole, sizeof(whole), v->text.by, sample_name(t, row));
	if (!*whole)
		return VIEW_NOTHING;
	quote(name, sizeof(name), whole);
	snprintf(text, sizeof(text), word ? "%s==%s" : "%s==\"%s\"", field,
		 name);
	return set_filter(v, text) ? VIEW_FILTER : VIEW_NOTHING;
}

/* --- other keys ----------------------------------------------------------- */

static enum view_wish quit(struct view *v, int arg)
{
	(void)v;
	(void)arg;
	return VIEW_QUIT;
}

static enum view_wish set_by(struct view *v, int key)
{
	v->text.by = (enum group_key)key;
	v->chosen = v->top = 0;
	return VIEW_NOTHING;
}

static enum view_wish sort(struct view *v, int arg)
{
	(void)arg;
	v->text.sort = (v->text.sort + 1) % SAMPLE_ORDERS;
	v->chosen = v->top = 0;
	return VIEW_NOTHING;
}

static enum view_wish choose(struct view *v, int rows)
{
	if (rows < 0 && v->chosen < (unsigned int)-rows)
		v->chosen = 0;
	else
		v->chosen += (unsigned int)rows;
	return VIEW_NOTHING;
}

static enum view_wish show(struct view *v, int arg)
{
	(void)arg;
	v->shows = (v->shows + 1) % VIEW_SHOWS;
	return VIEW_NOTHING;
}

static enum view_wish hold(struct view *v, int arg)
{
	(void)arg;
	v->hold = !v->hold;
	if (!v->hold)
		v->back = 0;
	return VIEW_NOTHING;
}

/* A step stops the display first. */
static enum view_wish step(struct view *v, int on)
{
	v->hold = true;
	if (!on && v->back + 1 < v->history.count)
		v->back++;
	else if (on && v->back)
		v->back--;
	else if (on && v->recorded)
		return VIEW_STEP;
	return VIEW_NOTHING;
}

static enum view_wish set_speed(struct view *v, int more)
{
	int speed = v->speed + more;

	if (v->recorded && speed >= -SPEED_MAX && speed <= SPEED_MAX)
		v->speed = speed;
	return VIEW_NOTHING;
}

static enum view_wish ask_help(struct view *v, int arg)
{
	static const char help[] =
		"q        quit\n"
		"d p i    by device, process, pid\n"
		"c o h    by cgroup, operation, host\n"
		"s        order: time, IO/s, bytes, ...\n"
		"arrows   another row\n"
		"Enter    only I/Os like this row\n"
		"/        only I/Os that match\n"
		"Esc      all I/Os again\n"
		"m        table and graphs, or one\n"
		"space    hold, continue\n"
		", .      a step back, a step on\n"
		"+ -      recorded: faster, slower\n"
		"e        findings of what is shown\n"
		"w        save the last minute as a trace\n"
		"f        devices: trace all steps, or two\n";
	char *page = strdup(help);

	(void)arg;
	if (page)
		view_set_page(v, page);
	else
		view_note(v, "out of memory");
	return VIEW_NOTHING;
}

static enum view_wish save(struct view *v, int arg)
{
	(void)v;
	(void)arg;
	return VIEW_SAVE;
}

static enum view_wish find(struct view *v, int arg)
{
	(void)v;
	(void)arg;
	return VIEW_FINDINGS;
}

static enum view_wish change_steps(struct view *v, int arg)
{
	(void)arg;
	if (v->live && !v->ended)
		return VIEW_STEPS;
	view_note(v, "f is for devices being traced");
	return VIEW_NOTHING;
}

/* a key while a page is shown */
static enum view_wish turn(struct view *v, int key)
{
	if (key == SCREEN_DOWN)
		v->page_top++;
	else if (key == SCREEN_PAGE_DOWN)
		v->page_top += PAGE;
	else if (key == SCREEN_UP)
		v->page_top -= v->page_top ? 1 : 0;
	else if (key == SCREEN_PAGE_UP)
		v->page_top -= v->page_top < PAGE ? v->page_top : PAGE;
	else
		view_set_page(v, NULL);
	return VIEW_NOTHING;
}

static const struct {
	int key;
	enum view_wish (*press)(struct view *v, int arg);
	int arg;
} keys[] = {
	{ 'q', quit, 0 },
	{ 's', sort, 0 },
	{ SCREEN_UP, choose, -1 },
	{ SCREEN_DOWN, choose, 1 },
	{ SCREEN_PAGE_UP, choose, -PAGE },
	{ SCREEN_PAGE_DOWN, choose, PAGE },
	{ SCREEN_ENTER, take_row, 0 },
	{ '/', ask, 0 },
	{ SCREEN_ESCAPE, count_all, 0 },
	{ 'm', show, 0 },
	{ ' ', hold, 0 },
	{ ',', step, 0 },
	{ '.', step, 1 },
	{ '+', set_speed, 1 },
	{ '-', set_speed, -1 },
	{ 'e', find, 0 },
	{ 'w', save, 0 },
	{ 'f', change_steps, 0 },
	{ '?', ask_help, 0 },
};

enum view_wish view_key(struct view *v, int key)
{
	if (key == SCREEN_NO_KEY || key == SCREEN_RESIZED)
		return VIEW_NOTHING;
	*v->note = '\0';
	if (v->page)
		return turn(v, key);
	if (v->asking)
		return edit(v, key);
	for (unsigned int i = 0; i < TOP_KEYS; i++)
		if (group_key_row(top_keys[i])->letter == key)
			return set_by(v, (int)top_keys[i]);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].key == key)
			return keys[i].press(v, keys[i].arg);
	return VIEW_NOTHING;
}
