/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of each request; see requests.h. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/num.h"
#include "record/record.h"
#include "tools/btt/datafile.h"
#include "tools/btt/files/requests.h"
#include "tools/btt/requests.h"
#include "tools/btt/seconds.h"

/* --- blocks --------------------------------------------------------------- */

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

/* --- seeks ---------------------------------------------------------------- */

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

/* --- as text ------------------------------------------------------------- */

static char *text(char *p, const char *s)
{
	size_t len = strlen(s);

	memcpy(p, s, len);
	return p + len;
}

/* left-aligned in width columns */
static char *num_left(char *p, uint32_t v, unsigned int width)
{
	char *end = num_u32(p, v);

	while (end < p + width)
		*end++ = ' ';
	return end;
}

/* "%5d.%09lu %c %10llu+%-4u\n" */
static char *moment(char *p, uint64_t time, char letter, uint64_t sector,
		    uint32_t blocks)
{
	p = seconds_stamp(p, time, 5);
	*p++ = ' ';
	*p++ = letter;
	*p++ = ' ';
	p = num_u64_right(p, sector, 10);
	*p++ = '+';
	p = num_left(p, blocks, 4);
	*p++ = '\n';
	return p;
}

static char *later(char *p, uint64_t time, char letter, uint64_t sector,
		   uint32_t blocks)
{
	if (time == NEVER)
		return p;
	return moment(text(p, "         "), time, letter, sector, blocks);
}

void lives_add(struct datafile *f, const struct request *r,
	       const struct event *completion)
{
	char *p = datafile_room(f, 6 * 2 * SECONDS_MAX);
	uint32_t blocks = r->blocks;

	if (!p)
		return;
	p = num_u64_right(p, BLK_MAJOR(completion->device), 3);
	*p++ = ',';
	p = text(num_left(p, BLK_MINOR(completion->device), 3), ": ");
	p = moment(p, r->queued, 'Q', r->sector, blocks);
	p = later(p, r->allocated, 'G', r->sector, blocks);
	p = later(p, r->inserted, 'I', r->sector, blocks);
	p = later(p, r->merged, 'M', r->sector, blocks);
	p = later(p, r->issued, 'D', r->issue_sector, r->issue_blocks);
	p = later(p, completion->time, 'C', completion->sector,
		  completion->bytes >> 9);
	*p++ = '\n';
	datafile_commit(f, p);
}

void lives_end(struct datafile *f)
{
	char *p = datafile_room(f, SECONDS_MAX);

	if (!p)
		return;
	p = text(p, "-----------------------------------------\n");
	datafile_commit(f, p);
}

/* --- as times ------------------------------------------------------------ */

/* prints NEVER as a number if nothing was issued */
void trees_add(struct datafile *f, const struct requests *found,
	       const struct event *completion)
{
	uint64_t issued = NEVER;
	char *p = datafile_room(f, (found->found_count + 2) *
					   (size_t)SECONDS_MAX);

	if (!p)
		return;
	for (uint32_t i = 0; i < found->found_count; i++) {
		const struct request *r = &found->list[found->found[i]];

		p = seconds_stamp(p, r->queued, 0);
		*p++ = ' ';
		if (r->issued != NEVER)
			issued = r->issued;
	}
	p = seconds_stamp(text(p, "| "), issued, 0);
	p = seconds_stamp(text(p, " | "), completion->time, 0);
	*p++ = '\n';
	datafile_commit(f, p);
}
