/* SPDX-License-Identifier: GPL-2.0-only */
/* What blkparse has printed of an event, and the event with these values, as
 * import/printed.h describes it. */
#ifndef IMPORT_PRINTED_EVENT_H
#define IMPORT_PRINTED_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "import/lines.h"
#include "record/record.h"

/* bytes of a payload: of a message with its cgroup id */
enum { PRINTED_PAYLOAD = LINES_MAX + BLK_CGROUP_SIZE };

/* All zeros has nothing. */
struct printed {
	/* sector, bytes, pid, device, cpu, error; the rest is made */
	struct event ev;
	uint32_t action;	/* its number; 0 if it is a message */
	uint32_t seconds, ns;	/* since the first event, as printed */
	uint32_t sequence;
	uint32_t categories;	/* of the RWBS letters */
	uint32_t cgroup[2];
	bool has_sequence, has_size, has_cgroup, has_value, has_remap;
	bool is_read;		/* the letters have an R */
	bool is_pc;		/* a packet command's */
	uint64_t value;		/* unplugged requests, new sector of a split */
	uint32_t remap_device;	/* where a remap is from, */
	uint64_t remap_sector;	/* its sector there */
	struct field command;	/* in hexadecimal */
	struct field name;	/* of the process; of no length: unknown */
	struct field text;	/* of a message */
};

/* the number of an action by its letters; 0: there is none */
uint32_t printed_action(const char *letters, size_t len);

/* sets what RWBS letters say; false: they are none */
bool printed_rwbs(struct printed *p, const char *letters, size_t len);

/* sets the size, in sectors; false: too large */
bool printed_sectors(struct printed *p, uint64_t sectors);

/* sets the name, unless it stands for an unknown one */
void printed_name(struct printed *p, const char *name, size_t len);

/* The bytes of a packet command, "12 00 ..", at the start of text, to bytes, a
 * third of len, or NULL; their number, 0: it is none, and *used, its length. */
size_t printed_command(const char *text, size_t len, uint8_t *bytes,
		       size_t *used);

/* completes p->ev, with its payload in bytes, but for its time */
void printed_make(struct printed *p, uint8_t bytes[PRINTED_PAYLOAD]);

#endif
