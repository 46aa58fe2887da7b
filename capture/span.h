/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole records at the beginning of what a read has brought.
 */
#ifndef CAPTURE_SPAN_H
#define CAPTURE_SPAN_H

#include <stddef.h>
#include <stdint.h>

#include "capture/tap.h"

struct span {
	size_t len;		/* bytes of whole records */
	struct tap_sums sums;	/* of them */
	int bad;		/* what follows is no record of this machine */
};

/* looks at len bytes of this machine's own kernel: versions 7 and 8, native */
struct span span_of(const void *bytes, size_t len);

/*
 * Where a record may begin again, when these bytes, len of them and four at
 * least, begin with what is none: 1 to len - 3 bytes on, as the last three may
 * be its beginning.
 */
size_t span_search(const void *bytes, size_t len);

#endif
