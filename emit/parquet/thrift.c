/* SPDX-License-Identifier: GPL-2.0-only */
/* Thrift's compact protocol; see thrift.h. */
#include "emit/parquet/thrift.h"

#include <errno.h>
#include <string.h>

#include "base/varint.h"
#include "emit/parquet/chain.h"

/* a field's or a list's head and a number */
enum { HEAD_BYTES = 2 + 2 * VARINT_BYTES };

/* lengths from here do not fit into a list's first byte */
enum { LONG_LIST = 15 };

/* Room for a head, or NULL after running out of memory. */
static uint8_t *room(struct thrift *t)
{
	uint8_t *p = t->failed ? NULL : chain_room(t->to, HEAD_BYTES);

	t->failed = !p;
	return p;
}

/* Field numbers never differ by more than 15: one byte. */
static uint8_t *field_head(struct thrift *t, uint8_t *p, int field,
			   enum thrift_type type)
{
	int *last = &t->last[t->depth];

	if (!field)
		return p;
	*p++ = (uint8_t)((field - *last) << 4 | (int)type);
	*last = field;
	return p;
}

static void number(struct thrift *t, int field, enum thrift_type type,
		   int64_t v)
{
	uint8_t *p = room(t);

	if (!p)
		return;
	p = field_head(t, p, field, type);
	chain_commit(t->to, varint_put(p, varint_zigzag(v)));
}

void thrift_begin(struct thrift *t, struct chain *to)
{
	*t = (struct thrift){ .to = to };
}

int thrift_end(struct thrift *t)
{
	thrift_stop(t);
	return t->failed ? -ENOMEM : 0;
}

void thrift_i32(struct thrift *t, int field, int32_t v)
{
	number(t, field, THRIFT_I32, v);
}

void thrift_i64(struct thrift *t, int field, int64_t v)
{
	number(t, field, THRIFT_I64, v);
}

void thrift_binary(struct thrift *t, int field, const void *bytes, size_t len)
{
	uint8_t *p = room(t);

	if (!p)
		return;
	p = field_head(t, p, field, THRIFT_BINARY);
	chain_commit(t->to, varint_put(p, len));
	t->failed = chain_append(t->to, bytes, len) != 0;
}

void thrift_text(struct thrift *t, int field, const char *text)
{
	thrift_binary(t, field, text, strlen(text));
}

void thrift_list(struct thrift *t, int field, enum thrift_type type,
		 uint32_t count)
{
	uint8_t *p = room(t);

	if (!p)
		return;
	p = field_head(t, p, field, THRIFT_LIST);
	if (count < LONG_LIST) {
		*p++ = (uint8_t)(count << 4 | (uint32_t)type);
	} else {
		*p++ = (uint8_t)(LONG_LIST << 4 | (int)type);
		p = varint_put(p, count);
	}
	chain_commit(t->to, p);
}

void thrift_struct(struct thrift *t, int field)
{
	uint8_t *p = room(t);

	if (!p)
		return;
	chain_commit(t->to, field_head(t, p, field, THRIFT_STRUCT));
	t->last[++t->depth] = 0;
}

void thrift_stop(struct thrift *t)
{
	uint8_t *p = room(t);

	if (!p)
		return;
	*p++ = 0;
	chain_commit(t->to, p);
	if (t->depth)
		t->depth--;
}
