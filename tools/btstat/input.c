/* SPDX-License-Identifier: GPL-2.0-only */
/* What btstat reads; see input.h. */
#include <errno.h>

#include "base/hint.h"
#include "base/msg.h"
#include "cli/inputs.h"
#include "request/ios.h"
#include "tools/btstat/input.h"
#include "tools/btstat/options.h"
#include "trace/hooks.h"
#include "trace/reader.h"

static void on_damage(void *ctx, const struct damage *d)
{
	((struct stat_input *)ctx)->damaged = true;
	inputs_print_damage(d);
}

static void show_progress(struct stat_input *in)
{
	uint64_t done, total;

	reader_progress(ios_reader(in->ios), &done, &total);
	reading_show(&in->reading, done, total);
}

static void on_idle(void *ctx)
{
	show_progress(ctx);
}

void stat_input_open(struct stat_input *in, const struct stat_options *o,
		     int first, int count)
{
	const struct reader_options reading = {
		.directory = o->directory,
		.window = { 0, o->window.end },
		.quiet_ms = o->series ? STAT_QUIET_MS : 0,
		.damage = on_damage,
		.idle = on_idle,
		.ctx = in,
	};

	if (ios_open(&in->ios, &reading))
		msg_die("out of memory");
	for (int i = first; i < first + count; i++) {
		int err = reader_add(ios_reader(in->ios), o->inputs[i]);

		if (err)
			msg_die("%s: %s", o->inputs[i], inputs_why(err));
	}
	reading_start(&in->reading, !o->no_progress);
}

static __attribute__((noreturn)) void die_reading(const struct ios *ios,
						  int err)
{
	const char *name = reader_why(ios_reader(ios));

	if (err == -ENOMEM)
		msg_die("out of memory");
	msg_die("%s%s%s", name, *name ? ": " : "", inputs_why(err));
}

int stat_input_next(struct stat_input *in, const struct io **io)
{
	int got = ios_next(in->ios, io);

	if (reading_due(&in->reading))
		show_progress(in);
	if (UNLIKELY(got < 0 && got != -EAGAIN && got != -EINTR))
		die_reading(in->ios, got);
	return got;
}

void stat_input_close(struct stat_input *in)
{
	reading_end(&in->reading);
	ios_close(in->ios);
	in->ios = NULL;
}
