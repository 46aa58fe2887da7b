/* SPDX-License-Identifier: GPL-2.0-only */
/* An io as slices; see slices.h. */
#include "base/buf.h"
#include "base/hint.h"
#include "emit/perfetto/words.h"
#include "emit/perfetto/packet.h"
#include "emit/perfetto/slices.h"
#include "emit/perfetto/turns.h"

/* of an io with all phases, without its flows */
enum { ROOM = (2 + 2 * IO_PHASES) * PACKET_MAX + 8 * PACKET_NUMBER };

static inline uint64_t as_signed(uint64_t v)
{
	return v <= INT64_MAX ? v : INT64_MAX;
}

static inline uint8_t *annotate(uint8_t *p, const struct turn *turn)
{
	const struct io *io = &turn->io;

	p = packet_annotate(p, WORDS_ID, io->id);
	p = packet_annotate(p, WORDS_SECTOR, as_signed(io->sector));
	p = packet_annotate(p, WORDS_BYTES, as_signed(io->bytes));
	if (turn->flags)
		p = packet_annotate_text(p, WORDS_FLAGS, turn->flags);
	p = packet_annotate(p, WORDS_PID, io->pid);
	if (turn->process)
		p = packet_annotate_text(p, WORDS_PROCESS, turn->process);
	if (UNLIKELY(io->error))
		p = packet_annotate(p, WORDS_ERROR, io->error);
	return p;
}

/* A flow has the id of the lower of both ios, and is on both. */
static inline uint8_t *connect(uint8_t *p, const struct turns *t,
			       const struct turn *turn)
{
	const struct turn *child = turns_child(t, turn->child);

	if (turn->io.parent)
		p = packet_flow(p, turn->io.id);
	for (; child; child = turns_child(t, child->sibling))
		p = packet_flow(p, child->io.id);
	return p;
}

static inline uint8_t *put_phases(uint8_t *p, const struct io *io,
				  uint64_t track)
{
	uint64_t at = io->time;

	for (uint32_t left = io->has; left; left &= left - 1) {
		uint32_t phase = (uint32_t)__builtin_ctz(left);

		p = packet_begin(p, at, track, WORDS_PHASE + phase);
		at += io->phase[phase];
		p = packet_end(p, at, track);
	}
	return p;
}

void slices_write(struct buf *b, const struct turns *t,
		  const struct turn *turn, uint64_t track)
{
	const struct io *io = &turn->io;
	struct packet_open o;
	uint8_t *p = (uint8_t *)buf_room(b, ROOM + (turn->children + 1) *
						   (size_t)PACKET_NUMBER);

	if (!p)
		return;
	p = packet_open(&o, p, io->time, track, WORDS_OP + io->op);
	p = packet_close(&o, connect(annotate(p, turn), t, turn));
	p = put_phases(p, io, track);
	p = packet_end(p, io->time + io->total, track);
	buf_commit(b, (char *)p);
}
