/* SPDX-License-Identifier: GPL-2.0-only */
/* What a page is about, read; see side.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "blktrace.h"
#include "compare/comparison.h"
#include "expr/filter.h"
#include "file/location.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/measure.h"
#include "tools/btreport/side.h"

/* devices that a message lists, and bytes of a name in it */
enum { LISTED = 20, NAME_SHOWN = 256 };

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

/* --- devices -------------------------------------------------------------- */

static const struct devices *devices_of(const struct side *s)
{
	return reader_devices(s->in.reader);
}

static void print_device(FILE *out, const char *comma, const struct device *d)
{
	char shown[NAME_SHOWN];

	if (d->label)
		escape_text(shown, sizeof(shown), d->label, strlen(d->label));
	else
		snprintf(shown, sizeof(shown), "%u:%u", BLK_MAJOR(d->number),
			 BLK_MINOR(d->number));
	fprintf(out, "%s%s", comma, shown);
}

/* whether a device of this side, before end, is called label */
static bool has_label(const struct side *s, uint32_t end, const char *label)
{
	const struct devices *d = devices_of(s);

	for (uint32_t k = 0; k < end && k < d->count; k++)
		if (d->list[k]->label && !strcmp(d->list[k]->label, label))
			return true;
	return false;
}

/* whether device nr of side i has been listed by its name */
static bool is_repeated(const struct side *sides, unsigned int i, uint32_t nr)
{
	const char *label = devices_of(&sides[i])->list[nr]->label;
	bool repeated = label && has_label(&sides[i], nr, label);

	for (unsigned int k = 0; label && k < i; k++)
		repeated |= has_label(&sides[k], UINT32_MAX, label);
	return repeated;
}

/* "sda, sdb" of all sides, the first of many; the caller's, NULL: no memory */
static char *list_devices(const struct side *sides, unsigned int count)
{
	char *text = NULL;
	size_t len, found = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (unsigned int i = 0; i < count; i++) {
		const struct devices *d = devices_of(&sides[i]);

		for (uint32_t k = 0; k < d->count; k++)
			if (!is_repeated(sides, i, k) && found++ < LISTED)
				print_device(out, found > 1 ? ", " : "",
					     d->list[k]);
	}
	if (found > LISTED)
		fprintf(out, " and %zu more", found - LISTED);
	return fclose(out) ? NULL : text;
}

static bool is_known(const struct side *sides, unsigned int count, size_t nr)
{
	bool known = false;

	for (unsigned int i = 0; i < count; i++)
		known |= gathering_knows(&sides[i].gathering, nr);
	return known;
}

bool sides_know_devices(const struct side *sides, unsigned int count)
{
	const struct gathering_options *of = &sides->of;
	char *list = list_devices(sides, count);
	size_t known = 0;

	for (size_t i = 0; i < of->device_count && list && *list; i++)
		if (is_known(sides, count, i))
			known++;
		else
			msg_warn("-d %s: no such device; recorded: %s",
				 of->devices[i], list);
	if (list && !*list)
		known = of->device_count;
	free(list);
	return known || !of->device_count;
}

void side_free(struct side *s)
{
	gathering_free(&s->gathering);
	traces_close(&s->in);
}
