/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks of all machines of a run, and how they are put beside each other:
 * by the time of day, or with their first events together, and each shifted as
 * the user wants.
 */
#ifndef RUN_HOST_CLOCKS_H
#define RUN_HOST_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/host_clock.h"

struct locations;		/* file/location.h */

struct host_shift {
	const char *host;
	int64_t ns;		/* added to its times */
};

struct host_wishes {
	const struct host_shift *shifts;
	size_t count;
	bool align_start;	/* first events together */
};

struct host_clocks {
	struct host_clock *list;	/* by host, shifted */
	unsigned int count;
	bool aligned;		/* all are known: times can be compared */
	bool wall;		/* ... and one of them is the time of day */
};

/*
 * Finds those of all hosts; w may be NULL.  Where one of them is not known none
 * is used, unless first events are put together.  0; -ESRCH: there is no host
 * that is to be shifted, *which; or -ENOMEM.
 */
int host_clocks_find(struct host_clocks *c, const struct locations *l,
		     const struct host_wishes *w, size_t *which);

/* an all-zero struct host_clocks is empty */
void host_clocks_free(struct host_clocks *c);

#endif
