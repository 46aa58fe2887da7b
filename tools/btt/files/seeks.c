/* SPDX-License-Identifier: GPL-2.0-only */
/* Every seek; see seeks.h. */
#include "base/num.h"
#include "tools/btt/files/seeks.h"
#include "tools/btt/seconds.h"

enum { TIME_WIDTH = 15, DISTANCE_WIDTH = 13 };

void seek_files_write(struct rw_files *t, bool read, uint64_t time,
		      int64_t distance)
{
	char line[2 * SECONDS_MAX], *p = line;

	p = seconds_nano(p, time, TIME_WIDTH);
	*p++ = ' ';
	p = num_i64_right(p, distance, DISTANCE_WIDTH);
	*p++ = ' ';
	*p++ = read ? 'r' : 'w';
	*p++ = '\n';
	rw_files_write(t, read, line, (size_t)(p - line));
}
