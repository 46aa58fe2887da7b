/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations as people tell them apart: the words of expr/expr.h.
 */
#ifndef STAT_GROUP_OP_H
#define STAT_GROUP_OP_H

#include <stdbool.h>

#include "request/io.h"

/* in the order of tables */
enum group_op {
	GROUP_READ,
	GROUP_WRITE,
	GROUP_FLUSH,		/* also the kernel's own flush request */
	GROUP_DISCARD,
	GROUP_ZERO,
	GROUP_ZONE,		/* append, reset, ... */
	GROUP_PASSTHROUGH,
	GROUP_OTHER,		/* without bytes, and none of these */
	GROUP_OPS
};

/* which one an io is */
enum group_op group_op_of(const struct io *io);

/* Whether its bytes are read or written: discards, zeroes and most of what is
 * done to zones move none. */
static inline bool group_moves_data(const struct io *io)
{
	return io->op == IO_READ || io->op == IO_WRITE || io->op == IO_APPEND;
}

/* the word for it in tables, files and expressions */
const char *group_op_name(enum group_op op);

#endif
