/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btstat reads: joined ios of some of the names on its command line, with
 * the line about progress.  What is wrong with a name ends the program, damage
 * is reported.
 */
#ifndef TOOLS_BTSTAT_INPUT_H
#define TOOLS_BTSTAT_INPUT_H

#include <stdbool.h>

#include "cli/reading.h"

struct io;			/* request/io.h */
struct ios;			/* request/ios.h */
struct stat_options;		/* tools/btstat/options.h */

/* how often one hears of a pipe that is silent, if rows wait for time to pass */
enum { STAT_QUIET_MS = 100 };

struct stat_input {
	struct ios *ios;
	struct reading reading;
	bool damaged;
};

/* opens count names, from number first on; *in stays where it is */
void stat_input_open(struct stat_input *in, const struct stat_options *o,
		     int first, int count);

/* 1: *io is the next; 0: the end; -EAGAIN: a pipe is silent; -EINTR */
int stat_input_next(struct stat_input *in, const struct io **io);

/* no more is read; damaged stays */
void stat_input_close(struct stat_input *in);

#endif
