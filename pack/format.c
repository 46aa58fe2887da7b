/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers of packed blocks; see format.h. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "base/little.h"
#include "pack/format.h"

/* offsets of fields; a block's name follows them */
enum {
	OFF_VERSION = 8, OFF_KIND = 9, OFF_FLAGS = 10, OFF_SIZE = 12,
	OFF_NAME_LEN = 14, OFF_STREAM = 16, OFF_CPU = 20, OFF_AT = 24,
	OFF_NUMBER = 32, OFF_LEAST = 40, OFF_MOST = 48, OFF_SEQUENCE = 56,
	OFF_LEN = 60, OFF_EVENTS = 64, OFF_NOTES = 68, OFF_NOTES_LEN = 72,
	OFF_NOTES_PACKED = 76, OFF_COLUMNS_LEN = 80, OFF_COLUMNS_PACKED = 84,
	OFF_ZERO = 88, OFF_CHECK = 92,
};

size_t pack_block_size(const struct pack_header *h)
{
	return PACK_FIXED + (size_t)h->name_len + h->notes_packed +
	       h->columns_packed;
}

/* of the header's bytes, its check taken as zeros */
static uint32_t check_of(const uint8_t *p, size_t len)
{
	static const uint8_t zeros[4];
	uLong sum = crc32(0, p, OFF_CHECK);

	sum = crc32(sum, zeros, sizeof(zeros));
	return (uint32_t)crc32(sum, p + PACK_FIXED, (uInt)(len - PACK_FIXED));
}

size_t pack_header_put(const struct pack_header *h, uint8_t *out)
{
	size_t len = PACK_FIXED + (size_t)h->name_len;

	memcpy(out, PACK_MAGIC, PACK_MAGIC_LEN);
	out[OFF_VERSION] = PACK_VERSION;
	out[OFF_KIND] = h->kind;
	put_le16(out + OFF_FLAGS, h->flags);
	put_le16(out + OFF_SIZE, (uint16_t)len);
	put_le16(out + OFF_NAME_LEN, h->name_len);
	put_le32(out + OFF_STREAM, h->stream);
	put_le32(out + OFF_CPU, (uint32_t)h->cpu);
	put_le64(out + OFF_AT, h->at);
	put_le64(out + OFF_NUMBER, h->number);
	put_le64(out + OFF_LEAST, h->least);
	put_le64(out + OFF_MOST, h->most);
	put_le32(out + OFF_SEQUENCE, h->sequence);
	put_le32(out + OFF_LEN, h->len);
	put_le32(out + OFF_EVENTS, h->events);
	put_le32(out + OFF_NOTES, h->notes);
	put_le32(out + OFF_NOTES_LEN, h->notes_len);
	put_le32(out + OFF_NOTES_PACKED, h->notes_packed);
	put_le32(out + OFF_COLUMNS_LEN, h->columns_len);
	put_le32(out + OFF_COLUMNS_PACKED, h->columns_packed);
	put_le32(out + OFF_ZERO, 0);
	memcpy(out + PACK_FIXED, h->name, h->name_len);
	put_le32(out + OFF_CHECK, check_of(out, len));
	return len;
}

static void read_fields(struct pack_header *h, const uint8_t *p)
{
	h->kind = p[OFF_KIND];
	h->flags = get_le16(p + OFF_FLAGS);
	h->name_len = get_le16(p + OFF_NAME_LEN);
	h->stream = get_le32(p + OFF_STREAM);
	h->cpu = (int32_t)get_le32(p + OFF_CPU);
	h->at = get_le64(p + OFF_AT);
	h->number = get_le64(p + OFF_NUMBER);
	h->least = get_le64(p + OFF_LEAST);
	h->most = get_le64(p + OFF_MOST);
	h->sequence = get_le32(p + OFF_SEQUENCE);
	h->len = get_le32(p + OFF_LEN);
	h->events = get_le32(p + OFF_EVENTS);
	h->notes = get_le32(p + OFF_NOTES);
	h->notes_len = get_le32(p + OFF_NOTES_LEN);
	h->notes_packed = get_le32(p + OFF_NOTES_PACKED);
	h->columns_len = get_le32(p + OFF_COLUMNS_LEN);
	h->columns_packed = get_le32(p + OFF_COLUMNS_PACKED);
	memcpy(h->name, p + PACK_FIXED, h->name_len);
	h->name[h->name_len] = '\0';
}

/* A phrase: which bound it exceeds; or NULL. */
static const char *beyond(const struct pack_header *h)
{
	size_t columns = h->kind == PACK_AS_IS ? PACK_BYTES : PACK_COLUMNS;

	if (h->kind < PACK_RECORDS || h->kind > PACK_END)
		return "a packed block of an unknown kind";
	if (h->columns_len > columns || h->columns_packed > PACK_FRAME ||
	    h->notes_len > PACK_BYTES || h->notes_packed > PACK_NOTES_FRAME ||
	    h->events > PACK_EVENTS || h->notes > PACK_NOTES)
		return "a packed block beyond the format's bounds";
	if (h->at > INT64_MAX || h->number > INT64_MAX ||
	    (!h->notes && h->notes_packed) || strlen(h->name) != h->name_len ||
	    (h->kind == PACK_AS_IS && h->len != h->columns_len))
		return "a packed block that contradicts itself";
	return NULL;
}

int pack_header_get(struct pack_header *h, const uint8_t *p, size_t len,
		    const char **why)
{
	size_t size;

	*why = "no packed block";
	if (!pack_is(p, len))
		return pack_may_be(p, len) ? 0 : -EBADMSG;
	if (len < PACK_FIXED)
		return 0;
	*why = "a packed block of an unknown version";
	if (p[OFF_VERSION] != PACK_VERSION)
		return -EBADMSG;
	size = get_le16(p + OFF_SIZE);
	*why = "the header of a packed block is damaged";
	if (get_le16(p + OFF_NAME_LEN) > PACK_NAME_MAX ||
	    size != PACK_FIXED + (size_t)get_le16(p + OFF_NAME_LEN))
		return -EBADMSG;
	if (len < size)
		return 0;
	if (get_le32(p + OFF_CHECK) != check_of(p, size))
		return -EBADMSG;
	read_fields(h, p);
	*why = beyond(h);
	return *why ? -EBADMSG : (int)size;
}

bool pack_is(const uint8_t *p, size_t len)
{
	return len >= PACK_MAGIC_LEN && !memcmp(p, PACK_MAGIC, PACK_MAGIC_LEN);
}

bool pack_may_be(const uint8_t *p, size_t len)
{
	return len < PACK_MAGIC_LEN && !memcmp(p, PACK_MAGIC, len);
}

const uint8_t *pack_find(const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		size_t left;

		p = memchr(p, PACK_MAGIC[0], (size_t)(end - p));
		if (!p)
			return end;
		left = (size_t)(end - p);
		if (pack_is(p, left) || pack_may_be(p, left))
			return p;
		p++;
	}
	return end;
}
