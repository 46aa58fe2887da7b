/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a capture's records go: files, gzip'd files, one pipe for all, or the
 * network.
 *
 * A lane is what one CPU records of one device.  All calls for a lane come from
 * the thread of its CPU; the lanes of a CPU share that thread, those of other
 * CPUs run beside it.  Only whole records are ever handed over.
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
	/* nothing more to come for a while: let go of what is held back */
	int (*flush)(struct sink *s, struct sink_lane *l);
	/* the end; dropped events are known now.  0 or -errno */
	int (*close)(struct sink *s, struct sink_lane *l, uint64_t drops);
	void (*free)(struct sink *s);
	/* an empty output of a device for a CPU that is offline; 0 or -errno,
	 * reported.  NULL: there is no need of one */
	int (*touch)(struct sink *s, const char *name, uint32_t cpu);
};

struct sink {
	const struct sink_ops *ops;
};

#endif
