/* SPDX-License-Identifier: GPL-2.0-only */
/* btreplay's command line. */
#ifndef TOOLS_BTREPLAY_OPTIONS_H
#define TOOLS_BTREPLAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/bunch_files.h"
#include "tools/btreplay/device_map.h"

struct replay_options {
	struct named names;	/* of the recorded devices */
	const char *dir;	/* -d: of the replay files */
	const char *base;	/* -i */
	bool find;		/* -F: all replay files in dir, too */
	struct device_map map;	/* -M */
	unsigned int cpus;	/* -c: CPU k's file is replayed on k % cpus */
	unsigned int iterations;
	bool no_stalls;		/* -N */
	double factor;		/* -x: times are divided by it */
	bool write;		/* -W: else writes become reads */
	bool no_flush;		/* only writes' data */
	bool no_discard;
	bool force;		/* even on a device in use */
	bool dry_run;
	uint64_t spin_max;	/* ns, 0: never spin */
	unsigned int depth;	/* I/Os of a file in flight, at most */
	bool json;		/* --report: to report_file as JSON */
	const char *report_file;	/* "-": standard output */
	int verbose;
};

/* fills *o; does not return after mistakes, --help and -V */
void replay_options_parse(struct replay_options *o, int argc, char **argv);

void replay_options_free(struct replay_options *o);

#endif
