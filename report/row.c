/* SPDX-License-Identifier: GPL-2.0-only */
/* An io as a report has it; see row.h. */
#include "base/hint.h"
#include "blktrace.h"
#include "report/row.h"
#include "request/io.h"
#include "stat/group_op.h"

bool report_row_counts(const struct io *io)
{
	return io->link != IO_SPLIT && io->kind != IO_PASS &&
	       io->kind != IO_FLUSH;
}

/* of an I/O that counts; the one of the zones' that moves data is a write */
static enum report_op op_of(const struct io *io)
{
	static const uint8_t ops[GROUP_OPS] = {
		[GROUP_READ] = REPORT_READ, [GROUP_WRITE] = REPORT_WRITE,
		[GROUP_FLUSH] = REPORT_FLUSH, [GROUP_DISCARD] = REPORT_DISCARD,
		[GROUP_ZERO] = REPORT_OTHER, [GROUP_ZONE] = REPORT_OTHER,
		[GROUP_PASSTHROUGH] = REPORT_OTHER,
		[GROUP_OTHER] = REPORT_OTHER,
	};

	return io->op == IO_APPEND ? REPORT_WRITE : ops[group_op_of(io)];
}

static bool has(const struct io *io, enum io_phase phase)
{
	return io->has >> phase & 1;
}

static uint64_t span(const struct io *io, enum io_phase phase)
{
	return has(io, phase) ? io->phase[phase] : 0;
}

static inline unsigned int flag_if(const struct io *io, unsigned int category,
				   unsigned int flag)
{
	return io->categories & BLK_TC_BIT(category) ? flag : 0;
}

/* what most I/Os have none of */
#define RARE (BLK_TC_BIT(BLK_TC_FUA) | BLK_TC_BIT(BLK_TC_META) | \
	      BLK_TC_BIT(BLK_TC_AHEAD) | BLK_TC_BIT(BLK_TC_FLUSH))

static uint8_t flags_of(const struct io *io)
{
	unsigned int flags = flag_if(io, BLK_TC_SYNC, REPORT_SYNC);

	if (UNLIKELY(io->categories & RARE))
		flags |= flag_if(io, BLK_TC_FUA, REPORT_FUA) |
			 flag_if(io, BLK_TC_META, REPORT_META) |
			 flag_if(io, BLK_TC_AHEAD, REPORT_AHEAD) |
			 flag_if(io, BLK_TC_FLUSH, REPORT_FLUSHES);
	if (io->birth == 'Q')
		flags |= REPORT_HAS_Q;
	if (io->issued != IO_NONE || has(io, IO_D2C))
		flags |= REPORT_HAS_D;
	if (io->merge != IO_NOT_MERGED)
		flags |= REPORT_MERGED;
	return (uint8_t)flags;
}

/*
 * What lies behind the data (a flush) counts as waiting, so that D2C is the
 * device's.  The time of the D is that much later then.
 */
static void set_end(struct report_row *row, const struct io *io)
{
	bool ended = io_completed(io) && !io->gap;

	if (ended && has(io, IO_D2C)) {
		row->end = io->phase[IO_D2C] + 1;
		row->q2d = io->total - io->phase[IO_D2C] + 1;
		return;
	}
	if (ended) {
		row->end = io->total + 1;
		row->flags &= (uint8_t)~REPORT_HAS_D;
	} else if (io->issued != IO_NONE && io->issued >= io->time) {
		row->q2d = io->issued - io->time + 1;
	}
}

/* No phase ends after the next one's end, even if requeued. */
static void set_phases(struct report_row *row, const struct io *io)
{
	uint64_t most = row->q2d ? row->q2d - 1 :
			row->end ? row->end - 1 : UINT64_MAX;

	row->q2g = span(io, IO_Q2G);
	if (has(io, IO_Q2M))
		row->q2i = io->phase[IO_Q2M];
	else
		row->q2i = row->q2g + span(io, IO_G2I) + span(io, IO_G2M);
	if (row->q2i > most)
		row->q2i = most;
	if (row->q2g > row->q2i)
		row->q2g = row->q2i;
}

void report_row_make(struct report_row *row, const struct io *io)
{
	*row = (struct report_row){
		.id = io->id, .time = io->time, .sector = io->sector,
		.cgroup = io->cgroup, .error = io->error,
		.flags = flags_of(io), .op = op_of(io),
	};
	row->blocks = (uint32_t)(io->bytes >> 9);
	set_end(row, io);
	set_phases(row, io);
}
