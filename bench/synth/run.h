/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens on a machine, in order of time.
 */
#ifndef BENCH_SYNTH_RUN_H
#define BENCH_SYNTH_RUN_H

struct machine;			/* bench/synth/machine.h */

/* does what the agenda says until all events are there, and written */
void run(struct machine *m);

#endif
