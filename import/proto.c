/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of protocol buffers; see proto.h. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "base/varint.h"
#include "import/proto.h"

/* how a field's value is written: the low three bits of what is in front */
enum kind { NUMBER, EIGHT, BYTES, FOUR = 5 };

int proto_number(struct proto *m, uint64_t *n)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < VARINT_BYTES && m->at < m->end; i++) {
		uint8_t byte = *m->at++;

		value |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (byte < 0x80) {
			*n = value;
			return 1;
		}
	}
	return -EBADMSG;
}

static int take_fixed(struct proto *m, uint64_t *n, size_t len)
{
	uint8_t bytes[8] = { 0 };

	if (len > proto_len(m))
		return -EBADMSG;
	memcpy(bytes, m->at, len);
	m->at += len;
	memcpy(n, bytes, sizeof(*n));
	*n = le64toh(*n);
	return 1;
}

static int take_bytes(struct proto *m, struct proto *in)
{
	uint64_t len;

	if (proto_number(m, &len) < 0 || len > proto_len(m))
		return -EBADMSG;
	*in = (struct proto){ m->at, m->at + len };
	m->at += len;
	return 1;
}

int proto_next(struct proto *m, struct proto_field *f)
{
	uint64_t key;

	if (m->at == m->end)
		return 0;
	if (proto_number(m, &key) < 0 || !(key >> 3) || key >> 3 > UINT32_MAX)
		return -EBADMSG;
	*f = (struct proto_field){ .number = (uint32_t)(key >> 3),
				   .is_bytes = (key & 7) == BYTES };
	switch ((enum kind)(key & 7)) {
	case NUMBER:
		return proto_number(m, &f->n);
	case EIGHT:
		return take_fixed(m, &f->n, 8);
	case BYTES:
		return take_bytes(m, &f->in);
	case FOUR:
		return take_fixed(m, &f->n, 4);
	default:
		return -EBADMSG;
	}
}
