/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps in the life of a request, from Q to C: what scripts are made of.
 * A step writes its events as the CPU's current task, and time passes.
 */
#ifndef BENCH_SYNTH_STEP_H
#define BENCH_SYNTH_STEP_H

#include <stdint.h>

struct cpu;			/* bench/synth/machine.h */
struct machine;
struct request;			/* bench/synth/request.h */

/* it reaches the disk as its task means it: A, Q */
void step_queue(struct machine *m, struct cpu *c, const struct request *rq);

/* to the scheduler: from here on it is a request, category FS */
void step_insert(struct machine *m, struct cpu *c, const struct request *rq);

/* to the driver, for a quarter of the requests by the CPU's worker */
void step_issue(struct machine *m, struct cpu *c, const struct request *rq);

/* puts its completion on the agenda */
void step_complete_later(struct machine *m, struct cpu *c,
			 const struct request *rq);

/* the common end of all scripts: insert, issue, complete later */
void step_insert_and_issue(struct machine *m, struct cpu *c,
			   const struct request *rq);

/* a task begins to hold requests back, and ends it with so many of them */
void step_plug(struct machine *m, struct cpu *c, unsigned disk);
void step_unplug(struct machine *m, struct cpu *c, unsigned disk,
		 uint64_t depth);

/* a neighbour joins it, behind it or in front, and it grows */
void step_merge(struct machine *m, struct cpu *c, struct request *rq);

#endif
