/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every seek: <name>_<dev>_d2d_r.dat, _w.dat and _c.dat (both) between
 * requests issued, <name>_<dev>_q2q_... between requests queued (-s).
 */
#ifndef TOOLS_BTT_FILES_SEEKS_H
#define TOOLS_BTT_FILES_SEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/rw_files.h"

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

#endif
