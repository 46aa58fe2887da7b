/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of text that the kernel puts between the records of tracefs' pipe.
 */
#ifndef CAPTURE_FROM_FTRACE_REMARK_H
#define CAPTURE_FROM_FTRACE_REMARK_H

#include <stddef.h>
#include <stdint.h>

enum remark_kind {
	REMARK_NONE,		/* these bytes are none */
	REMARK_CUT,		/* one that may have more bytes */
	REMARK_LOST,		/* "CPU:1 [LOST 29 EVENTS]" */
	REMARK_LOST_SOME,	/* the same without a number */
	REMARK_ENTRY,		/* "type: 5": it has no binary form */
};

struct remark {
	enum remark_kind kind;
	size_t len;		/* of the line, its end included */
	uint64_t lost;		/* events of a REMARK_LOST */
};

/* what stands at the beginning of len bytes, one or more */
struct remark remark_at(const uint8_t *p, size_t len);

#endif
