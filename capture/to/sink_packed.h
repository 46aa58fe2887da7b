/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to a packed file or pipe: members NAME.blktrace.CPU of all devices
 * and CPUs in one capture/to/packed_file, whose blocks each CPU's thread packs.
 *
 * A block is written when it is full or a second old, so that a killed run
 * leaves all but the last two seconds.
 */
#ifndef CAPTURE_TO_SINK_PACKED_H
#define CAPTURE_TO_SINK_PACKED_H

#include <stdbool.h>

#include "capture/to/packed_file.h"

struct sink;			/* capture/sink.h */

struct sink_packed_options {
	struct packed_file_options file;
	const char *base;	/* in place of the device's name, or NULL */
	bool live;		/* flush() writes whatever there is */
};

/*
 * 0 and *s, or -errno as packed_file_new().  A lane of which a block could not
 * be written counts after close() only the events that were.
 */
int sink_packed_new(struct sink **s, const struct sink_packed_options *o);

#endif
