/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bandwidth log of fio: a line for each value, with ms since the begin,
 * KiB/s, direction (0 read, 1 write, 2 trim), and more that is not needed here.
 */
#ifndef TOOLS_IOWATCHER_FIO_LOG_H
#define TOOLS_IOWATCHER_FIO_LOG_H

#include <stdint.h>

#include "stat/rates.h"

struct watch_options;		/* tools/iowatcher/options.h */
struct watched_name;

struct fio_log {
	const char *label;	/* "" if there is none */
	/* counts are of values, bytes are sums of what they say */
	struct rates rates;
	uint64_t end;		/* of the last value, ns */
	uint64_t values;	/* in the wanted time */
	uint64_t bad;		/* lines that are none */
};

/* Reads a log; that it cannot be read ends the program. */
void fio_log_read(struct fio_log *l, const struct watch_options *o,
		  const struct watched_name *name);

void fio_log_free(struct fio_log *l);

#endif
