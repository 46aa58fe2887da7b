/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of protocol buffers, field by field (protobuf.dev, "Encoding"). */
#ifndef IMPORT_PROTO_H
#define IMPORT_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the rest of a message */
struct proto {
	const uint8_t *at, *end;
};

struct proto_field {
	uint32_t number;
	bool is_bytes;		/* text, bytes or a message: in, else n */
	uint64_t n;
	struct proto in;
};

/* 1: the next field; 0: the end; -EBADMSG */
int proto_next(struct proto *m, struct proto_field *f);

/* 1 and a number of variable length; or -EBADMSG */
int proto_number(struct proto *m, uint64_t *n);

static inline size_t proto_len(const struct proto *m)
{
	return (size_t)(m->end - m->at);
}

#endif
