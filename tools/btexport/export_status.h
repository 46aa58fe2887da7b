/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of --status: how --follow gets on, in Prometheus' text format for
 * node_exporter's textfile collector.
 */
#ifndef TOOLS_BTEXPORT_EXPORT_STATUS_H
#define TOOLS_BTEXPORT_EXPORT_STATUS_H

#include <stdint.h>

struct opener;			/* base/opener.h */
struct ship_counts;		/* tools/btexport/ship.h */

enum { EXPORT_STATUS_S = 5 };	/* between two writes */

struct export_status {
	uint64_t captures;	/* followed */
	uint64_t segments, rows, failures;	/* exported; failed attempts */
	/* ns from a segment's completion to its export, the longest since the last
	 * write, or of one that still waits */
	uint64_t lag;
};

/* c: what is sent, or NULL.  A failure is reported. */
void export_status_write(const struct export_status *s,
			 const struct ship_counts *c, const struct opener *o,
			 const char *path);

#endif
