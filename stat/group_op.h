/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations by name: the words of expr/expr.h. */
#ifndef STAT_GROUP_OP_H
#define STAT_GROUP_OP_H

#include <stdbool.h>

#include "request/io.h"

/* in the order of tables */
enum group_op {
	GROUP_READ,
	GROUP_WRITE,
	GROUP_FLUSH,		/* or the kernel's own flush request */
	GROUP_DISCARD,
	GROUP_ZERO,
	GROUP_ZONE,		/* append, reset, ... */
	GROUP_PASSTHROUGH,
	GROUP_OTHER,		/* without bytes, none of the above */
	GROUP_OPS
};

/* the operation of an I/O */
enum group_op group_op_of(const struct io *io);

/* Whether data move: not for discards, zeroes and most zone operations. */
static inline bool group_moves_data(const struct io *io)
{
	return io->op == IO_READ || io->op == IO_WRITE || io->op == IO_APPEND;
}

/* in tables, files and expressions */
const char *group_op_name(enum group_op op);

#endif
