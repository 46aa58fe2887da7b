/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records before a border in trace time: those before the first event of
 * that time or later.  Notes do not count, as notes about drops are later than
 * events that follow them.  Rotation does nothing else for each event.
 */
#ifndef CAPTURE_PASSAGE_H
#define CAPTURE_PASSAGE_H

#include <stddef.h>
#include <stdint.h>

#define PASSAGE_NO_BORDER UINT64_MAX

struct passage {
	size_t len;		/* bytes before the border */
	uint64_t newest;	/* ns, of the events among them; 0: none */
	int error;		/* of take(), or 0 */
};

/* called for each note before the border; 0, or -errno to end the walk */
typedef int passage_take(void *ctx, const uint8_t *note);

/* len: bytes of whole records, found by span_of() */
struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx);

#endif
