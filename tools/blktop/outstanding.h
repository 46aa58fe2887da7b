/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os in flight at a moment, by device: how many there are, and the oldest.
 * A device that answers nothing completes nothing, so it is in no table; its
 * oldest I/O tells.
 */
#ifndef TOOLS_BLKTOP_OUTSTANDING_H
#define TOOLS_BLKTOP_OUTSTANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "request/io.h"

struct buf;			/* base/buf.h */
struct reader;			/* run/reader.h */

enum {
	OUTSTANDING_DEVICES = 128,	/* any others share the last */
	OUTSTANDING_LATE = 8,	/* that are named */
	OUTSTANDING_NAME = 64,
};

/* from this age of its oldest I/O on a device is late, ns */
#define OUTSTANDING_AGE NS_PER_SECOND

struct outstanding_device {
	const struct device *disk;
	uint64_t count;
	/* of the oldest */
	uint64_t age, sector;
	uint32_t pid;
	uint16_t origin;
	enum io_op op;
};

/* all zeros: none */
struct outstanding {
	uint64_t ios;		/* of all devices */
	unsigned int count;
	struct outstanding_device list[OUTSTANDING_DEVICES];
};

/* one of them, with names that stay when the reader is gone */
struct late_device {
	char device[OUTSTANDING_NAME];
	char process[OUTSTANDING_NAME];	/* "": not known */
	uint64_t count, age, sector;
	enum io_op op;
};

/* the devices that are late, the oldest I/O first */
struct late {
	uint64_t in_flight;	/* I/Os, also of devices that are not late */
	unsigned int count;
	struct late_device list[OUTSTANDING_LATE];
};

/*
 * An io that is open at now.  Parts are in their whole, and the kernel's own
 * flush requests only count where queue events are not traced (any_q: they
 * are); what may have completed unseen, as events were lost, is left out.
 */
void outstanding_add(struct outstanding *o, const struct io *io, uint64_t now,
		     bool any_q);

/* *late from *o, whose order changes */
void outstanding_late(struct outstanding *o, const struct reader *reader,
		      struct late *late);

/* a line for each device: "sda: in flight 4, oldest 4.2 s (write, ...)" */
void late_text(const struct late *late, struct buf *b, unsigned int width);

#endif
