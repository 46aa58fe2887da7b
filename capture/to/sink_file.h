/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to files: DIR/NAME.blktrace.CPU for each device and CPU, optionally
 * gzip'd (.gz).
 */
#ifndef CAPTURE_TO_SINK_FILE_H
#define CAPTURE_TO_SINK_FILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct capture_reporter;	/* capture/reporter.h */
struct sink;			/* capture/sink.h */
struct sink_lane;

struct sink_file_options {
	const char *directory;	/* NULL: here */
	const char *base;	/* in place of the device's name, or NULL */
	int level;		/* of gzip, 1 to 9; 0: plain */
	const struct capture_reporter *reporter;
	atomic_ullong *stored;	/* adds bytes written to files, or NULL */
};

/* makes the directory if it is missing, but no parent; 0 or -errno, reported */
int sink_file_directory(const struct sink_file_options *o);

/* makes the directory as above; 0 and *s, or -errno, reported */
int sink_file_new(struct sink **s, const struct sink_file_options *o);

/* writes a gzip member of whole records, unchanged, to the lane's file; the
 * sink must have a level.  As write() of its ops */
int sink_file_member(struct sink *s, struct sink_lane *l, const void *member,
		     size_t len);

#endif
