/*
 * What a replay file asks for, found by reading it once from end to end
 * before anything is done: sums, bounds, and whether it is whole.
 */
#ifndef TOOLS_BTREPLAY_SURVEY_H
#define TOOLS_BTREPLAY_SURVEY_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct recording;		/* replay/recording.h */

/* sectors that somebody uses, and what of the file falls onto them */
struct region {
	uint64_t start, end;	/* sectors of the device; end is behind it */
	char what[160];		/* "mounted on /home" */
	uint64_t ios, writes;
};

struct survey {
	/* where to look for overlap; may be NULL */
	struct region *regions;
	unsigned int region_count;
	uint64_t sectors;	/* of the device; 0: not known */

	uint64_t bunches;
	uint64_t reads, writes;	/* I/Os */
	uint64_t read_bytes, write_bytes;
	uint32_t longest_read, longest_write;	/* bytes, of possible ones */
	uint64_t first, last;	/* sectors; last is behind the end */
	uint64_t impossible;	/* I/Os that no kernel takes */
	uint64_t beyond;	/* I/Os that go behind the device's end */
	uint64_t genesis, end;	/* ns, the least and the greatest time */
};

/* adds a bunch to all sums */
void survey_add(struct survey *s, const struct bunch *b);

/*
 * Reads all of r, which is rewound then, into *s, whose first three members
 * are the caller's.  0; -1: it is damaged, recording_fault() says how;
 * -2: whole bunches are missing at its end, by its header's count.
 */
int survey_take(struct survey *s, struct recording *r);

#endif
