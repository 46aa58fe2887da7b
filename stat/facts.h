/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a run as a whole, when all of it has been read: how long it
 * was, which devices are in it, how much of it has been measured.
 */
#ifndef STAT_FACTS_H
#define STAT_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "run/reader.h"
#include "run/window.h"
#include "stat/coverage.h"

struct group_row;		/* stat/group.h */
struct ios;			/* request/ios.h */

struct facts {
	const struct ios *ios;
	const struct reader *reader;
	const struct coverages *coverages;	/* device by device */
	struct coverage all;
	struct loss loss;
	uint64_t records;	/* that were read */
	uint64_t end;		/* ns, of the trace or the window, as ios_end() */
	uint64_t from, length;	/* what the numbers are about, ns */
	uint64_t ghosts;	/* completions of ios that were not seen */
	unsigned int cpus;
	bool windowed;		/* from and length are not all of it */
	bool has_wall;
	struct timespec wall;	/* when time was 0 */
};

void facts_find(struct facts *f, const struct ios *ios,
		const struct coverages *c, const struct window *w);

/* how many ios there were, as far as is known */
uint64_t facts_ios(const struct facts *f);

/* how many ios of a device, by its id, are missing at most; and of the run */
uint64_t facts_device_missing(const struct facts *f, uint32_t device);
uint64_t facts_missing(const struct facts *f);

/* the same, and how many that were measured have another's end */
struct doubt facts_device_doubt(const struct facts *f, uint32_t device);

/* how many of a row's ios are missing or wrong at most; device as above */
struct doubt facts_row_doubt(const struct facts *f,
			     const struct group_row *row, uint32_t device);

/* how many requests at a device have another's end at most; device as above */
uint64_t facts_astray(const struct facts *f, uint32_t device);

/* whether ios of the device were certainly paired wrongly: some are not sure,
 * and beginnings or ends are left */
bool facts_mixed_up(const struct facts *f, uint32_t device);

/* whether records of the device are missing, as reader_whole() has it */
bool facts_lossy(const struct facts *f, uint32_t device);

#endif
