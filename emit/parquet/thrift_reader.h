/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures in thrift's compact protocol (emit/parquet/thrift.h), read field by
 * field from memory that may hold anything:
 *
 *	thrift_enter(&t);
 *	while ((type = thrift_next(&t, &field)))
 *		if (field == 3 && type == THRIFT_I64)
 *			rows = thrift_read_number(&t);
 *		else
 *			thrift_pass(&t, type);
 *
 * After damage all calls return 0 or nothing, and bad is set.
 */
#ifndef EMIT_PARQUET_THRIFT_READER_H
#define EMIT_PARQUET_THRIFT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emit/parquet/thrift.h"

struct thrift_reader {
	const uint8_t *at, *end;
	bool bad;
	int last[THRIFT_DEPTH];	/* the previous field of each open structure */
	int depth;
};

/* enters a structure: the outermost, or the one that is next */
void thrift_enter(struct thrift_reader *t);

/* the type of the next field, and its number; 0: the structure has ended */
int thrift_next(struct thrift_reader *t, int *field);

/* passes over a value of a type */
void thrift_pass(struct thrift_reader *t, int type);

/* a value of type THRIFT_I32 or THRIFT_I64 */
int64_t thrift_read_number(struct thrift_reader *t);

/* a value of type THRIFT_BINARY, in the memory read; *len bytes */
const char *thrift_read_binary(struct thrift_reader *t, size_t *len);

/* a value of type THRIFT_LIST: the number of values, which follow, and their
 * type; each has at least a byte */
uint32_t thrift_read_list(struct thrift_reader *t, int *type);

#endif
