/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mktrace makes big block traces that look like real ones: version 7 files
 * NAME.blktrace.CPU, or with -p the one stream `blktrace -o -` writes.  How it
 * does that is in synth/; here are its options.
 *
 * The same options give the same bytes, except with -p -r: then trace time is
 * the monotonic clock, so that a reader can tell how old a line is.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/synth/machine.h"
#include "bench/synth/run.h"

static _Noreturn void usage(void)
{
	fputs("usage: mktrace [-c CPUS] [-n EVENTS] [-d NAME,...] [-s SEED]\n"
	      "               [-r EVENTS-PER-SECOND] [--drop N] "
	      "-o DIR | -p\n"
	      "with -p (one stream to stdout; paced when -r is given):\n"
	      "               [--lag MS] [--silent CPU:START:SECONDS]\n"
	      "numbers of events may end in k or M\n", stderr);
	exit(1);
}

/* "200k", "1M" or plain digits */
static uint64_t number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (end == text)
		usage();
	if (*end == 'k' || *end == 'M')
		n *= *end++ == 'k' ? 1000 : 1000000;
	if (*end)
		usage();
	return n;
}

static void split_names(struct plan *p, char *list)
{
	p->disks = 0;
	for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
		if (p->disks == DISKS_MAX)
			usage();
		p->names[p->disks++] = s;
	}
}

static void parse_silent(struct plan *p, const char *text)
{
	if (sscanf(text, "%d:%lf:%lf", &p->silent_cpu, &p->silent_start,
		   &p->silent_length) != 3)
		usage();
}

static void set_option(struct plan *p, int letter, char *arg)
{
	switch (letter) {
	case 'c': p->cpus = (unsigned)number(arg); break;
	case 'n': p->events = number(arg); break;
	case 'o': p->directory = arg; break;
	case 'd': split_names(p, arg); break;
	case 's': p->seed = number(arg); break;
	case 'p': p->pipe = true; break;
	case 'r': p->rate = number(arg); break;
	case 'L': p->lag = number(arg) * MILLISECOND; break;
	case 'S': parse_silent(p, arg); break;
	case 'D': p->drop = number(arg); break;
	default: usage();
	}
}

/* The random choices are 32 bits wide, hence the bounds. */
static bool sensible(const struct plan *p)
{
	return p->cpus >= 1 && p->cpus <= CPUS_MAX && p->disks >= 1 &&
	       p->events >= 1 && p->events <= UINT32_MAX &&
	       p->drop < p->events && p->rate <= SECOND &&
	       (!p->rate || p->cpus * SECOND / p->rate < UINT32_MAX / 4) &&
	       p->lag >= MILLISECOND && p->lag <= 4 * SECOND &&
	       p->silent_cpu < (int)p->cpus && p->pipe == !p->directory;
}

static void parse_options(struct plan *p, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "lag", required_argument, NULL, 'L' },
		{ "silent", required_argument, NULL, 'S' },
		{ "drop", required_argument, NULL, 'D' },
		{ NULL, 0, NULL, 0 },
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "c:n:o:d:s:pr:", longs,
				     NULL)) != -1)
		set_option(p, letter, optarg);
	if (optind < argc || !sensible(p))
		usage();
}

int main(int argc, char **argv)
{
	char default_disk[] = "sda";
	struct machine m = { .plan = {
		.cpus = 8, .events = 1000000, .names = { default_disk },
		.disks = 1, .lag = 50 * MILLISECOND, .silent_cpu = -1,
	} };

	parse_options(&m.plan, argc, argv);
	machine_set_up(&m);
	run(&m);
	machine_tear_down(&m);
	return 0;
}
