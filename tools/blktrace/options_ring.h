/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What --rotate, --ring and --on ask for.  Each function is a cli_option's set(),
 * and does not return from a mistake.
 */
#ifndef TOOLS_BLKTRACE_OPTIONS_RING_H
#define TOOLS_BLKTRACE_OPTIONS_RING_H

#include <stddef.h>
#include <stdint.h>

#include "server/senders.h"

/* --- options limits ------------------------------------------------------- */

/*
 * What -l may take, in all or with "/source" from each sender.  Each function is
 * a cli_option's set() of such limits, and does not return from a mistake.
 */

/* 0: no limit */
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

/* a uint64_t: ns, a day at most */
void options_set_time(void *ns, const char *text);

void options_ring_free(struct options_ring *r);

#endif
