/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ships what --follow has exported to ClickHouse: a folder of RowBinary is a spool,
 * and each manifest in it a part that waits.
 *
 * Parts are sent in batches, each table as one block.  A batch is listed in a file
 * before it is sent, and sent again as it was until it is known to be there:
 * replicated tables drop a block that they have.  Before that, and for other
 * tables, the server is asked what it has.  So whatever ends us, the server or the
 * connection, a row is there once.
 */
#ifndef TOOLS_BTEXPORT_SHIP_H
#define TOOLS_BTEXPORT_SHIP_H

#include <signal.h>
#include <stdatomic.h>

/* what both processes count */
struct ship_counts {
	atomic_ullong parts, rows, bytes;	/* sent */
	atomic_ullong failures;
	atomic_ullong waiting;	/* bytes in the spool */
};

/*
 * Ships until *stop is set; what fails is reported when it changes, and tried
 * again.  url: clickhouse_is_url().  c is shared with the exporter.  The process's
 * status: 0, or 1 if it could not begin.
 */
int ship(const char *folder, const char *url, struct ship_counts *c,
	 const volatile sig_atomic_t *stop);

#endif
