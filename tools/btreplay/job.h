/*
 * The load to be replayed: all replay files that were named, read through
 * once, and the devices that they go to.
 */
#ifndef TOOLS_BTREPLAY_LOAD_H
#define TOOLS_BTREPLAY_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/survey.h"
#include "tools/btreplay/target.h"

struct recording;		/* replay/recording.h */
struct replay_options;		/* tools/btreplay/options.h */

struct load_file {
	char *name;		/* of the recorded device */
	uint32_t cpu;		/* that it was recorded on */
	struct recording *recording;
	struct survey survey;
	unsigned int target;
};

struct load {
	struct load_file *files;	/* those with I/Os */
	unsigned int file_count;
	struct target *targets;
	unsigned int target_count;
	uint64_t genesis, end;	/* ns, the first and the last of all times */
};

/*
 * Finds, checks and opens everything.  0; or a status to exit with, told on
 * stderr: 1 if there is no such file, one is damaged, or a device is refused;
 * 2 if the system refuses.  In either case load_free() is for *l.
 */
int load_open(struct load *l, const struct replay_options *o);

void load_free(struct load *l);

#endif
