/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What iostat would have seen of a device: merges, issues, and how long
 * requests were in its queue and with it.
 */
#ifndef TOOLS_BTT_IOSTAT_H
#define TOOLS_BTT_IOSTAT_H

#include <stdint.h>

struct request;			/* tools/btt/requests.h */

enum { IOSTAT_WRITE, IOSTAT_READ };

/* what happened on a device, since the last table or in all */
struct iostat_sums {
	uint64_t merges[2], issues[2], blocks[2];	/* writes, reads */
	uint64_t wait;		/* ns from I or M to C */
	uint64_t service;	/* ns from Q to C */
	double queue;		/* requests times seconds */
	double idle;		/* seconds */
};

/* a device's part */
struct iostat_device {
	struct iostat_sums interval, all;
	int queued, issued;	/* requests in the queue and the device now */
	double queue_changed, device_changed;	/* seconds */
};

/* what happens to requests */
void iostat_allocate(struct iostat_device *d, uint64_t time);
void iostat_merge(struct iostat_device *d, int direction);
void iostat_issue(struct iostat_device *d, int direction, uint64_t time,
		  uint32_t blocks);
void iostat_complete(struct iostat_device *d, const struct request *r,
		     uint64_t time);

/* time passes up to now, in seconds; the device is idle, whatever it has */
void iostat_pass(struct iostat_device *d, double now);

#endif
