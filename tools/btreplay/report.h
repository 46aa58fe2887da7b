/* SPDX-License-Identifier: GPL-2.0-only */
/* A replay's report, comparing it with the recording, as text or JSON. */
#ifndef TOOLS_BTREPLAY_REPORT_H
#define TOOLS_BTREPLAY_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/histogram.h"
#include "tools/btreplay/kind.h"

/* --- json ----------------------------------------------------------------- */

/* "-" is standard output; 0 and *f, or -errno */
int json_open(FILE **f, const char *file);

/* writes text, of at most PATH_MAX bytes, as a string (base/json.h) */
void json_write_text(FILE *f, const char *text);

/* flushes f, and closes it unless it is standard output; 0, or -errno: a write
 * has failed */
int json_close(FILE *f);

/* --- report --------------------------------------------------------------- */

/* I/Os of a kind */
struct replay_kind {
	enum kind sent_as;	/* KINDS: left out */
	uint64_t asked, done, failed;
};

struct replay_report {
	struct replay_kind kinds[KINDS];
	uint64_t read_bytes, written_bytes;
	bool timed;		/* I/Os had times: late and gap are valid */
	struct histogram late;	/* ns from an I/O's time to its sending */
	struct histogram gap;	/* error of the gap before it, ns */
	/* ns from its time to the sending of an I/O held for the order, which
	 * late and gap do not include */
	struct histogram held;
	uint64_t asked_ns, achieved_ns;	/* first moment to last I/O */
	uint64_t deepest;	/* I/Os of a file in flight, at most */
	unsigned int depth;	/* limit of deepest */
	unsigned int iterations;	/* started */
	bool interrupted;
};

void replay_report_free(struct replay_report *r);

/* failed I/Os of all kinds */
uint64_t replay_report_failed(const struct replay_report *r);

/* as text on standard error */
void replay_report_write_text(const struct replay_report *r);

/* as a JSON object to file, "-": standard output; 0 or -errno */
int replay_report_write_json(const struct replay_report *r, const char *file);

#endif
