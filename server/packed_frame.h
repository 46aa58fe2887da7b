/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a packed frame of the acknowledged protocol. */
#ifndef SERVER_PACKED_FRAME_H
#define SERVER_PACKED_FRAME_H

#include <stddef.h>
#include <stdint.h>

struct unpacker;		/* pack/unpacker.h */

/*
 * Unpacks its content, len bytes at p, to out, which must be filled by that
 * exactly.  0; -ENOMEM; or -EBADMSG and *why, a phrase.
 */
int packed_frame_read(struct unpacker *u, const uint8_t *p, size_t len,
		      uint8_t *out, size_t out_len, const char **why);

#endif
