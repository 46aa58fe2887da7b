/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks per second: <name>_<dev>.dat (-m) of requests queued; those of
 * requests issued have a file of their own (--issue-seeks-per-second).  On a
 * device with issues but no queueing the first shows those, too.
 */
#ifndef TOOLS_BTT_FILES_PER_SECOND_H
#define TOOLS_BTT_FILES_PER_SECOND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- periods -------------------------------------------------------------- */

/*
 * When devices were busy, as steps to plot: <dev>_live.dat, and sys_live.dat
 * for all of them (-Z).
 */

struct busy;			/* tools/btt/busy.h */
struct opener;			/* base/opener.h */

/*
 * The periods of one, drawn at this height; a file without any is deleted.
 * false: not all is in the file, after a warning.
 */
bool periods_write(const struct busy *b, const struct opener *by,
		   const char *label, int height);

/* --- rates ---------------------------------------------------------------- */

/*
 * How much was completed in each second, written always:
 * <dev>_iops_fp.dat and <dev>_mbps_fp.dat, and sys_... for all devices.
 */

struct datafile;		/* tools/btt/datafile.h */

struct rates {
	struct datafile *iops, *mbps;
	int64_t second;		/* that is being counted; -1: none yet */
	uint64_t requests, blocks;
};

void rates_open(struct rates *r, const struct opener *by, const char *label);

/* whether both files could be opened */
bool rates_are_open(const struct rates *r);

/* slow path of rates_add(): a second begins */
void rates_begin(struct rates *r, int64_t second);

/* so many blocks were completed in this second */
static inline void rates_add(struct rates *r, int64_t second, uint64_t blocks)
{
	if (second > r->second)
		rates_begin(r, second);
	r->requests++;
	r->blocks += blocks;
}

/* false: not all is in the files, after a warning */
bool rates_close(struct rates *r);

/* --- per second ----------------------------------------------------------- */

/* about a second in which seeks are counted */
struct second {
	uint64_t first, last;	/* times of the first and last seek in it */
	uint64_t seeks;		/* 0: none has begun */
};

struct per_second {
	struct datafile *queued_file, *issued_file;
	struct second queued, issued;
	size_t queued_len, issued_len;	/* bytes of the lines of each */
	bool queues;		/* something has been queued */
};

/* either name may be NULL: no file then */
void per_second_open(struct per_second *s, const struct opener *by,
		     const char *queued, const char *issued, const char *label);

void per_second_queue(struct per_second *s, uint64_t time);
void per_second_issue(struct per_second *s, uint64_t time);

/*
 * 1.3.0: a device that only passes requests on to others has no file.  false:
 * not all is in the files, after a warning.
 */
bool per_second_close(struct per_second *s, bool passes_on);

#endif
