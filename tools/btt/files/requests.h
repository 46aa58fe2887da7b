/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of each request: a block of text per completion in one file (-p),
 * and a line of times per completion in <dev>_pit.dat (-P).
 */
#ifndef TOOLS_BTT_FILES_REQUESTS_H
#define TOOLS_BTT_FILES_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/datafile.h"

/* --- blocks --------------------------------------------------------------- */

/* The blocks issued, with times: <name>_<dev>_r.dat for reads, _w.dat for
 * writes, _c.dat for both (-B). */

/* slow path of blocks_issue() */
void blocks_write(struct rw_files *t, bool read, uint64_t time, uint64_t start,
		  uint64_t end);

/* sectors from start to end, exclusive */
static inline void blocks_issue(struct rw_files *t, bool read, uint64_t time,
				uint64_t start, uint64_t end)
{
	if (t->wanted)
		blocks_write(t, read, time, start, end);
}

/* --- seeks ---------------------------------------------------------------- */

/* Every seek: <name>_<dev>_d2d_r.dat, _w.dat and _c.dat (both) between issued
 * requests, <name>_<dev>_q2q_... between queued ones (-s). */

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

struct event;			/* record/record.h */
struct request;			/* tools/btt/requests.h */
struct requests;

/* -p: a request of this completion */
void lives_add(struct datafile *f, const struct request *r,
	       const struct event *completion);

/* -p: after the last one */
void lives_end(struct datafile *f);

/* -P: the line of a completion; found: by requests_within() */
void trees_add(struct datafile *f, const struct requests *found,
	       const struct event *completion);

#endif
