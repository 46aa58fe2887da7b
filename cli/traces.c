/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the traces named on a command line; see traces.h. */
#include <errno.h>
#include <string.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/msg.h"
#include "cli/inputs.h"
#include "cli/threads.h"
#include "cli/traces.h"
#include "file/hooks.h"
#include "request/ios.h"
#include "run/reader.h"

enum { LINE = 2048 };

static void on_damage(void *ctx, const struct damage *d)
{
	struct traces *t = ctx;

	t->damaged = true;
	if (!t->quiet)
		inputs_print_damage(d);
	if (t->damage)
		t->damage(t->ctx, d);
}

static void on_remark(void *ctx, const char *text)
{
	char shown[LINE];

	(void)ctx;
	/* it may have text of a card */
	escape_text(shown, sizeof(shown), text, strlen(text));
	msg_warn("%s", shown);
}

static void show_progress(struct traces *t)
{
	uint64_t done, total;

	if (t->ios)
		ios_progress(t->ios, &done, &total);
	else
		reader_progress(t->reader, &done, &total);
	reading_show(&t->reading, done, total);
}

static void on_idle(void *ctx)
{
	struct traces *t = ctx;

	show_progress(t);
	if (t->idle)
		t->idle(t->ctx);
}

static int open_reader(struct traces *t, const struct reader_options *o,
		       const struct traces_options *wanted)
{
	int err;

	t->ios = NULL;
	t->reader = NULL;
	if (wanted->events)
		return reader_open(&t->reader, o);
	err = ios_open(&t->ios, o);
	if (err)
		return err;
	t->reader = ios_reader(t->ios);
	if (wanted->unmarked)
		ios_want_unmarked(t->ios);
	return wanted->seeks ? ios_want_seeks(t->ios) : 0;
}

static void close_reader(struct traces *t)
{
	if (t->ios)
		ios_close(t->ios);
	else
		reader_close(t->reader);
	t->ios = NULL;
	t->reader = NULL;
}

static bool add_names(struct traces *t, const struct traces_options *o)
{
	for (size_t i = 0; i < o->count; i++) {
		int err = reader_add(t->reader, o->names[i]);
		char why[INPUTS_WHY];

		if (err) {
			msg_warn("%s: %s", o->names[i],
				 inputs_why_file(err, o->directory,
						 o->names[i], why));
			return false;
		}
	}
	return true;
}

bool traces_open(struct traces *t, const struct traces_options *o)
{
	const struct reader_options reading = {
		.directory = o->directory,
		.window = o->window,
		.quiet_ms = o->quiet_ms,
		.wait_ms = o->wait_ms,
		.has_zero = o->has_zero,
		.zero = o->zero,
		.damage = on_damage,
		.idle = on_idle,
		.remark = on_remark,
		.ctx = t,
		.hosts = o->hosts,
	};
	bool memory;

	t->damaged = false;
	t->quiet = o->quiet;
	t->idle = o->idle;
	t->damage = o->damage;
	t->ctx = o->ctx;
	t->directory = o->directory;
	memory = !open_reader(t, &reading, o);
	if (!memory)
		msg_warn("out of memory");
	if (!memory || !add_names(t, o)) {
		close_reader(t);
		return false;
	}
	reading_start(&t->reading, o->progress);
	t->ahead = o->ahead && o->threads != 1;
	t->threads = o->threads;
	if (t->threads)
		reading_hurry(&t->reading);
	return true;
}

static COLD void report(const struct traces *t, int err)
{
	const char *name = reader_why(t->reader);
	char why[INPUTS_WHY];

	if (err == -ENOMEM)
		msg_warn("out of memory");
	else
		msg_warn("%s%s%s", name, *name ? ": " : "",
			 inputs_why_file(err, t->directory, name, why));
}

/* After the first I/O; where threads cannot be started, all is read in this one. */
static void start_threads(struct traces *t)
{
	uint64_t done, total;

	if (!ios_events(t->ios)) {
		reading_hurry(&t->reading);
		return;
	}
	reader_progress(t->reader, &done, &total);
	ios_read_ahead(t->ios, threads_for(t->threads, total - done));
	t->ahead = false;
}

static COLD void pause_taking(struct traces *t)
{
	show_progress(t);
	if (t->ahead)
		start_threads(t);
}

/* Returns got, after reports. */
static inline int next_is(struct traces *t, int got)
{
	if (UNLIKELY(got < 0 && got != -EAGAIN && got != -EINTR))
		report(t, got);
	return got;
}

int traces_next_io(struct traces *t, const struct io **io)
{
	if (reading_due(&t->reading))
		pause_taking(t);
	return next_is(t, ios_next(t->ios, io));
}

bool traces_left(struct traces *t)
{
	t->ahead = false;
	return ios_stop_ahead(t->ios);
}

int traces_next_event(struct traces *t, const struct event **ev)
{
	if (reading_due(&t->reading))
		pause_taking(t);
	return next_is(t, reader_next(t->reader, ev));
}

void traces_close(struct traces *t)
{
	reading_end(&t->reading);
	close_reader(t);
}
