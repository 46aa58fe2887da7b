/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures in thrift's compact protocol, written field by field.
 *
 * A structure is its fields, in ascending order, and a stop.  A field is a byte
 * (difference to the previous field's number, type) and its value.  A list is
 * its length and type, and its values.
 */
#ifndef EMIT_PARQUET_THRIFT_H
#define EMIT_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain;			/* emit/parquet/chain.h */

enum thrift_type {
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

enum { THRIFT_DEPTH = 8 };	/* structures in structures */

struct thrift {
	struct chain *to;
	int last[THRIFT_DEPTH];	/* the previous field of each open structure */
	int depth;
	bool failed;		/* no memory: bytes are missing */
};

/* starts the outermost structure, at the end of a chain */
void thrift_begin(struct thrift *t, struct chain *to);

/* ends it; 0, or -ENOMEM, also of earlier calls */
int thrift_end(struct thrift *t);

/* fields, numbered from 1; field 0 is a value of the last list */
void thrift_i32(struct thrift *t, int field, int32_t v);
void thrift_i64(struct thrift *t, int field, int64_t v);
void thrift_binary(struct thrift *t, int field, const void *bytes, size_t len);
void thrift_text(struct thrift *t, int field, const char *text);

/* a list, of which count values of a type follow */
void thrift_list(struct thrift *t, int field, enum thrift_type type,
		 uint32_t count);

/* starts and ends a nested structure */
void thrift_struct(struct thrift *t, int field);
void thrift_stop(struct thrift *t);

#endif
