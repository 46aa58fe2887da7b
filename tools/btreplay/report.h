/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How close a replay was to the recording: as text on stderr, and as JSON.
 */
#ifndef TOOLS_BTREPLAY_REPORT_H
#define TOOLS_BTREPLAY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"

struct replay_report {
	uint64_t asked, done, failed;	/* I/Os */
	uint64_t read_bytes, written_bytes;
	bool timed;		/* I/Os had times: the two histograms count */
	struct histogram late;	/* ns that an I/O was sent after its time */
	struct histogram gap;	/* ns that the gap before it was off */
	uint64_t asked_ns, achieved_ns;	/* first moment to last I/O */
	uint64_t deepest;	/* I/Os of a file in flight, at most */
	unsigned int depth;	/* what that is limited to */
	unsigned int iterations;	/* that were begun */
	bool interrupted;
};

/* frees what r has */
void replay_report_free(struct replay_report *r);

/* as text on standard error */
void replay_report_write_text(const struct replay_report *r);

/* as a JSON object to file, "-": standard output; 0 or -errno */
int replay_report_write_json(const struct replay_report *r, const char *file);

#endif
