/* Whole records at the beginning of what a read has brought. */
#include "capture/span.h"
#include "trace/record.h"

/* Header and payload of the record at p, 0 if p holds none. */
static inline size_t record_len(const uint8_t *p, size_t left)
{
	uint32_t magic = get32(p);

	if (magic == (BLK_MAGIC | BLK_VERSION_7) && left >= BLK_HEADER_7)
		return BLK_HEADER_7 + (size_t)get16(p + 46);
	if (magic == (BLK_MAGIC | BLK_VERSION_8) && left >= BLK_HEADER_8)
		return BLK_HEADER_8 + (size_t)get16(p + 50);
	return 0;
}

static int is_magic(const uint8_t *p)
{
	uint32_t magic = get32(p);

	return magic == (BLK_MAGIC | BLK_VERSION_7) ||
	       magic == (BLK_MAGIC | BLK_VERSION_8);
}

struct span span_of(const void *bytes, size_t len)
{
	const uint8_t *p = bytes, *end = p + len;
	struct span s = { 0, 0, 0 };

	while ((size_t)(end - p) >= sizeof(uint32_t)) {
		size_t n = record_len(p, (size_t)(end - p));

		if (!n) {
			s.bad = !is_magic(p);
			break;
		}
		if (n > (size_t)(end - p))
			break;
		p += n;
		s.events++;
	}
	s.len = (size_t)(p - (const uint8_t *)bytes);
	return s;
}
