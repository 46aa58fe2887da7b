/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks per second of queued requests, <name>_<dev>.dat (-m), and of issued
 * ones (--issue-seeks-per-second).  For a device with issues but no queueing,
 * the first file shows issues, too.
 */
#ifndef TOOLS_BTT_FILES_PER_SECOND_H
#define TOOLS_BTT_FILES_PER_SECOND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- periods -------------------------------------------------------------- */

/* Busy periods as steps to plot: <dev>_live.dat, and sys_live.dat for all
 * devices (-Z). */

struct busy;			/* tools/btt/busy.h */
struct opener;			/* base/opener.h */

/* The periods of one, at this height; without any, no file.  false: a write
 * failed, after a warning. */
bool periods_write(const struct busy *b, const struct opener *by,
		   const char *label, int height);

/* --- rates ---------------------------------------------------------------- */

/* Completions per second, always written: <dev>_iops_fp.dat and
 * <dev>_mbps_fp.dat, and sys_... for all devices. */

struct datafile;		/* tools/btt/datafile.h */

struct rates {
	struct datafile *iops, *mbps;
	int64_t second;		/* the current one; -1: none yet */
	uint64_t requests, blocks;
};

void rates_open(struct rates *r, const struct opener *by, const char *label);

/* whether both files are open */
bool rates_are_open(const struct rates *r);

/* slow path of rates_add(): a new second */
void rates_begin(struct rates *r, int64_t second);

/* a completion of blocks in this second */
static inline void rates_add(struct rates *r, int64_t second, uint64_t blocks)
{
	if (second > r->second)
		rates_begin(r, second);
	r->requests++;
	r->blocks += blocks;
}

/* false: a write failed, after a warning */
bool rates_close(struct rates *r);

/* --- per second ----------------------------------------------------------- */

/* seeks of about a second */
struct second {
	uint64_t first, last;	/* times of the first and last seek in it */
	uint64_t seeks;		/* 0: not started */
};

struct per_second {
	struct datafile *queued_file, *issued_file;
	struct second queued, issued;
	size_t queued_len, issued_len;	/* bytes of the lines of each */
	bool queues;		/* a request was queued */
};

/* either name may be NULL: no file */
void per_second_open(struct per_second *s, const struct opener *by,
		     const char *queued, const char *issued, const char *label);

void per_second_queue(struct per_second *s, uint64_t time);
void per_second_issue(struct per_second *s, uint64_t time);

/* 1.3.0: no file for a device that only passes on requests.  false: a write
 * failed, after a warning. */
bool per_second_close(struct per_second *s, bool passes_on);

#endif
