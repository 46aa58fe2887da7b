/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a capture's records go: files, gzip'd files, one pipe, or the network.
 *
 * A lane has one CPU's records of one device.  All calls for a lane come from
 * its CPU's thread, in parallel with other CPUs' threads.  Only whole records
 * are written.  aside() and end() are called while no lane is written.
 */
#ifndef CAPTURE_SINK_H
#define CAPTURE_SINK_H

#include <stddef.h>
#include <stdint.h>

struct sink;

struct sink_lane {
	const char *name;	/* the kernel's name of the device, "sda" */
	unsigned int device;	/* which of the run's devices, from 0 */
	uint32_t cpu;
	uint64_t events;	/* records so far, notes included */
	uint64_t bytes;
	void *out;		/* the sink's own */
};

struct sink_ops {
	/* before tracing starts: 0 or -errno, reported */
	int (*open)(struct sink *s, struct sink_lane *l);
	/* len bytes of whole records; 0 or -errno, reported once */
	int (*write)(struct sink *s, struct sink_lane *l, const void *records,
		     size_t len);
	/* no more for a while: writes what it has held back */
	int (*flush)(struct sink *s, struct sink_lane *l);
	/* 0 or -errno; drops: dropped events of the device.  After a failure
	 * the lane's sums may be reduced to what was written */
	int (*close)(struct sink *s, struct sink_lane *l, uint64_t drops);
	void (*free)(struct sink *s);
	/* makes a device's empty output for an offline CPU; 0 or -errno,
	 * reported.  NULL: needs none */
	int (*touch)(struct sink *s, const char *name, uint32_t cpu);
	/* stores a file of that name beside the records, in place of an earlier
	 * one; 0 or -errno.  NULL: it belongs in the sink's directory */
	int (*aside)(struct sink *s, const char *name, const void *bytes,
		     size_t len);
	/* after all lanes and files aside: completes the trace; 0 or -errno,
	 * reported once.  NULL: it is complete */
	int (*end)(struct sink *s);
};

struct sink {
	const struct sink_ops *ops;
};

#endif
