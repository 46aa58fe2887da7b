/* SPDX-License-Identifier: GPL-2.0-only */
/* How far records go before a border; see passage.h. */
#include <stddef.h>

#include "base/hint.h"
#include "capture/passage.h"
#include "record/record.h"

/* offsets of fields that version 7 has elsewhere */
enum { ACTION_8 = 32, PDU_LEN_8 = 50 };

/* bytes of a record, and its action */
static inline size_t record_look(const uint8_t *raw, uint32_t *action)
{
	if (UNLIKELY(get32(raw) == (BLK_MAGIC | BLK_VERSION_8))) {
		*action = get32(raw + ACTION_8);
		return BLK_HEADER_8 + (size_t)get16(raw + PDU_LEN_8);
	}
	*action = get32(FIELD(raw, action));
	return BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
}

struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx)
{
	const uint8_t *raw = records, *end = raw + len;
	uint64_t newest = 0;
	int err = 0;

	while (raw < end && !err) {
		uint64_t time = get64(FIELD(raw, time));
		uint32_t action;
		size_t size = record_look(raw, &action);

		if (UNLIKELY(action & BLK_TC_ACT(BLK_TC_NOTIFY)))
			err = take(ctx, raw);
		else if (UNLIKELY(time >= border))
			break;
		else if (time > newest)
			newest = time;
		raw += size;
	}
	return (struct passage){ (size_t)(raw - (const uint8_t *)records),
				 newest, err };
}
