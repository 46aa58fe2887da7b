/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of joined records; see joined_events.h.  Words of actions are those that
 * bpf/records.bpf.h makes of the same tracepoints.
 */
#include <endian.h>
#include <string.h>

#include "capture/from/bpf_status.h"
#include "capture/from/joined_events.h"

#define QUEUED(action) ((action) | BLK_TC_ACT(BLK_TC_QUEUE))
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* of the kernel's operations, and flags beside them */
enum {
	OP_MASK = 0xff,
	OP_FLUSH = 2,
	OP_DISCARD = 3,
	OP_SECURE_ERASE = 5,
	OP_DRV_IN = 34,		/* commands that pass through */
	OP_DRV_OUT = 35,
	FLAGS = 1 << 11 | 1 << 12 | 1 << 17 | 1 << 18 | 1 << 19,
};

/* --- categories -------------------------------------------------------------- */

static uint32_t flag_words(uint32_t flags)
{
	static const struct {
		uint32_t flag, word;
	} words[] = {
		{ 1 << 11, BLK_TC_ACT(BLK_TC_SYNC) },
		{ 1 << 12, BLK_TC_ACT(BLK_TC_META) },
		{ 1 << 17, BLK_TC_ACT(BLK_TC_FUA) },
		{ 1 << 18, BLK_TC_ACT(BLK_TC_FLUSH) },
		{ 1 << 19, BLK_TC_ACT(BLK_TC_AHEAD) },
	};
	uint32_t word = 0;

	for (size_t i = 0; i < COUNT(words); i++)
		if (flags & words[i].flag)
			word |= words[i].word;
	return word;
}

static uint32_t categories(uint32_t flags)
{
	uint32_t op = flags & OP_MASK;
	uint32_t word = op & 1 ? BLK_TC_ACT(BLK_TC_WRITE) :
				 BLK_TC_ACT(BLK_TC_READ);

	if (flags & FLAGS)
		word |= flag_words(flags);
	if (op == OP_DISCARD || op == OP_SECURE_ERASE)
		word |= BLK_TC_ACT(BLK_TC_DISCARD);
	if (op == OP_FLUSH)
		word |= BLK_TC_ACT(BLK_TC_FLUSH);
	return word;
}

/* what requests have, and bios have not */
static uint32_t request_category(uint32_t flags)
{
	uint32_t op = flags & OP_MASK;

	return op == OP_DRV_IN || op == OP_DRV_OUT ?
		       BLK_TC_ACT(BLK_TC_PC) : BLK_TC_ACT(BLK_TC_FS);
}

/* --- the last event ---------------------------------------------------------- */

static const struct {
	uint32_t events, action;
	unsigned int word;	/* its categories are a bio's, or a request's */
} lasts[] = {
	{ JOINED_COMPLETE, BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE), 1 },
	{ JOINED_REQUEUE, BLK_TA_REQUEUE | BLK_TC_ACT(BLK_TC_REQUEUE), 1 },
	{ JOINED_BACKMERGE, QUEUED(BLK_TA_BACKMERGE), 0 },
	{ JOINED_FRONTMERGE, QUEUED(BLK_TA_FRONTMERGE), 0 },
	{ JOINED_RQ_MERGE, QUEUED(BLK_TA_BACKMERGE), 1 },
	{ JOINED_REMAP, QUEUED(BLK_TA_REMAP), 0 },
	{ JOINED_RQ_REMAP, QUEUED(BLK_TA_REMAP), 1 },
	{ JOINED_SPLIT, BLK_TA_SPLIT, 0 },
	{ JOINED_BIO_COMPLETE, BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE),
	  0 },
};

static uint32_t last_action(const struct joined_events *e)
{
	for (size_t i = 0; i < COUNT(lasts); i++)
		if (e->io.events & lasts[i].events)
			return lasts[i].action | e->words[lasts[i].word];
	return 0;
}

void joined_events_find(struct joined_events *e, const struct joined_io *io,
			uint16_t cpu, uint16_t status)
{
	e->io = *io;
	e->words[0] = categories(io->flags);
	e->words[1] = e->words[0] | request_category(io->flags);
	e->last = last_action(e);
	e->last_cpu = cpu;
	e->error = status ? bpf_status_errno(status) : 0;
}

void joined_events_payload(const struct joined_events *e,
			   uint8_t payload[JOINED_PAYLOAD])
{
	const struct joined_origin *o = &e->io.origin;
	const uint32_t devices[] = { htobe32(o->from), htobe32(o->to) };
	const uint64_t sector = htobe64(o->sector);

	if (e->io.events & JOINED_SPLIT) {
		memcpy(payload, &sector, sizeof(sector));
		return;
	}
	memcpy(payload, devices, sizeof(devices));
	memcpy(payload + sizeof(devices), &sector, sizeof(sector));
}
