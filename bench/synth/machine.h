/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated machine and the trace of it.
 *
 * An agenda holds what happens next: a CPU submits a request, a request
 * completes, a CPU's buffer is written out.  Submitting runs one of the
 * scripts; the completion comes later and often elsewhere.  So every file is
 * in time order, the files overlap, and nothing else is promised, as with the
 * kernel.
 *
 * The same plan gives the same bytes, except when it is paced.  Failures of
 * the system end the program.
 */
#ifndef BENCH_SYNTH_MACHINE_H
#define BENCH_SYNTH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "bench/synth/agenda.h"
#include "bench/synth/dice.h"
#include "bench/synth/stream.h"
#include "bench/synth/task.h"

enum { CPUS_MAX = 512, DISKS_MAX = 16 };

#define SECOND UINT64_C(1000000000)	/* in ns, as all times */
#define MILLISECOND UINT64_C(1000000)

/* what is asked for */
struct plan {
	unsigned cpus;		/* 1 to CPUS_MAX */
	uint64_t events;	/* without notes; fits into 32 bits */
	const char *directory;	/* of the files; NULL with pipe */
	char *names[DISKS_MAX];
	unsigned disks;
	uint64_t seed;
	bool pipe;		/* one stream to standard output */
	uint64_t rate;		/* events per second, 0: as fast as a disk is */
	uint64_t lag;		/* ns a record waits at most, with pipe */
	uint64_t drop;		/* of the events */
	int silent_cpu;		/* -1: none */
	double silent_start, silent_length;	/* seconds */
};

/* one CPU; swapper and a kworker are its own, other tasks wander */
struct cpu {
	unsigned number;
	uint64_t now;		/* its latest event; the next one is later */
	struct task *current;
	struct task idle, kworker;
};

struct machine {
	struct plan plan;
	struct dice dice;
	uint64_t start;		/* trace time of the beginning */
	uint64_t left, drops_left;
	uint64_t charged;	/* events, and completions still to come */
	bool begun;		/* the first event is written */
	uint64_t mean_gap;	/* between two events of one CPU */
	uint64_t silent_from, silent_to;
	uint32_t devices[DISKS_MAX];
	struct task users[TASK_USERS];
	struct cpu *cpus;
	struct stream *streams;	/* disks of CPU 0, of CPU 1, ... */
	struct agenda agenda;
};

/* *m holds the plan, its names and directory the caller's, and zeros */
void machine_set_up(struct machine *m);

void machine_tear_down(struct machine *m);

/* a clock in ns, trace time if it is the monotonic one of a paced machine */
uint64_t machine_clock(clockid_t id);

static inline struct stream *machine_stream(struct machine *m,
					    const struct cpu *c, unsigned disk)
{
	return &m->streams[c->number * m->plan.disks + disk];
}

/*
 * Whether trace time is the monotonic clock, so that a reader can tell how
 * old a line is.
 */
static inline bool machine_is_paced(const struct machine *m)
{
	return m->plan.pipe && m->plan.rate;
}

#endif
