/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of I/Os, a line each.  What is in their columns is said in words,
 *
 *	time:us,op,offset:sectors,bytes,response:us,device
 *
 * where "-" is a column without interest.  Units: of times s, ms, us, ns, and
 * filetime (100 ns since 1601); of offset and bytes bytes, sectors, or a number
 * of bytes.  Without one, times are in s, and the others in bytes.
 */
#ifndef IMPORT_COLUMNS_H
#define IMPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/lines.h"

enum { COLUMNS_MAX = 64 };

enum column_kind {
	COLUMN_NONE,
	COLUMN_TIME,		/* submission */
	COLUMN_END,		/* completion */
	COLUMN_RESPONSE,	/* from submission to completion */
	COLUMN_QUEUE,		/* from submission to issue */
	COLUMN_SERVICE,		/* from issue to completion */
	COLUMN_OP,
	COLUMN_OFFSET,
	COLUMN_BYTES,
	COLUMN_DEVICE,		/* several make up its name */
	COLUMN_PID,
	COLUMN_PROCESS,
	COLUMN_ERROR,
	COLUMN_CPU,
	COLUMN_KINDS
};

struct columns {
	struct column {
		enum column_kind kind;
		uint64_t scale;		/* of the number: to ns or bytes */
		bool filetime;
	} list[COLUMNS_MAX];
	unsigned int count;
	uint32_t has;		/* kinds, as bits */
	uint64_t shift;		/* ns, added to all times */
	char separator;		/* ' ': any blanks; '\0': the first line's */
};

#define ROW_NONE UINT64_MAX	/* an absent time */

struct row {
	uint64_t queued, issued, completed;	/* ns */
	uint64_t offset, bytes;			/* bytes */
	uint32_t categories;			/* of its op */
	uint32_t pid, cpu;
	uint16_t error;
	struct field process;			/* of no length: unknown */
	struct field device[4];
	unsigned int devices;			/* parts of its name */
};

/* the place of a fault in a line */
struct misfit {
	size_t column;		/* from 1, bytes */
	const char *expected;
	struct field text;	/* what is there */
};

/* 0; or -EINVAL, and why has a phrase */
int columns_parse(struct columns *c, const char *words, char *why,
		  size_t size);

/* Takes a line apart.  false: *m says what does not fit. */
bool columns_row(struct columns *c, const char *line, size_t len, struct row *r,
		 struct misfit *m);

/* which of its three times each row has: one, at least */
enum row_times { ROW_QUEUED = 1, ROW_ISSUED = 2, ROW_COMPLETED = 4 };

unsigned int columns_times(const struct columns *c);

/* whether rows are in order of completion */
bool columns_end(const struct columns *c);

#endif
