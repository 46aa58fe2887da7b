/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of a run that was read: its length, devices, and measured share. */
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
	const struct coverages *coverages;	/* by device */
	struct coverage all;
	struct loss loss;
	uint64_t records;	/* records read */
	uint64_t end;		/* ns, of the trace or window, as ios_end() */
	uint64_t from, length;	/* ns that the numbers cover */
	uint64_t ghosts;	/* unmatched completions */
	unsigned int cpus;
	bool windowed;		/* from and length are part of the trace */
	bool untimed;		/* imported, without response times: nothing is
				 * known of what was in flight */
	bool has_wall;
	struct timespec wall;	/* at time 0 */
};

void facts_find(struct facts *f, const struct ios *ios,
		const struct coverages *c, const struct window *w);

/* I/Os known of */
uint64_t facts_ios(const struct facts *f);

/* missing I/Os, at most: of a device by id, or READER_ALL; of the run */
uint64_t facts_device_missing(const struct facts *f, uint32_t device);
uint64_t facts_missing(const struct facts *f);

/* the same, and measured I/Os with the completion of another */
struct doubt facts_device_doubt(const struct facts *f, uint32_t device);

/* a row's I/Os missing or wrong, at most; device as above */
struct doubt facts_row_doubt(const struct facts *f,
			     const struct group_row *row, uint32_t device);

/* requests with the completion of another, at most; device as above */
uint64_t facts_astray(const struct facts *f, uint32_t device);

/* whether I/Os of the device were certainly paired wrongly: some are not sure,
 * and starts or ends are left over */
bool facts_mixed_up(const struct facts *f, uint32_t device);

enum { FACTS_IMPORTED = 256 };

/* What the I/Os were imported from, and lack: "perf.data: no plug or merge
 * events", safe for terminals; false: they were captured. */
bool facts_imported(const struct facts *f, char text[FACTS_IMPORTED]);

/* whether records of the device are missing, as reader_whole() reports */
bool facts_lossy(const struct facts *f, uint32_t device);

#endif
