/* SPDX-License-Identifier: GPL-2.0-only */
/* Which blocks were issued; see blocks.h. */
#include "base/num.h"
#include "tools/btt/files/blocks.h"
#include "tools/btt/seconds.h"

enum { WIDTH = 15 };

void blocks_write(struct rw_files *t, bool read, uint64_t time, uint64_t start,
		  uint64_t end)
{
	char line[2 * SECONDS_MAX], *p = line;

	p = seconds_nano(p, time, WIDTH);
	*p++ = ' ';
	p = num_i64_right(p, (int64_t)start, 0);
	*p++ = ' ';
	p = num_i64_right(p, (int64_t)end, 0);
	*p++ = '\n';
	rw_files_write(t, read, line, (size_t)(p - line));
}
