/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations; see group_op.h. */
#include "request/io.h"
#include "stat/group_op.h"

static const unsigned char ops[IO_OPS] = {
	[IO_READ] = GROUP_READ,
	[IO_WRITE] = GROUP_WRITE,
	[IO_DISCARD] = GROUP_DISCARD,
	[IO_ZEROES] = GROUP_ZERO,
	[IO_FLUSH_OP] = GROUP_FLUSH,
	[IO_APPEND] = GROUP_ZONE,
	[IO_RESET] = GROUP_ZONE,
	[IO_RESET_ALL] = GROUP_ZONE,
	[IO_FINISH] = GROUP_ZONE,
	[IO_OPEN_ZONE] = GROUP_ZONE,
	[IO_CLOSE_ZONE] = GROUP_ZONE,
};

static const char *const names[GROUP_OPS] = {
	[GROUP_READ] = "read",
	[GROUP_WRITE] = "write",
	[GROUP_FLUSH] = "flush",
	[GROUP_DISCARD] = "discard",
	[GROUP_ZERO] = "zero",
	[GROUP_ZONE] = "zone",
	[GROUP_PASSTHROUGH] = "passthrough",
	[GROUP_OTHER] = "other",
};

enum group_op group_op_of(const struct io *io)
{
	if (io->kind == IO_PASS)
		return GROUP_PASSTHROUGH;
	if (io->kind == IO_FLUSH)
		return GROUP_FLUSH;
	/* RWBS N has no category and looks like a read */
	if (io->op == IO_READ && !io->bytes)
		return GROUP_OTHER;
	return ops[io->op];
}

const char *group_op_name(enum group_op op)
{
	return names[op];
}
