/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btstat shows of a device's capacity, as text and as JSON: what is known of
 * it, and who uses it.
 */
#ifndef TOOLS_BTSTAT_CAPACITIES_H
#define TOOLS_BTSTAT_CAPACITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "capacity/capacity.h"
#include "emit/values.h"

struct group;			/* stat/group.h */
struct group_row;
struct screen;			/* tools/btstat/screen.h */

/* --- a device ------------------------------------------------------------- */

struct shown {
	const struct screen *s;
	uint32_t device;	/* its id */
	const struct capacity_device *d;
	struct capacity_facts f;
	char name[VALUE_MAX];
};

/* Fills *d for a device that has a capacity. */
void shown_of(struct shown *d, const struct screen *s, uint32_t device);

/* the mean of a sum of ns over the window */
double shown_mean(const struct shown *d, struct wide sum);

/* a percentile, in thousandths; 0 if there are no numbers */
uint64_t shown_percentile(const struct histogram *h, uint32_t p);

/* --- users ---------------------------------------------------------------- */

/* who uses a device: rows of a group, and their sums */
struct users {
	enum group_key key;
	const struct group *group;
	struct group_row **rows;	/* of the device, most time first */
	unsigned int count;
	double time;		/* ns in flight */
	uint64_t ios, bytes;
	bool named;		/* any has a value that is not 0 */
};

/* by tally_user_keys[nr]; 0 or -ENOMEM */
int users_of(struct users *u, const struct shown *d, int nr);

/* the name of a row */
void users_name(const struct users *u, const struct shown *d,
		const struct group_row *row, char text[VALUE_MAX]);

void users_free(struct users *u);

#endif
