/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The progress line of a reading; see reading.h.  stderr becomes a stream that
 * erases the line and hands the text on.
 */
#include <stdint.h>
#include <stdio.h>

#include "cli/own_stderr.h"
#include "cli/reading.h"
#include "run/input.h"

/* what is written to stderr; a failure stays the terminal's */
static ssize_t pass_on(void *reading, const char *text, size_t len)
{
	struct reading *r = reading;

	progress_line_erase(&r->line);
	return (ssize_t)fwrite(text, 1, len, r->terminal);
}

/* Without the stream there is no line either. */
static void take_stderr(struct reading *r)
{
	r->terminal = own_stderr_start(pass_on, r);
	if (!r->terminal)
		r->line.fd = -1;
}

void reading_start(struct reading *r, bool wanted)
{
	*r = (struct reading){ .left = PROGRESS_EVENTS };
	progress_line_start(&r->line, progress_fd(wanted), progress_now());
	if (r->line.fd >= 0)
		take_stderr(r);
}

void reading_show(struct reading *r, uint64_t done, uint64_t total)
{
	r->left = PROGRESS_EVENTS;
	if (r->terminal)
		progress_line_update(&r->line, done, total, progress_now());
}

void reading_show_input(struct reading *r, const struct input *in)
{
	uint64_t done = 0, total = 0;

	if (r->terminal)
		input_progress(in, &done, &total);
	reading_show(r, done, total);
}

void reading_erase(struct reading *r)
{
	if (r->terminal)
		progress_line_erase(&r->line);
}

void reading_end(struct reading *r)
{
	if (!r->terminal)
		return;
	reading_erase(r);
	own_stderr_end(r->terminal);
	r->terminal = NULL;
}
