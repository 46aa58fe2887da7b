/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How close a replay was to the recording: as text on stderr, and as JSON.
 */
#ifndef TOOLS_BTREPLAY_REPORT_H
#define TOOLS_BTREPLAY_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/histogram.h"
#include "tools/btreplay/kind.h"

/* --- json ----------------------------------------------------------------- */

/*
 * A report as JSON, in a file or on standard output.
 */

/* "-" is standard output; 0 and *f, or -errno */
int json_open(FILE **f, const char *file);

/* text, of at most PATH_MAX bytes, as a string: base/json.h */
void json_write_text(FILE *f, const char *text);

/* flushes f, and closes it but for standard output; 0, or -errno: not all
 * could be written */
int json_close(FILE *f);

/* --- report --------------------------------------------------------------- */

/* I/Os of a kind */
struct replay_kind {
	enum kind sent_as;	/* KINDS: they are left out */
	uint64_t asked, done, failed;
};

struct replay_report {
	struct replay_kind kinds[KINDS];
	uint64_t read_bytes, written_bytes;
	bool timed;		/* I/Os had times: the two histograms count */
	struct histogram late;	/* ns that an I/O was sent after its time */
	struct histogram gap;	/* ns that the gap before it was off */
	/* ns after its time that an I/O was sent which waited for others, for
	 * the order; late and gap are without these */
	struct histogram held;
	uint64_t asked_ns, achieved_ns;	/* first moment to last I/O */
	uint64_t deepest;	/* I/Os of a file in flight, at most */
	unsigned int depth;	/* what that is limited to */
	unsigned int iterations;	/* that were begun */
	bool interrupted;
};

/* frees what r has */
void replay_report_free(struct replay_report *r);

/* I/Os that have failed, of all kinds */
uint64_t replay_report_failed(const struct replay_report *r);

/* as text on standard error */
void replay_report_write_text(const struct replay_report *r);

/* as a JSON object to file, "-": standard output; 0 or -errno */
int replay_report_write_json(const struct replay_report *r, const char *file);

#endif
