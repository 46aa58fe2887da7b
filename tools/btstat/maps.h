/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Heat maps of a run: one for each device and operation, or one of all.
 */
#ifndef TOOLS_BTSTAT_MAPS_H
#define TOOLS_BTSTAT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct heat;			/* stat/heat.h */
struct io;			/* request/io.h */

/* so many maps; what would need more is in the last one */
enum { MAPS_MAX = 64 };

struct map {
	struct heat *heat;
	uint64_t ios;
	uint32_t device, op;	/* the device's id, the op as of GROUP_OP */
	bool other;		/* also of further ones */
};

struct maps {
	unsigned int measure;	/* which span is shown */
	uint64_t from;		/* when the maps begin, ns */
	bool one;		/* of all ios */
	struct map list[MAPS_MAX];
	unsigned int count;
};

/* an io that completed; 0 or -ENOMEM */
int maps_add(struct maps *m, const struct io *io);

/* somebody has marked that time: in all maps that there are */
void maps_label(struct maps *m, uint64_t time);

void maps_free(struct maps *m);

#endif
