/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a trace through btt, for libFuzzer: input, dispatch, data files,
 * report.  It is driven as btt.c drives it.
 *
 * An input begins with two bytes that choose options, then comes a dump.
 * tests/fuzz/seed writes the same header:
 *
 *	0	1 an operand, in time order, not -i; 2 every data file; 4 -A -X;
 *		8 -a; 16 -t and -T; 32 -r; 64 --remappers=classic; 128 -Z
 *	1	low half: -S; high half: -L and -d, in ms
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/hooks.h"
#include "record/record.h"
#include "tests/fuzz/must.h"
#include "tools/btt/dispatch.h"
#include "tools/btt/inputs.h"
#include "tools/btt/options.h"
#include "tools/btt/outputs.h"
#include "tools/btt/report/report.h"
#include "tools/btt/state.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 2 };

enum mode {
	OPERAND = 1,
	DATA_FILES = 2,
	ALL_DATA = 4,
	ABSOLUTE = 8,
	WINDOWED = 16,
	NO_REMAPS = 32,
	CLASSIC = 64,
	PERIODS = 128,
};

struct run {
	struct options o;
	struct state s;
	struct outputs out;
	char path[40];
	char *name;		/* the path, as an operand */
	uint64_t payloads;	/* sum of all their bytes */
};

/* Data files go into a directory of their own, in memory, over and over. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char dir[] = "/dev/shm/fuzz.btt";

	(void)argc, (void)argv;
	must(!mkdir(dir, 0700) || errno == EEXIST);
	must(!chdir(dir));
	return 0;
}

/* --- options ------------------------------------------------------------- */

static void choose_files(struct options *o, unsigned int mode)
{
	if (!(mode & DATA_FILES))
		return;
	o->iostat = "iostat";
	o->d2c = o->q2c = o->q2d = "latency";
	o->depth = "depth";
	o->block_numbers = "blocks";
	o->seeks = "seeks";
	o->seeks_per_second = "second";
	o->issue_seeks_per_second = "issues";
	o->unplugs = "unplugs";
	o->requests = "requests";
	o->trees = true;
}

static void choose_options(struct run *r, const uint8_t *head)
{
	unsigned int mode = head[0];
	double ms = head[1] >> 4;

	r->o = (struct options){
		.input = mode & OPERAND ? NULL : r->path,
		.names = &r->name,
		.name_count = mode & OPERAND,
		.output = "out",
		.all_data = mode & ALL_DATA,
		.easy_parse = mode & ALL_DATA,
		.absolute_seeks = mode & ABSOLUTE,
		.windowed = mode & WINDOWED,
		.start = 0.0001,
		.end = mode & WINDOWED ? 1 : HUGE_VAL,
		.no_remaps = mode & NO_REMAPS,
		.classic_remappers = mode & CLASSIC,
		.periods = mode & PERIODS,
		.iostat_interval = head[1] & 15,
		.latency_period = ms / 1000,
		.pause = ms / 1000,
	};
	choose_files(&r->o, mode);
}

/* --- hooks --------------------------------------------------------------- */

static void on_note(void *ctx, const struct event *note)
{
	dispatch_event(&((struct run *)ctx)->s, note);
}

/* --- the run ------------------------------------------------------------- */

/* Reads all of the payload, which dispatch alone may not. */
static void take_in(struct run *r, const struct event *ev)
{
	for (unsigned int i = 0; i < ev->pdu_len; i++)
		r->payloads += ev->payload[i];
}

static void run_events(struct run *r)
{
	const struct hooks hooks = { r, on_note, must_be_told, hooks_no_added,
				     hooks_no_idle };
	struct inputs in;
	struct event *ev;

	inputs_init(&in, &hooks);
	inputs_open(&in, &r->o);
	while (inputs_next(&in, &ev) == 1) {
		take_in(r, ev);
		if (dispatch_event(&r->s, ev) == DISPATCH_STOP)
			break;
	}
	inputs_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run r = { .payloads = 0 };
	unsigned int version;
	bool swapped;
	int fd;

	/* what does not begin as a trace is no operand: that ends a run */
	if (size < HEADER + sizeof(uint32_t) ||
	    !record_magic(data + HEADER, &version, &swapped))
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0);
	must(write(fd, data + HEADER, size - HEADER) ==
	     (ssize_t)(size - HEADER));
	snprintf(r.path, sizeof(r.path), "/proc/self/fd/%d", fd);
	r.name = r.path;
	choose_options(&r, data);
	/* from here on as in main() */
	state_init(&r.s, &r.o);
	btt_outputs_open(&r.out, &r.o);
	state_open(&r.s, r.out.messages);
	run_events(&r);
	state_end(&r.s);
	report_write(&r.s, &r.out);
	must(state_close(&r.s));
	must(btt_outputs_close(&r.out));
	state_free(&r.s);
	close(fd);
	return 0;
}
