/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples on a screen; see play.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/blktop/past_part.h"
#include "tools/blktop/feed.h"
#include "tools/blktop/length.h"
#include "tools/blktop/options.h"
#include "tools/blktop/own.h"
#include "tools/blktop/past.h"
#include "tools/blktop/play.h"
#include "tools/blktop/remarks.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/supervise.h"
#include "tools/blktop/view.h"

enum {
	KEY_MS = 250,		/* a key is waited for at most */
	NAME = 64,		/* of a trace that is saved */
	NAMES = 100,		/* that are tried, at one time of day */
};

/* what is saved */
#define MINUTE (60 * NS_PER_SECOND)

/* how long keys wait while much is read */
#define PATIENCE (50 * NS_PER_MS)

/* between two looks at what is in flight */
#define LOOK_EVERY (500 * NS_PER_MS)

struct play {
	struct top_options *o;
	struct feed feed;
	struct view view;
	struct display *display;
	struct own own;
	const volatile sig_atomic_t *stop;
	uint64_t count;		/* samples so far */
	uint64_t due;		/* when the next is, of a recorded trace */
	uint64_t look_due;	/* when to look for what is late, of a live one */
	bool step;		/* one more is wanted, although it holds */
	bool failed;		/* what cannot be read has been reported */
	bool quit;
};

static void open_feed(struct play *p)
{
	feed_open(&p->feed, p->o, top_keys, TOP_KEYS, true, p->stop);
	p->feed.patience = PATIENCE;
	feed_keep_past(&p->feed);
}

static void draw(struct play *p)
{
	if (view_draw(&p->view, p->display))
		p->failed = p->quit = true;
}

/* --- samples -------------------------------------------------------------- */

/* how long an interval is on the screen */
static uint64_t pace(const struct play *p)
{
	int speed = p->view.speed;
	uint64_t ns = p->view.text.interval;

	return speed < 0 ? ns << -speed : ns >> speed;
}

static bool wants_sample(const struct play *p)
{
	if (p->view.ended)
		return false;
	if (!p->view.recorded || p->step)
		return true;
	return !p->view.hold && time_now() >= p->due;
}

static void add_sample(struct play *p, struct sample *s)
{
	if (p->feed.o->live)
		p->view.text.own = own_share(&p->own, &p->feed.tracer);
	p->count++;
	view_add(&p->view, s);
	if (p->step)
		p->view.back = 0;
	p->step = false;
	p->due += pace(p);
	/* late, by reading or a pause: goes on from now */
	if (p->due < time_now())
		p->due = time_now() + pace(p);
}

/* The last interval ends with the trace. */
static void set_total(struct play *p)
{
	const struct sample *s = history_get(&p->view.history, 0);

	if (s)
		p->view.text.total = s->depth.to;
}

/* A device may stop to answer long before an interval ends. */
static void look_for_late(struct play *p)
{
	bool any = p->view.late.count;

	if (p->view.recorded || time_now() < p->look_due)
		return;
	p->look_due = time_now() + LOOK_EVERY;
	feed_late(&p->feed, &p->view.late);
	if (any || p->view.late.count)
		draw(p);
}

static void take_sample(struct play *p, uint64_t most)
{
	struct sample *s;
	int got = feed_next(&p->feed, &s);

	if (got == -EAGAIN) {
		look_for_late(p);
		return;
	}
	if (got == 1) {
		p->view.late = s->late;
		add_sample(p, s);
	}
	p->view.ended = got != 1;
	if (!got && !p->view.text.total && p->view.recorded)
		set_total(p);
	p->failed |= got == -EIO;
	p->quit |= most && p->count == most;
	/* blktrace has said why, and that is printed behind the screen */
	p->quit |= p->view.ended && !p->count && p->feed.o->live;
	draw(p);
}

/* --- the last events ------------------------------------------------------ */

/* "blktop-20260130-142536", or with "-2" and so on behind it */
static void make_name(char name[NAME], unsigned int nr)
{
	time_t now = time(NULL);
	struct tm tm;
	size_t len;

	localtime_r(&now, &tm);
	len = strftime(name, NAME, PLAY_SAVED "%Y%m%d-%H%M%S", &tm);
	if (nr > 1)
		snprintf(name + len, NAME - len, "-%u", nr);
}

/* what is saved: a minute, up to the end of the interval that is shown */
static bool last_minute(const struct play *p, struct past_part *e)
{
	uint64_t from, to;

	if (!view_span(&p->view, &from, &to))
		return false;
	to = feed_event_time(&p->feed, to);
	*e = (struct past_part){ .past = p->feed.past,
				 .reader = p->feed.in.reader,
				 .from = to > MINUTE ? to - MINUTE : 0,
				 .to = to, .opener = &p->o->opener };
	return true;
}

static void tell_saved(struct play *p, const struct past_part *e,
		       const char *name, uint64_t events)
{
	uint64_t oldest = past_from(e->past);
	uint64_t from = oldest > e->from ? oldest : e->from;
	bool older = oldest > e->from && past_dropped(e->past);

	view_note(&p->view, "%s: %llu events of %.3f s%s", name,
		  (unsigned long long)events,
		  (double)(e->to - from) / NS_PER_SECOND,
		  older ? ", which is all that is kept" : "");
}

static void save(struct play *p)
{
	struct past_part e;
	char name[NAME];
	uint64_t events;
	int err = -ENODATA;

	if (last_minute(p, &e)) {
		for (unsigned int nr = 1; nr <= NAMES; nr++) {
			make_name(name, nr);
			if (access(name, F_OK))
				break;
		}
		err = past_part_write(&e, name, &events);
	}
	if (err == -ENODATA)
		view_note(&p->view, "there is nothing to save");
	else if (err)
		view_note(&p->view, "%s: %s", name, strerror(-err));
	else
		tell_saved(p, &e, name, events);
}

static void show_findings(struct play *p)
{
	uint64_t from, to, end;
	char *page;

	if (!view_span(&p->view, &from, &to))
		return;
	end = feed_event_time(&p->feed, to);
	page = remarks_text(p->feed.past, p->feed.in.reader,
			    feed_event_time(&p->feed, from), end, to - end,
			    p->view.look.width);
	if (page)
		view_set_page(&p->view, page);
	else
		view_note(&p->view, "out of memory");
}

/* blktrace is started anew: its times would not compare with those before, as
 * they begin elsewhere. */
static void change_steps(struct play *p)
{
	struct top_options *o = p->o;

	p->failed |= !feed_close(&p->feed);
	o->all_steps = !o->all_steps;
	p->view.all_steps = o->all_steps;
	view_clear(&p->view);
	open_feed(p);
	feed_set_where(&p->feed, p->view.filter);
	view_note(&p->view, o->all_steps ?
		  "blktrace is started again, for all steps" :
		  "blktrace is started again, for issue and completion");
}

/* --- keys ----------------------------------------------------------------- */

/* how long the next key may be waited for */
static int key_wait(const struct play *p)
{
	uint64_t now;

	if (wants_sample(p))
		return 0;
	now = time_now();
	if (p->view.ended || p->view.hold || p->due <= now ||
	    p->due - now > KEY_MS * NS_PER_MS)
		return KEY_MS;
	return (int)((p->due - now) / NS_PER_MS) + 1;
}

static void take_key(struct play *p)
{
	int key = screen_key(p->display, key_wait(p));

	if (key == SCREEN_NO_KEY)
		return;
	switch (view_key(&p->view, key)) {
	case VIEW_QUIT:
		p->quit = true;
		return;
	case VIEW_STEP:
		p->step = true;
		break;
	case VIEW_FILTER:
		feed_set_where(&p->feed, p->view.filter);
		break;
	case VIEW_SAVE:
		save(p);
		break;
	case VIEW_FINDINGS:
		show_findings(p);
		break;
	case VIEW_STEPS:
		change_steps(p);
		break;
	case VIEW_NOTHING:
		break;
	}
	draw(p);
}

/* ------------------------------------------------------------------------- */

static void start(struct play *p)
{
	struct top_options *o = p->o;

	open_feed(p);
	p->view = (struct view){
		.names = o->inputs, .name_count = o->input_count,
		.source = feed_source(&p->feed),
		.recorded = !p->feed.live,
		.live = o->live, .all_steps = o->all_steps,
		.hold = o->hold,
		.text = { .by = o->by, .sort = o->sort,
			  .interval = o->interval },
	};
	look_init(&p->view.look, &o->look, STDOUT_FILENO);
	/* the view's from now on */
	view_init(&p->view, o->where, o->where_text);
	o->where = NULL;
	if (p->view.recorded)
		p->view.text.total = length_of(o);
	p->step = o->hold;
	p->due = time_now();
	own_share(&p->own, &p->feed.tracer);
}

int play(struct top_options *o, const volatile sig_atomic_t *stop)
{
	struct play p = { .o = o, .stop = stop };
	volatile bool *taken = supervise(stop);
	bool color, good;
	int err;

	if (!taken)
		msg_die("out of memory");
	start(&p);
	color = p.view.look.color;
	p.view.look.color = false;	/* in texts: the screen has its own */
	err = screen_open(&p.display, color);
	if (err == -ENOTTY)
		msg_die("the terminal is not known: TERM is wrong, or use -b");
	errno = -err;
	if (err)
		msg_die("/dev/tty:");
	*taken = true;
	draw(&p);
	while (!p.quit && !*stop) {
		if (wants_sample(&p))
			take_sample(&p, o->count);
		take_key(&p);
	}
	screen_close(p.display);
	*taken = false;
	good = !p.failed && !p.feed.in.damaged;
	good &= feed_close(&p.feed);
	view_free(&p.view);
	return good ? 0 : 1;
}
