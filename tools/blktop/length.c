/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a recorded trace is; see length.h. */
#include <errno.h>

#include "record/record.h"
#include "run/reader.h"
#include "tools/blktop/length.h"
#include "tools/blktop/options.h"

#define MOST (UINT64_C(64) << 20)

static bool is_short(const struct reader *r)
{
	uint64_t done, total;

	reader_progress(r, &done, &total);
	return total && total <= MOST;
}

/* Mistakes are reported by who reads it to show it. */
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

uint64_t length_of(const struct top_options *o)
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
