/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Explains every I/O of traces (stat/why), and adds up.
 *
 *	why DIRECTORY...
 *
 * The steps of an I/O follow each other without a gap and add up to its total,
 * through all devices below; what is below lies within it; crowds are in flight
 * for no longer than the I/O, each.
 *
 * A line for each directory: its name, I/Os, steps, steps on devices below,
 * crowds, and "right" or "wrong ID": tab-separated.  Status 1 if any is wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"
#include "request/ios.h"
#include "run/reader.h"
#include "stat/why.h"

struct sums {
	uint64_t ios, steps, below, crowds;
	uint64_t wrong;		/* the first one's id, or 0 */
};

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

static bool adds_up(const struct why_answer *a)
{
	uint64_t at = a->io.time;

	for (uint32_t i = 0; i < a->step_count; i++) {
		if (a->steps[i].from != at)
			return false;
		at += a->steps[i].ns;
	}
	return at == a->io.end;
}

static bool crowds_fit(const struct why_answer *a)
{
	uint64_t all = a->io.end - a->io.time;

	for (uint32_t i = 0; i < a->crowd_count; i++)
		if (a->crowds[i].overlap > all * a->crowds[i].count ||
		    !a->crowds[i].overlap)
			return false;
	return true;
}

static void check(struct why *w, const struct io *io, struct why_answer *a,
		  struct sums *s)
{
	why_explain(w, io, 0, a);
	why_crowds(w, a);
	s->ios++;
	s->steps += a->step_count;
	s->crowds += a->crowd_count;
	for (uint32_t i = 0; i < a->step_count; i++)
		s->below += a->steps[i].disk != io->disk;
	if ((!adds_up(a) || !crowds_fit(a)) && !s->wrong)
		s->wrong = io->id;
}

static void explain_all(struct ios *ios, struct sums *s)
{
	struct why_answer *a = malloc(sizeof(*a));
	const struct io *io;
	struct why *w;

	if (!a || why_new(&w, name_of, ios_reader(ios)))
		msg_die("out of memory");
	while (ios_next(ios, &io) == 1) {
		if (io_completed(io))
			check(w, io, a, s);
		if (why_add(w, io, ios_oldest(ios)))
			msg_die("out of memory");
	}
	why_free(w);
	free(a);
}

static bool one_trace(const char *dir)
{
	const struct reader_options options = { .window = WINDOW_ALL };
	struct sums s = { .ios = 0 };
	struct ios *ios;

	if (ios_open(&ios, &options) || reader_add(ios_reader(ios), dir))
		msg_die("%s: cannot be read", dir);
	explain_all(ios, &s);
	ios_close(ios);
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", dir,
	       s.ios, s.steps, s.below, s.crowds);
	if (s.wrong)
		printf("wrong %" PRIu64 "\n", s.wrong);
	else
		puts("right");
	return !s.wrong;
}

int main(int argc, char **argv)
{
	bool right = true;

	if (argc < 2) {
		fputs("usage: why DIRECTORY...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		right = one_trace(argv[i]) && right;
	return !right;
}
