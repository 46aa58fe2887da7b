/* SPDX-License-Identifier: GPL-2.0-only */
/* Protobuf's encoding; see protobuf.h. */
#include <string.h>

#include "base/hint.h"
#include "emit/protobuf.h"

uint8_t *protobuf_bytes(uint8_t *p, unsigned int field, const void *bytes,
			uint32_t len)
{
	p = varint_put(protobuf_tag(p, field, PROTOBUF_BYTES), len);
	memcpy(p, bytes, len);
	return p + len;
}

uint8_t *protobuf_text(uint8_t *p, unsigned int field, const char *text)
{
	return protobuf_bytes(p, field, text, (uint32_t)strlen(text));
}

/* The length takes more than the byte that was left for it. */
COLD uint8_t *protobuf_close_long(uint8_t *begin, uint8_t *end)
{
	uint8_t length[VARINT_BYTES];
	size_t len = (size_t)(end - begin);
	size_t more = (size_t)(varint_put(length, len) - length) - 1;

	memmove(begin + more, begin, len);
	memcpy(begin - 1, length, more + 1);
	return end + more;
}
