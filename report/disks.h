/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The devices of a report: what was seen of each, and which stands on which, as
 * far as remapped ios tell.
 */
#ifndef REPORT_DISKS_H
#define REPORT_DISKS_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */
struct io;			/* request/io.h */

/* devices that are told apart; all from the last on are one */
enum { REPORT_DISKS = 128, REPORT_UPPERS = 16 };

struct report_disk {
	const struct device *device;	/* NULL: no io of it has come */
	uint32_t number;	/* as its first io recorded it */
	uint64_t lo, hi;	/* its first sector, behind its last; 0 and 0:
				 * none was seen */
	bool has_q, has_d;
	bool others;		/* it stands for several */
	uint32_t uppers[REPORT_UPPERS];	/* recorded numbers that its ios came
					 * from, without its own */
	unsigned int upper_count;

	/* behind the end */
	bool stacked;		/* it is the source of another's ios */
	bool on;		/* it counts at first */
	unsigned int level;	/* 0: it stands on top */
};

struct report_disks {
	uint32_t count;		/* behind the greatest number so far */
	struct report_disk list[REPORT_DISKS];	/* by number */

	/* behind the end */
	uint32_t order[REPORT_DISKS];	/* those there are, as a tree, from the
					 * top */
	uint32_t there;		/* how many these are */
};

/* the number of an io's device */
uint32_t report_disks_number(const struct io *io);

/* notes what an io shows of its device, whose number it returns */
uint32_t report_disks_add(struct report_disks *d, const struct io *io);

/* no more ios */
void report_disks_end(struct report_disks *d);

/* behind the end: whether lower takes what upper was asked for */
bool report_disks_over(const struct report_disks *d, uint32_t upper,
		       uint32_t lower);

#endif
