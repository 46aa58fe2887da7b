/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples on a screen; see play.h. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/msg.h"
#include "base/time.h"
#include "record/record.h"
#include "run/reader.h"
#include "tools/blktop/feed.h"
#include "tools/blktop/headline.h"
#include "tools/blktop/options.h"
#include "tools/blktop/past.h"
#include "tools/blktop/past_part.h"
#include "tools/blktop/play.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/tracer.h"
#include "tools/blktop/view.h"

/* --- length --------------------------------------------------------------- */

/* The length of a recorded trace, read once if it is small. */

#define MOST (UINT64_C(64) << 20)

static bool is_short(const struct reader *r)
{
	uint64_t done, total;

	reader_progress(r, &done, &total);
	return total && total <= MOST;
}

/* Errors are reported when the trace is read again to be shown. */
static uint64_t read_all(struct reader *r, const struct window *w)
{
	const struct event *ev;
	uint64_t last = 0;
	int got;

	while ((got = reader_next(r, &ev)) == 1 || got == -EINTR) {
		if (got != 1)
			continue;
		if (!last && !is_short(r))
			return 0;
		last = ev->time;
	}
	if (got)
		return 0;
	return reader_goes_on(r) ? w->end : last;
}

/* ns from the first event to the last, or to the end of -w; 0: unknown, as the
 * files exceed MOST bytes or cannot be read */
static uint64_t length_of(const struct top_options *o)
{
	const struct reader_options reading = {
		.directory = o->directory, .window = o->window,
	};
	struct reader *r;
	uint64_t length = 0;
	int err = reader_open(&r, &reading);

	for (int i = 0; !err && i < o->input_count; i++)
		err = reader_add(r, o->inputs[i]);
	if (!err)
		length = read_all(r, &o->window);
	reader_close(r);
	return length;
}

/* --- supervise ------------------------------------------------------------ */

/* The screen is in a child process.  However that ends, its parent restores the
 * terminal and then prints the child's standard error. */

enum { PIECE = 4096 };

/* escapes names, which must not act upon the terminal */
static void print(const char *text, size_t len)
{
	char shown[PIECE * ESCAPE_MAX + 1];

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;
		size_t n = escape_text(shown, sizeof(shown), text, line);

		if (end)
			shown[n++] = '\n';
		if (write(STDERR_FILENO, shown, n) < 0)
			return;
		text += line + (end != NULL);
		len -= line + (end != NULL);
	}
}

static void print_all(int said)
{
	char text[PIECE];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(said, text, sizeof(text), at)) > 0) {
		print(text, (size_t)n);
		at += n;
	}
}

static int wait_for(pid_t child, const volatile sig_atomic_t *stop)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno == EINTR && *stop)
			kill(child, SIGTERM);
	return status;
}

/* as the child ended, also by a signal, but without a second core dump */
static void end_as(int status)
{
	if (!WIFSIGNALED(status))
		exit(WEXITSTATUS(status));
	exit(128 + WTERMSIG(status));
}

static void be_parent(pid_t child, int said, struct screen_before *before,
		      const volatile bool *taken,
		      const volatile sig_atomic_t *stop)
{
	int status = wait_for(child, stop);

	if (*taken)
		screen_restore(before);
	else
		screen_before_free(before);
	print_all(said);
	end_as(status);
}

/* shared by both processes; NULL: no memory */
static volatile bool *shared_flag(void)
{
	void *page = mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? NULL : page;
}

/*
 * Forks.  Returns in the child, whose standard error is a file in memory, or,
 * if fork() fails, in the only process.  The parent never returns: it sends
 * SIGTERM when *stop is set, and exits as the child does.
 *
 * The child sets the returned flag while it has the terminal: if the flag is
 * set at its end, the parent restores the terminal.  NULL: no memory.
 */
static volatile bool *supervise(const volatile sig_atomic_t *stop)
{
	volatile bool *taken = shared_flag();
	struct screen_before *before = screen_before();
	int said = memfd_create("messages", MFD_CLOEXEC);
	pid_t child = said < 0 || !taken ? -1 : fork();

	if (child > 0)
		be_parent(child, said, before, taken, stop);
	screen_before_free(before);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		dup2(said, STDERR_FILENO);
	}
	if (said >= 0)
		close(said);
	return taken;
}

/* --- play ----------------------------------------------------------------- */

enum {
	KEY_MS = 250,		/* longest wait for a key */
	KEYS_MOST = 256,	/* handled before the next frame */
	NAME = 64,		/* of a saved trace, with its NUL */
	NAMES = 100,		/* tried per second of the day */
};

/* length of a saved trace */
#define MINUTE (60 * NS_PER_SECOND)

/* the longest delay of keys while much is read */
#define PATIENCE (10 * NS_PER_MS)

/* between two frames, unless a key was pressed */
#define FRAME (30 * NS_PER_MS)

/* between two looks for late devices */
#define LOOK_EVERY (500 * NS_PER_MS)

struct play {
	struct top_options *o;
	struct feed feed;
	struct view view;
	struct display *display;
	struct own own;
	const volatile sig_atomic_t *stop;
	uint64_t count;		/* samples so far */
	uint64_t due;		/* when to show the next, of a recorded trace */
	uint64_t look_due;	/* when to look for late devices, if live */
	uint64_t drawn;		/* when the last frame was shown */
	bool stale;		/* the frame shown lacks something */
	unsigned int steps;	/* samples to show although it holds */
	struct headline headline;
	bool failed;		/* to read, which was reported */
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
	p->drawn = time_now();
	p->stale = false;
}

/* However fast samples come, most of the time is for reading. */
static void draw_if_due(struct play *p)
{
	if (p->stale && time_now() - p->drawn >= FRAME)
		draw(p);
}

/* --- samples -------------------------------------------------------------- */

/* how long the screen shows an interval, ns */
static uint64_t pace(const struct play *p)
{
	int speed = p->view.speed;
	uint64_t ns = p->view.text.interval;

	return speed < 0 ? ns << -speed : ns >> speed;
}

static bool needs_sample(const struct play *p)
{
	if (p->view.ended)
		return false;
	if (!p->view.recorded || p->steps)
		return true;
	return !p->view.hold && time_now() >= p->due;
}

static void add_sample(struct play *p, struct sample *s)
{
	if (p->feed.o->live)
		p->view.text.own = own_share(&p->own, &p->feed.tracer);
	p->count++;
	view_add(&p->view, s);
	if (p->steps) {
		p->view.back = 0;
		p->steps--;
	}
	p->due += pace(p);
	/* late, after slow reading or a pause: continue from now */
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

/* A device may get stuck long before an interval ends, and what is in flight is
 * shown as of now. */
static void look_for_late(struct play *p)
{
	bool any = p->view.late.in_flight;

	if (p->view.recorded || time_now() < p->look_due)
		return;
	p->look_due = time_now() + LOOK_EVERY;
	feed_late(&p->feed, &p->view.late);
	p->stale |= any || p->view.late.in_flight;
}

/* of a device that is traced here */
static void look_for_headline(struct play *p)
{
	const struct sample *s = history_get(&p->view.history, 0);

	if (p->feed.o->live && s)
		p->stale |= headline_look(&p->headline, p->feed.past,
					  p->feed.in.reader,
					  feed_event_time(&p->feed,
							  s->depth.to));
}

static void take_sample(struct play *p, uint64_t most)
{
	struct sample *s;
	int got = feed_next(&p->feed, &s);

	if (got == -EAGAIN) {
		look_for_late(p);
		look_for_headline(p);
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
	/* blktrace's message is printed after the screen is closed */
	p->quit |= p->view.ended && !p->count && p->feed.o->live;
	p->stale = true;
}

/* Shows what a key started, before work that may take longer than a frame. */
static void announce(struct play *p, const char *work)
{
	view_note(&p->view, "%s", work);
	draw(p);
}

/* --- the last events ------------------------------------------------------ */

/* "blktop-20260130-142536", then with "-2", "-3" ... */
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

/* the minute up to the end of the interval shown */
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

	announce(p, "saving the last minute");
	if (last_minute(p, &e)) {
		for (unsigned int nr = 1; nr <= NAMES; nr++) {
			make_name(name, nr);
			if (access(name, F_OK))
				break;
		}
		err = past_part_write(&e, name, &events);
	}
	if (err == -ENODATA)
		view_note(&p->view, "nothing to save yet");
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
	announce(p, "joining the last events again");
	end = feed_event_time(&p->feed, to);
	page = remarks_text(p->feed.past, p->feed.in.reader,
			    feed_event_time(&p->feed, from), end, to - end,
			    p->view.look.width);
	view_note(&p->view, "%s", "");
	if (page)
		view_set_page(&p->view, page);
	else
		view_note(&p->view, "out of memory");
}

/* Restarts blktrace and drops the samples, as its times start anew. */
static void change_steps(struct play *p)
{
	struct top_options *o = p->o;

	o->all_steps = !o->all_steps;
	announce(p, o->all_steps ?
		 "restarting blktrace for all steps" :
		 "restarting blktrace for issue and completion");
	p->view.all_steps = o->all_steps;
	headline_end(&p->headline);
	*p->headline.text = '\0';
	p->failed |= !feed_close(&p->feed);
	view_clear(&p->view);
	open_feed(p);
	feed_set_where(&p->feed, p->view.filter);
}

/* --- keys ----------------------------------------------------------------- */

/* ms until a moment, at most KEY_MS */
static int ms_until(uint64_t moment, uint64_t now)
{
	if (moment <= now)
		return 0;
	if (moment - now > KEY_MS * NS_PER_MS)
		return KEY_MS;
	return (int)((moment - now) / NS_PER_MS) + 1;
}

/* how long to wait for a key, ms */
static int key_wait(const struct play *p)
{
	uint64_t now = time_now();

	if (needs_sample(p))
		return 0;
	if (p->stale)
		return ms_until(p->drawn + FRAME, now);
	if (p->view.ended || p->view.hold || p->due <= now)
		return KEY_MS;
	return ms_until(p->due, now);
}

/* handles a key, which may be SCREEN_RESIZED */
static void press(struct play *p, int key)
{
	switch (view_key(&p->view, key)) {
	case VIEW_QUIT:
		p->quit = true;
		return;
	case VIEW_STEP:
		p->steps++;
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
}

/* Handles all keys pressed so far, then shows the result. */
static void take_keys(struct play *p)
{
	int key = screen_key(p->display, key_wait(p));

	if (key == SCREEN_NO_KEY)
		return;
	for (int n = 0; n < KEYS_MOST && key != SCREEN_NO_KEY; n++) {
		press(p, key);
		if (p->quit)
			return;
		key = screen_key(p->display, 0);
	}
	draw(p);
}

/* --- start and end -------------------------------------------------------- */

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
	view_init(&p->view, o->where, o->where_text);
	p->view.headline = p->headline.text;
	o->where = NULL;
	if (p->view.recorded)
		p->view.text.total = length_of(o);
	p->steps = o->hold;
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
	err = screen_open(&p.display, color);
	if (err == -ENOTTY)
		msg_die("unknown terminal: set TERM, or use -b");
	errno = -err;
	if (err)
		msg_die("/dev/tty:");
	*taken = true;
	p.view.look.color = screen_has_color(p.display);
	draw(&p);
	while (!p.quit && !*stop) {
		if (needs_sample(&p))
			take_sample(&p, o->count);
		take_keys(&p);
		draw_if_due(&p);
	}
	screen_close(p.display);
	*taken = false;
	headline_end(&p.headline);
	good = !p.failed && !p.feed.in.damaged;
	good &= feed_close(&p.feed);
	view_free(&p.view);
	return good ? 0 : 1;
}
