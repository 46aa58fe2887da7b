/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The devices of a report, and their stacking as far as remaps show it.
 */
#ifndef REPORT_DISKS_H
#define REPORT_DISKS_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */
struct io;			/* request/io.h */

/* distinct devices; all from the last on are one */
enum { REPORT_DISKS = 128, REPORT_UPPERS = 16 };

struct report_disk {
	const struct device *device;	/* NULL: no io of it has come */
	uint32_t number;	/* as its first io recorded it */
	uint64_t lo, hi;	/* first sector, after the last; 0 and 0: none
				 * seen */
	bool has_q, has_d;
	bool others;		/* it stands for several */
	uint32_t uppers[REPORT_UPPERS];	/* recorded numbers of its ios'
					 * sources, without its own */
	unsigned int upper_count;

	/* after the end */
	bool stacked;		/* the source of another's ios */
	bool on;		/* counts at first */
	unsigned int level;	/* 0: on top */
};

struct report_disks {
	struct report_disk *last;	/* the latest I/O's, or NULL, */
	uint32_t last_number;		/* and its number */
	uint32_t count;		/* greatest number so far, plus 1 */
	struct report_disk list[REPORT_DISKS];	/* by number */

	/* after the end */
	uint32_t order[REPORT_DISKS];	/* used ones, as a tree from the top */
	uint32_t there;		/* number of these */
};

/* the number of an io's device */
uint32_t report_disks_number(const struct io *io);

/* notes an io's device and returns its number */
uint32_t report_disks_add(struct report_disks *d, const struct io *io);

/* no more ios */
void report_disks_end(struct report_disks *d);

/* after the end: whether lower serves ios of upper */
bool report_disks_over(const struct report_disks *d, uint32_t upper,
		       uint32_t lower);

#endif
