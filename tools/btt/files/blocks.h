/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which blocks were issued to a device, and when: <name>_<dev>_r.dat for
 * reads, _w.dat for writes, _c.dat for both (-B).
 */
#ifndef TOOLS_BTT_FILES_BLOCKS_H
#define TOOLS_BTT_FILES_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/rw_files.h"

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

#endif
