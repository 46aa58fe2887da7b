/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file about the server in Prometheus' text format, for the textfile collector
 * of node_exporter: runs, bytes, refusals, and each sender's.
 */
#ifndef SERVER_STATUS_H
#define SERVER_STATUS_H

#include <stdint.h>

struct opener;			/* base/opener.h */
struct senders;			/* server/senders.h */

enum {
	STATUS_MS = 5000,	/* from one writing to the next */
	STATUS_SENDERS = 1000,	/* that have lines of their own */
};

struct status {
	uint64_t connections;	/* now */
	uint64_t runs;		/* open ones */
	uint64_t refused;	/* connections, since the start */
	uint64_t removed_runs, removed_bytes;	/* since the start */
	const struct senders *senders;
	int64_t now;		/* in ms, as time_now_ms() has it */
};

/* writes the file anew; 0 or -errno */
int status_write(const struct status *s, const struct opener *by,
		 const char *path);

#endif
