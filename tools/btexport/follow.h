/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --follow: exports captures while they go on.  A directory is one capture's
 * segments, or has a directory for each of many.
 */
#ifndef TOOLS_BTEXPORT_FOLLOW_H
#define TOOLS_BTEXPORT_FOLLOW_H

#include <signal.h>
#include <stdbool.h>

#include <sys/types.h>

struct export_options;		/* tools/btexport/options.h */
struct ship_counts;		/* tools/btexport/ship.h */

/* a process that sends what is exported; none if all zero */
struct follow_shipper {
	pid_t pid;
	struct ship_counts *counts;	/* shared with it */
};

/*
 * Takes o->output for this process and those that it starts, until all have
 * ended; waits while others have it.  False: a signal came first.
 */
bool follow_lock(const struct export_options *o,
		 const volatile sig_atomic_t *stop);

/*
 * Starts a process that sends what is in o->output to o->to, until it gets
 * SIGTERM or we end.  Ends the program with a message on failure.
 */
struct follow_shipper follow_ship(const struct export_options *o,
				  const volatile sig_atomic_t *stop);

/*
 * Follows o->follow until *stop is set, and then ends the shipper.  What fails is
 * reported, and tried again every few seconds.  The program's status: 0, or 1 if
 * it could not begin, or the shipper has ended.
 */
int follow(const struct export_options *o, struct follow_shipper *shipper,
	   const volatile sig_atomic_t *stop);

#endif
