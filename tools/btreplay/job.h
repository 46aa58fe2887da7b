/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be replayed: all replay files that were named, scanned once, and
 * the devices that they are replayed on.
 */
#ifndef TOOLS_BTREPLAY_JOB_H
#define TOOLS_BTREPLAY_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/scan.h"
#include "tools/btreplay/target.h"

struct bunch_reader;		/* replay/bunch_reader.h */
struct replay_options;		/* tools/btreplay/options.h */

struct job_file {
	char *name;		/* of the recorded device */
	uint32_t cpu;		/* that it was recorded on */
	struct bunch_reader *reader;
	struct scan scan;
	unsigned int target;
};

struct job {
	struct job_file *files;	/* those with I/Os */
	unsigned int file_count;
	struct target *targets;
	unsigned int target_count;
	uint64_t genesis, end;	/* ns, the first and the last of all times */
};

/*
 * Finds, checks and opens everything.  0; or, reported on stderr, the exit
 * status: 1: there is no such file, one is damaged, or a device is refused; 2:
 * a system call failed.  In all cases the caller frees *l with job_free().
 */
int job_open(struct job *l, const struct replay_options *o);

void job_free(struct job *l);

#endif
