/* SPDX-License-Identifier: GPL-2.0-only */
/* Packs blocks for the acknowledged protocol, each by itself. */
#ifndef CAPTURE_TO_FRAME_PACKING_H
#define CAPTURE_TO_FRAME_PACKING_H

#include <stddef.h>
#include <stdint.h>

struct frame_packing;

/* NULL: no memory, or built without libzstd */
struct frame_packing *frame_packing_new(void);

/*
 * Packs len bytes of whole records to out, which has as much room.  The packed
 * bytes; 0: packing is not worth it, or there is no memory.
 */
size_t frame_packing_pack(struct frame_packing *p, const uint8_t *records,
			  size_t len, uint8_t *out);

/* The same into room bytes, even if a server would refuse it: for memory. */
size_t frame_packing_keep(struct frame_packing *p, const uint8_t *records,
			  size_t len, uint8_t *out, size_t room);

/* NULL is fine */
void frame_packing_free(struct frame_packing *p);

#endif
