/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of a trace: what slices and annotations are called, by fixed
 * numbers, and texts, each written once, when it is first needed.
 */
#ifndef EMIT_PERFETTO_WORDS_H
#define EMIT_PERFETTO_WORDS_H

#include <stdint.h>

#include "base/hash.h"
#include "request/io.h"

struct buf;			/* base/buf.h */

/* events: operations, behind them phases */
enum { WORDS_OP = 1, WORDS_PHASE = WORDS_OP + IO_OPS };

enum words_annotation {
	WORDS_ID = 1,
	WORDS_SECTOR,
	WORDS_BYTES,
	WORDS_FLAGS,
	WORDS_PID,
	WORDS_PROCESS,
	WORDS_ERROR,
	WORDS_ENDED
};

/* of texts; they are not kept, only their numbers are */
struct words {
	struct hash texts;
};

/* all zeros: no text so far */

/* those with fixed numbers, before any other */
void words_begin(struct buf *b);

/*
 * The number of a text, which is written if it is a new one, or 0: there are
 * most already.  -ENOMEM, or 0 and *number.
 */
int words_text(struct words *n, struct buf *b, const char *text, uint32_t most,
	       uint32_t *number);

void words_free(struct words *n);

#endif
