/*
 * What travels from Q to C, growing by merges on its way: the steps that the
 * scripts are made of.
 *
 * A step writes its events as the CPU's current task, and time passes.
 */
#ifndef BENCH_SYNTH_REQUEST_H
#define BENCH_SYNTH_REQUEST_H

#include <stdint.h>

struct cpu;			/* bench/synth/machine.h */
struct machine;

enum {
	PAGE = 4096,
	SECTOR = 512,
	PARTITION_START = 2048,	/* first sector of a disk's partition */
};

struct request {
	uint64_t sector;
	uint32_t bytes;
	uint32_t flags;		/* operation and its modifiers */
	unsigned disk;
};

/* it reaches the disk as its task means it: A, Q */
void request_queue(struct machine *m, struct cpu *c, const struct request *rq);

/* to the scheduler: from here on it is a request, category FS */
void request_insert(struct machine *m, struct cpu *c, const struct request *rq);

/* to the driver, for a quarter of the requests by the CPU's worker */
void request_issue(struct machine *m, struct cpu *c, const struct request *rq);

/* puts its completion on the agenda */
void request_complete_later(struct machine *m, struct cpu *c,
			    const struct request *rq);

/* the common end of all scripts: insert, issue, complete later */
void request_insert_and_issue(struct machine *m, struct cpu *c,
			      const struct request *rq);

/* a task begins to hold requests back, and ends it with so many of them */
void request_plug(struct machine *m, struct cpu *c, unsigned disk);
void request_unplug(struct machine *m, struct cpu *c, unsigned disk,
		    uint64_t depth);

/* a neighbour joins it, behind it or in front, and it grows */
void request_merge(struct machine *m, struct cpu *c, struct request *rq);

#endif
