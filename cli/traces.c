/* SPDX-License-Identifier: GPL-2.0-only */
/* The traces that names mean; see traces.h. */
#include <errno.h>

#include "base/hint.h"
#include "base/msg.h"
#include "cli/inputs.h"
#include "cli/traces.h"
#include "request/ios.h"
#include "trace/hooks.h"
#include "trace/reader.h"

static void on_damage(void *ctx, const struct damage *d)
{
	((struct traces *)ctx)->damaged = true;
	inputs_print_damage(d);
}

static void show_progress(struct traces *t)
{
	uint64_t done, total;

	reader_progress(ios_reader(t->ios), &done, &total);
	reading_show(&t->reading, done, total);
}

static void on_idle(void *ctx)
{
	show_progress(ctx);
}

void traces_open(struct traces *t, const struct traces_options *o)
{
	const struct reader_options reading = {
		.directory = o->directory,
		.window = o->window,
		.quiet_ms = o->quiet_ms,
		.damage = on_damage,
		.idle = on_idle,
		.ctx = t,
	};

	t->damaged = false;
	if (ios_open(&t->ios, &reading))
		msg_die("out of memory");
	for (size_t i = 0; i < o->count; i++) {
		int err = reader_add(ios_reader(t->ios), o->names[i]);

		if (err)
			msg_die("%s: %s", o->names[i], inputs_why(err));
	}
	reading_start(&t->reading, o->progress);
}

static COLD void report(const struct reader *r, int err)
{
	const char *name = reader_why(r);

	if (err == -ENOMEM)
		msg_warn("out of memory");
	else
		msg_warn("%s%s%s", name, *name ? ": " : "", inputs_why(err));
}

int traces_next_io(struct traces *t, const struct io **io)
{
	int got = ios_next(t->ios, io);

	if (reading_due(&t->reading))
		show_progress(t);
	if (UNLIKELY(got < 0 && got != -EAGAIN && got != -EINTR))
		report(ios_reader(t->ios), got);
	return got;
}

void traces_close(struct traces *t)
{
	reading_end(&t->reading);
	ios_close(t->ios);
	t->ios = NULL;
}
