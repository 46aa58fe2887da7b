/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading thrift's compact protocol; see thrift_reader.h. */
#include "emit/parquet/thrift_reader.h"

#include "base/varint.h"

/* other types, with values that are only passed over */
enum { TRUE = 1, FALSE = 2, BYTE = 3, I16 = 4, DOUBLE = 7, SET = 10 };

static int fail(struct thrift_reader *t)
{
	t->bad = true;
	t->at = t->end;
	return 0;
}

static uint8_t byte(struct thrift_reader *t)
{
	if (t->at == t->end)
		return (uint8_t)fail(t);
	return *t->at++;
}

static uint64_t varint(struct thrift_reader *t)
{
	uint64_t v;

	if (!varint_get(&t->at, t->end, &v))
		return (uint64_t)fail(t);
	return v;
}

void thrift_enter(struct thrift_reader *t)
{
	if (t->depth == THRIFT_DEPTH)
		fail(t);
	else
		t->last[t->depth++] = 0;
}

int thrift_next(struct thrift_reader *t, int *field)
{
	uint8_t head;
	int *last;

	if (t->bad || !t->depth)
		return 0;
	head = byte(t);
	if (!head) {
		t->depth--;
		return 0;
	}
	last = &t->last[t->depth - 1];
	*last = head >> 4 ? *last + (head >> 4) :
			    (int)(int16_t)thrift_read_number(t);
	*field = *last;
	return t->bad ? 0 : head & 15;
}

int64_t thrift_read_number(struct thrift_reader *t)
{
	return varint_unzigzag(varint(t));
}

const char *thrift_read_binary(struct thrift_reader *t, size_t *len)
{
	uint64_t n = varint(t);
	const uint8_t *from = t->at;

	*len = 0;
	if (n > (uint64_t)(t->end - t->at)) {
		fail(t);
		return (const char *)t->at;
	}
	t->at += n;
	*len = (size_t)n;
	return (const char *)from;
}

uint32_t thrift_read_list(struct thrift_reader *t, int *type)
{
	uint8_t head = byte(t);
	uint64_t count = head >> 4;

	*type = head & 15;
	if (count == 15)
		count = varint(t);
	if (count > (uint64_t)(t->end - t->at))
		return (uint32_t)fail(t);
	return (uint32_t)count;
}

static void pass_list(struct thrift_reader *t)
{
	int type;
	uint32_t count = thrift_read_list(t, &type);

	for (; count && !t->bad; count--)
		if (type == TRUE || type == FALSE)
			byte(t);
		else
			thrift_pass(t, type);
}

static void pass_struct(struct thrift_reader *t)
{
	int type, field;

	thrift_enter(t);
	while ((type = thrift_next(t, &field)))
		thrift_pass(t, type);
}

void thrift_pass(struct thrift_reader *t, int type)
{
	size_t len;

	switch (type) {
	case TRUE:
	case FALSE:
		break;
	case BYTE:
		byte(t);
		break;
	case I16:
	case THRIFT_I32:
	case THRIFT_I64:
		varint(t);
		break;
	case DOUBLE:
		for (len = 0; len < sizeof(double); len++)
			byte(t);
		break;
	case THRIFT_BINARY:
		thrift_read_binary(t, &len);
		break;
	case THRIFT_LIST:
	case SET:
		if (t->depth == THRIFT_DEPTH) {
			fail(t);
			break;
		}
		t->last[t->depth++] = 0;	/* lists in lists are bounded, too */
		pass_list(t);
		t->depth--;
		break;
	case THRIFT_STRUCT:
		pass_struct(t);
		break;
	default:
		fail(t);
	}
}
