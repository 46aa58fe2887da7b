/* SPDX-License-Identifier: GPL-2.0-only */
/* How far records go before a border; see passage.h. */
#include <stdbool.h>
#include <stddef.h>

#include "base/hint.h"
#include "capture/passage.h"
#include "trace/record.h"

/* where version 8 has what is elsewhere in version 7 */
enum { ACTION_8 = 32, PDU_LEN_8 = 50 };

static inline bool is_8(const uint8_t *raw)
{
	return UNLIKELY(get32(raw) == (BLK_MAGIC | BLK_VERSION_8));
}

static inline size_t record_len(const uint8_t *raw)
{
	return is_8(raw) ? BLK_HEADER_8 + (size_t)get16(raw + PDU_LEN_8) :
			   BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
}

static inline bool is_note(const uint8_t *raw)
{
	const uint8_t *action = is_8(raw) ? raw + ACTION_8 :
					    FIELD(raw, action);

	return get32(action) & BLK_TC_ACT(BLK_TC_NOTIFY);
}

struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx)
{
	struct passage p = { 0, 0, 0 };

	while (p.len < len && !p.error) {
		const uint8_t *raw = (const uint8_t *)records + p.len;
		uint64_t time = get64(FIELD(raw, time));

		if (UNLIKELY(is_note(raw)))
			p.error = take(ctx, raw);
		else if (UNLIKELY(time >= border))
			break;
		else if (time > p.newest)
			p.newest = time;
		p.len += record_len(raw);
	}
	return p;
}
