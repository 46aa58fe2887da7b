/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of every request, as text in one file (-p), and as times alone in
 * <dev>_pit.dat (-P); both a block or line for each completion.
 */
#ifndef TOOLS_BTT_FILES_REQUESTS_H
#define TOOLS_BTT_FILES_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/datafile.h"

/* --- blocks --------------------------------------------------------------- */

/*
 * Which blocks were issued to a device, and when: <name>_<dev>_r.dat for
 * reads, _w.dat for writes, _c.dat for both (-B).
 */

/* slow path of blocks_issue() */
void blocks_write(struct rw_files *t, bool read, uint64_t time, uint64_t start,
		  uint64_t end);

/* sectors from start to end, the last not among them */
static inline void blocks_issue(struct rw_files *t, bool read, uint64_t time,
				uint64_t start, uint64_t end)
{
	if (t->wanted)
		blocks_write(t, read, time, start, end);
}

/* --- seeks ---------------------------------------------------------------- */

/*
 * Every seek: <name>_<dev>_d2d_r.dat, _w.dat and _c.dat (both) between
 * requests issued, <name>_<dev>_q2q_... between requests queued (-s).
 */

/* slow path of seek_files_add() */
void seek_files_write(struct rw_files *t, bool read, uint64_t time,
		      int64_t distance);

/* distance in sectors, back is negative */
static inline void seek_files_add(struct rw_files *t, bool read, uint64_t time,
				  int64_t distance)
{
	if (t->wanted)
		seek_files_write(t, read, time, distance);
}

/* --- requests ------------------------------------------------------------- */

struct datafile;		/* tools/btt/datafile.h */
struct event;			/* record/record.h */
struct request;			/* tools/btt/requests.h */
struct requests;

/* -p: one of the requests that completion completes */
void lives_add(struct datafile *f, const struct request *r,
	       const struct event *completion);

/* -p: there are no more of it */
void lives_end(struct datafile *f);

/* -P: the line for a completion, of those that requests_within() has found */
void trees_add(struct datafile *f, const struct requests *found,
	       const struct event *completion);

#endif
