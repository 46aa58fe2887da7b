/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of --rotate, --ring, --on and of -l's limits.  Each function is a
 * cli_option's set(), and does not return after a mistake.
 */
#ifndef TOOLS_BLKTRACE_OPTIONS_RING_H
#define TOOLS_BLKTRACE_OPTIONS_RING_H

#include <stddef.h>
#include <stdint.h>

#include "server/senders.h"

/* --- options limits ------------------------------------------------------- */

/* limits of -l, in total or with "/source" of each sender; 0: no limit */
struct options_limits {
	unsigned int max_clients;	/* runs at a time */
	uint64_t max_bytes, max_files;
	struct sender_limits each;	/* the same for each sender */
};

void options_set_max_clients(void *limits, const char *text);
void options_set_max_runs(void *limits, const char *text);
void options_set_max_bytes(void *limits, const char *text);
void options_set_max_files(void *limits, const char *text);

/* --- options ring --------------------------------------------------------- */

struct trigger;			/* stat/trigger.h */

struct options_ring {
	uint64_t rotate_size;	/* --rotate: bytes, or 0 */
	uint64_t rotate_time;	/* ns, or 0 */
	uint64_t size;		/* --ring: bytes, or 0 */
	uint64_t time;		/* ns, or 0 */
	struct trigger **triggers;	/* --on, owned */
	size_t trigger_count;
};

void options_set_rotate(void *ring, const char *text);
void options_set_ring(void *ring, const char *text);
void options_add_trigger(void *ring, const char *text);

/* ns: a uint64_t, at most a day */
void options_set_time(void *ns, const char *text);

void options_ring_free(struct options_ring *r);

#endif
