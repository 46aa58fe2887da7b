/*
 * What a replay file asks for, found by reading it once from end to end
 * before anything is done: sums, bounds, and whether it is whole.
 */
#ifndef TOOLS_BTREPLAY_SCAN_H
#define TOOLS_BTREPLAY_SCAN_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct bunch_reader;		/* replay/bunch_reader.h */

/* sectors that somebody uses, and what of the file falls onto them */
struct region {
	uint64_t start, end;	/* sectors of the device; end is behind it */
	char what[160];		/* "mounted on /home" */
	uint64_t ios, writes;
};

struct scan {
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
void scan_add(struct scan *s, const struct bunch *b);

/*
 * Reads all of r, which is rewound then, into *s, whose first three members
 * are the caller's.  0; -1: it is damaged, bunch_reader_fault() says how;
 * -2: whole bunches are missing at its end, by its header's count.
 */
int scan_read(struct scan *s, struct bunch_reader *r);

#endif
