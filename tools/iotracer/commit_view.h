/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --commits: a process that reads the records of a capture from a pipe, and prints
 * a line for each call that has waited for the disk, and sums at the end.
 */
#ifndef TOOLS_IOTRACER_COMMIT_VIEW_H
#define TOOLS_IOTRACER_COMMIT_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct commit_view {
	pid_t pid;		/* 0: none */
	int to;			/* for records; -1: closed */
};

/* Starts it, before anything is opened that it must not inherit; lines: at most
 * that many calls are shown, 0: all; ends: then it ends.  0 or -errno, reported on
 * stderr. */
int commit_view_start(struct commit_view *v, uint64_t lines, bool ends);

/* no more records: waits until all is printed; 0 or -EIO, reported on stderr */
int commit_view_end(struct commit_view *v);

#endif
