/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of every bunch (-v twice): DIR/NAME.BASE.CPU.rep.  Logs a bunch after
 * sending, so as not to delay it.
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
	bool stalls;		/* had a time to be sent at */
	uint64_t due, now;	/* ns since the iteration's start: when due, and
				 * start of waiting */
};

/* creates or overwrites path; 0 and *d, or -errno */
int bunch_log_open(struct bunch_log **d, const char *path);

/* logs the CPU, and the number of online ones */
void bunch_log_write_cpu(struct bunch_log *d, unsigned int cpu,
			 unsigned int online);

/* logs the start of an iteration, with left ones to follow */
void bunch_log_write_iteration(struct bunch_log *d, unsigned int left);

void bunch_log_write(struct bunch_log *d, const struct bunch_log_entry *e);

/* writes the rest and frees d, which may be NULL; 0 or -errno */
int bunch_log_close(struct bunch_log *d);

#endif
