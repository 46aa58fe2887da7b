/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways that a request can go, each with events a few microseconds apart:
 * plain, plugged with merges, split, ...
 */
#ifndef BENCH_SYNTH_SCRIPT_H
#define BENCH_SYNTH_SCRIPT_H

struct cpu;			/* bench/synth/machine.h */
struct machine;
struct request;			/* bench/synth/request.h */

/* sends *rq one way, chosen as often as in a real trace; *rq may grow */
void script_run(struct machine *m, struct cpu *c, struct request *rq);

#endif
