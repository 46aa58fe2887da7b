/* SPDX-License-Identifier: GPL-2.0-only */
/* What a page is about, read; see side.h. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/filter.h"
#include "analysis/measure.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "emit/comparison.h"
#include "tools/btreport/side.h"
#include "trace/location.h"

/* how long a pipe may take to end by itself, when a signal ends the reading */
#define LAST_WORDS NS_PER_SECOND

const unsigned int side_measures[SIDE_MEASURES] = { MEASURE_Q2C, IO_D2C };

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static void on_damage(void *side, const struct damage *d)
{
	gathering_add_damage(&((struct side *)side)->gathering, d);
}

static void open_input(struct side *s)
{
	const struct traces_options reading = {
		.names = s->names,
		.count = s->count,
		.window = s->of.window,
		.progress = s->progress,
		.damage = on_damage,
		.ctx = s,
		.hosts = s->hosts,
	};

	if (!traces_open(&s->in, &reading))
		exit(1);
	for (size_t i = 0; i < s->count; i++)
		s->live |= location_is_pipe(s->names[i]);
	check(gathering_init(&s->gathering, &s->of, s->in.ios));
}

/* A terminal's signal goes to the pipe's writer, too, which still has to tell
 * how it ended. */
static COLD bool is_over(struct side *s)
{
	if (!s->live || *s->stop == SIDE_STOP_NOW)
		return true;
	if (!s->stopped)
		s->stopped = time_now();
	return time_now() - s->stopped > LAST_WORDS;
}

/* the ios that btstat --compare takes */
static void compare(struct side *s, const struct io *io)
{
	uint64_t ns;

	if (!io_completed(io) || io->gap || !gathering_has(&s->gathering, io) ||
	    !filter_is_unit(false, io))
		return;
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		if (measure_get(io, side_measures[i], &ns))
			check(comparison_io(s->comparisons[i], s->nr, 0, io,
					    ns));
}

static void read_ios(struct side *s)
{
	const struct io *io;

	while (LIKELY(!*s->stop) || !is_over(s)) {
		int got = traces_next_io(&s->in, &io);

		if (LIKELY(got == 1)) {
			check(gathering_add(&s->gathering, io));
			if (s->comparisons)
				compare(s, io);
		} else if (!got) {
			return;
		} else if (got != -EINTR && got != -EAGAIN) {
			exit(1);
		}
	}
}

void side_read(struct side *s)
{
	open_input(s);
	read_ios(s);
	reading_end(&s->in.reading);
	check(gathering_end(&s->gathering));
}

void side_free(struct side *s)
{
	gathering_free(&s->gathering);
	traces_close(&s->in);
}
