/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text that lists every bunch: DIR/NAME.BASE.CPU.rep, with -v twice.  A
 * bunch is logged after it has been sent, so that it is not late.
 */
#ifndef TOOLS_BTREPLAY_BUNCH_LOG_H
#define TOOLS_BTREPLAY_BUNCH_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct bunch_log;
struct packet;			/* replay/bunch.h */

/* one submission */
struct bunch_log_entry {
	const struct packet *packets;
	unsigned int count;
	bool write;		/* else writes were sent as reads */
	bool stalls;		/* it had a time to be sent at */
	uint64_t due, now;	/* ns since the iteration began: when it should
				 * be sent, and when waiting began */
};

/* creates or overwrites path; 0 and *d, or -errno */
int bunch_log_open(struct bunch_log **d, const char *path);

/* the CPU it runs on, of those that are online */
void bunch_log_write_cpu(struct bunch_log *d, unsigned int cpu,
			 unsigned int online);

/* an iteration begins, and so many come after it */
void bunch_log_write_iteration(struct bunch_log *d, unsigned int left);

void bunch_log_write(struct bunch_log *d, const struct bunch_log_entry *e);

/* writes what is left and frees d, NULL is fine; 0 or -errno */
int bunch_log_close(struct bunch_log *d);

#endif
