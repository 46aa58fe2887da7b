/* SPDX-License-Identifier: GPL-2.0-only */
/* The job: all replay files named, scanned once, and the devices to replay on.
 * */
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
	uint32_t cpu;		/* recorded on */
	struct bunch_reader *reader;
	struct scan scan;
	unsigned int target;
};

struct job {
	struct job_file *files;	/* those with I/Os */
	unsigned int file_count;
	struct target *targets;
	unsigned int target_count;
	uint64_t genesis, end;	/* ns, the first and last time */
};

/*
 * Finds, checks and opens everything.  0; or, reported on stderr, the exit
 * status: 1: a file is missing or damaged, or a device is refused; 2: a system
 * call failed.  The caller always frees *l with job_free().
 */
int job_open(struct job *l, const struct replay_options *o);

void job_free(struct job *l);

#endif
