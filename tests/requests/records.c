/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the ios of a trace, joined as programs join them.
 *
 *	records [--counts | --check | --summary | --read] DIRECTORY
 *
 * Without an option a line for each record, see table.h.  --counts tells how
 * many events, records, and leftovers of each class there are; --check what
 * of check.h does not hold; --summary what blkparse's summary counts, too;
 * --read only reads events, for those who measure what joining costs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "request/io.h"
#include "request/ios.h"
#include "request/joiner.h"
#include "run/reader.h"
#include "tests/requests/check.h"
#include "tests/requests/table.h"
#include "tests/requests/trace.h"

static const struct reader_options options = { .window = WINDOW_ALL };

static struct ios *open_ios(const char *dir)
{
	struct ios *s;

	if (ios_open(&s, &options))
		msg_die("no memory");
	trace_add(ios_reader(s), dir);
	return s;
}

/* 1 or 0: other results are for programs that wait */
static int next(struct ios *s, const struct io **io)
{
	int got;

	do {
		got = ios_next(s, io);
	} while (got == -EAGAIN || got == -EINTR);
	if (got < 0)
		msg_die("%s: %s", reader_why(ios_reader(s)), strerror(-got));
	return got;
}

static int print_records(const char *dir)
{
	struct ios *s = open_ios(dir);
	const struct io *io;

	table_header(stdout);
	while (next(s, &io))
		table_row(stdout, io);
	ios_close(s);
	return 0;
}

static int print_counts(const char *dir)
{
	struct ios *s = open_ios(dir);
	const struct joiner_counts *counts;
	const struct io *io;
	uint64_t records = 0;

	while (next(s, &io))
		records++;
	counts = ios_counts(s);
	printf("events\t%" PRIu64 "\nrecords\t%" PRIu64 "\n", ios_events(s),
	       records);
	for (int l = 0; l < JOINER_LEFTOVERS; l++)
		if (counts->leftovers[l])
			printf("%s\t%" PRIu64 "\n", joiner_leftover_name(
			       (enum joiner_leftover)l), counts->leftovers[l]);
	ios_close(s);
	return 0;
}

/* Q and, of requests, D and R: passthrough commands are none of these. */
static int print_summary(const char *dir)
{
	struct ios *s = open_ios(dir);
	const struct io *io;
	uint64_t queued = 0, issued = 0, requeued = 0;

	while (next(s, &io)) {
		if (io->kind == IO_PASS)
			continue;
		queued += io->birth == 'Q';
		issued += io_leads(io) ? io->issues : 0;
		requeued += io_leads(io) ? io->requeues : 0;
	}
	requeued += ios_counts(s)->leftovers[JOINER_GHOST_R];
	printf("Queued\t%" PRIu64 "\nDispatches\t%" PRIu64
	       "\nRequeued\t%" PRIu64 "\n", queued, issued, requeued);
	ios_close(s);
	return 0;
}

static int check_records_of(const char *dir)
{
	struct check *c = check_new(true);
	struct trace t;
	struct run run;
	const char *fault;

	if (!c)
		msg_die("no memory");
	trace_load(&t, dir);
	run_make(&run, t.count);
	run.count = t.count;
	memcpy(run.events, t.events, t.count * sizeof(*t.events));
	run_find_holes(&run);
	run_join(&run, &JOINER_BOUNDS, c, NULL, NULL);
	fault = check_fault(c);
	printf("%s\n", fault ? fault : "holds");
	run_free(&run);
	trace_free(&t);
	check_free(c);
	return fault != NULL;
}

static int only_read(const char *dir)
{
	struct reader *r;
	const struct event *ev;
	int got;

	if (reader_open(&r, &options))
		msg_die("no memory");
	trace_add(r, dir);
	do {
		got = reader_next(r, &ev);
	} while (got == 1 || got == -EAGAIN || got == -EINTR);
	reader_close(r);
	return got != 0;
}

static const struct {
	const char *option;
	int (*run)(const char *dir);
} modes[] = {
	{ "--counts", print_counts },
	{ "--summary", print_summary },
	{ "--check", check_records_of },
	{ "--read", only_read },
};

int main(int argc, char **argv)
{
	if (argc == 2 && *argv[1] != '-')
		return print_records(argv[1]);
	for (size_t i = 0; argc == 3 && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[1], modes[i].option))
			return modes[i].run(argv[2]);
	fputs("usage: records [--counts | --summary | --check | --read] "
	      "DIRECTORY\n", stderr);
	return 2;
}
