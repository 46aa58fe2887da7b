/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's remarks; see ftrace_remark.h. */
#include <stdio.h>
#include <string.h>

#include "capture/from/ftrace_remark.h"

enum { LINE_MAX = 80 };		/* no remark is as long */

/* The kind of a line, without its end, and its number of lost events. */
static enum remark_kind read_line(const char *line, uint64_t *lost)
{
	unsigned long long events;
	unsigned int nr;
	int end = 0;

	if (sscanf(line, "type: %u%n", &nr, &end) == 1 && !line[end])
		return REMARK_ENTRY;
	if (sscanf(line, "CPU:%u [LOST %llu EVENTS]", &nr, &events) == 2) {
		*lost = events;
		return REMARK_LOST;
	}
	end = 0;
	sscanf(line, "CPU:%u [LOST EVENTS]%n", &nr, &end);
	return end ? REMARK_LOST_SOME : REMARK_NONE;
}

struct remark remark_at(const uint8_t *p, size_t len)
{
	size_t room = len < LINE_MAX - 1 ? len : LINE_MAX - 1;
	const uint8_t *end = memchr(p, '\n', room);
	struct remark r = { .kind = REMARK_NONE };
	char line[LINE_MAX];

	if (*p != 'C' && *p != 't')
		return r;
	if (!end) {
		r.kind = room < LINE_MAX - 1 ? REMARK_CUT : REMARK_NONE;
		return r;
	}
	memcpy(line, p, (size_t)(end - p));
	line[end - p] = '\0';
	r.kind = read_line(line, &r.lost);
	r.len = (size_t)(end - p) + 1;
	return r;
}
