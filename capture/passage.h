/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far records go before a border, which is a trace time.
 *
 * An event of that time or later is behind it, and all that follows the event.
 * Notes have no say: those that tell of drops are made when they are written,
 * and are later than events that follow.
 *
 * The only thing that rotation does for each event.
 */
#ifndef CAPTURE_PASSAGE_H
#define CAPTURE_PASSAGE_H

#include <stddef.h>
#include <stdint.h>

#define PASSAGE_NO_BORDER UINT64_MAX

struct passage {
	size_t len;		/* bytes that are before the border */
	uint64_t newest;	/* ns, of the events among them; 0: none */
	int error;		/* what take() has returned, if not 0 */
};

/* called for each note before the border; 0, or -errno to end the walk */
typedef int passage_take(void *ctx, const uint8_t *note);

/* looks at len bytes of whole records as span_of() has found them */
struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx);

#endif
