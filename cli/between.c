/* SPDX-License-Identifier: GPL-2.0-only */
/* The window from one mark to another; see between.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/nearest.h"
#include "cli/between.h"
#include "cli/traces.h"
#include "file/location.h"
#include "run/marks.h"
#include "run/reader.h"

enum { SHOWN = 256 };	/* bytes of a mark in a message */

/* A or B */
struct end {
	const char *text;
	size_t len;		/* 0: the start or end of the trace */
	size_t at;		/* in the list of marks, if found */
	bool found;
};

static bool is_it(const struct end *e, const struct mark *m)
{
	return e->len == m->len && !memcmp(e->text, m->text, e->len);
}

/* Finds the first one at or after from. */
static void find(struct end *e, const struct marks *m, size_t from)
{
	e->found = !e->len;
	for (size_t i = from; !e->found && i < m->count; i++) {
		e->found = is_it(e, &m->list[i]);
		e->at = i;
	}
}

static size_t count(const struct end *e, const struct marks *m, size_t from)
{
	size_t n = 0;

	for (size_t i = from; i < m->count; i++)
		n += is_it(e, &m->list[i]);
	return n;
}

/* where the search for b starts */
static size_t after(const struct end *a)
{
	return a->len && a->found ? a->at + 1 : 0;
}

/* Splits text at a comma; whether both marks exist. */
static bool split(const char *text, const char *comma, const struct marks *m,
		  struct end *a, struct end *b)
{
	*a = (struct end){ .text = text, .len = (size_t)(comma - text) };
	*b = (struct end){ .text = comma + 1, .len = strlen(comma + 1) };
	find(a, m, 0);
	find(b, m, after(a));
	return a->found && b->found;
}

/* Splits at the first comma that fits, or else the first. */
static bool split_best(const char *text, const struct marks *m, struct end *a,
		       struct end *b)
{
	for (const char *c = strchr(text, ','); c; c = strchr(c + 1, ','))
		if (split(text, c, m, a, b))
			return true;
	split(text, strchr(text, ','), m, a, b);
	return false;
}

static const char *shown(char to[SHOWN], const char *text, size_t len)
{
	escape_text(to, SHOWN, text, len);
	return to;
}

/* Suggests a similar mark, or the first one. */
static void put_hint(char *words, size_t size, const struct end *e,
		     const struct marks *m)
{
	struct nearest n = { .text = e->text, .len = e->len };
	char name[SHOWN];

	for (size_t i = 0; i < m->count; i++)
		nearest_try(&n, m->list[i].text);
	if (n.word)
		snprintf(words, size, "; did you mean \"%s\"?",
			 shown(name, n.word, strlen(n.word)));
	else if (!m->count)
		snprintf(words, size, ": the trace has no marks (blktrace"
			 " --mark writes them)");
	else
		snprintf(words, size, "; the first of %zu is \"%s\"",
			 m->count,
			 shown(name, m->list[0].text, m->list[0].len));
}

static int put_missing(char words[BETWEEN_WORDS], const struct end *a,
		       const struct end *b, const struct marks *m)
{
	const struct end *e = a->found ? b : a;
	struct end any = *e;
	char name[SHOWN];
	int len;

	shown(name, e->text, e->len);
	find(&any, m, 0);
	if (any.found) {
		snprintf(words, BETWEEN_WORDS,
			 "--between: \"%s\" precedes the other mark", name);
		return -1;
	}
	len = snprintf(words, BETWEEN_WORDS, "--between: no mark \"%s\"",
		       name);
	put_hint(words + len, BETWEEN_WORDS - (size_t)len, e, m);
	return -1;
}

static int put_several(char words[BETWEEN_WORDS], const struct end *a,
		       const struct end *b, const struct marks *m)
{
	size_t first = a->len ? count(a, m, 0) : 0;
	size_t second = b->len ? count(b, m, after(a)) : 0;
	char name[SHOWN];

	*words = '\0';
	if (first > 1)
		snprintf(words, BETWEEN_WORDS, "--between: \"%s\" occurs %zu"
			 " times; the first is used",
			 shown(name, a->text, a->len), first);
	else if (second > 1)
		snprintf(words, BETWEEN_WORDS, "--between: \"%s\" occurs %zu"
			 " times; the first%s is used",
			 shown(name, b->text, b->len), second,
			 a->len ? " after the other mark" : "");
	return first > 1 || second > 1 ? 0 : 1;
}

int between_window(struct window *w, const char *text, const struct marks *m,
		   char words[BETWEEN_WORDS])
{
	struct end a, b;

	if (!split_best(text, m, &a, &b))
		return put_missing(words, &a, &b, m);
	w->start = a.len ? m->list[a.at].time : 0;
	w->end = b.len ? m->list[b.at].time : UINT64_MAX;
	/* an event at the time of B is after it */
	if (b.len && w->end > w->start)
		w->end--;
	return put_several(words, &a, &b, m);
}

static void read_all(struct traces *t, const volatile sig_atomic_t *stop)
{
	const struct event *ev;
	int got;

	while (LIKELY(!*stop)) {
		got = traces_next_event(t, &ev);
		if (!got)
			return;
		if (UNLIKELY(got < 0 && got != -EINTR && got != -EAGAIN))
			exit(1);
	}
}

struct window between_find(const struct between *b)
{
	const struct traces_options reading = {
		.directory = b->directory, .names = b->names,
		.count = b->count, .window = WINDOW_ALL,
		.progress = b->progress, .events = true, .quiet = true,
	};
	struct window w = WINDOW_ALL;
	char words[BETWEEN_WORDS];
	struct traces t;
	int found;

	for (size_t i = 0; i < b->count; i++)
		if (location_is_pipe(b->names[i]))
			msg_die("--between reads its input twice, and %s is"
				" a pipe: record it first", b->names[i]);
	if (!traces_open(&t, &reading))
		exit(1);
	read_all(&t, b->stop);
	found = between_window(&w, b->text, reader_marks(t.reader), words);
	traces_close(&t);
	if (found < 0)
		msg_die("%s", words);
	if (!found)
		msg_warn("%s", words);
	return w;
}
