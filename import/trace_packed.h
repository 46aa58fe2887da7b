/* SPDX-License-Identifier: GPL-2.0-only */
/* What trace-cmd has compressed: pieces whose sizes are known. */
#ifndef IMPORT_TRACE_PACKED_H
#define IMPORT_TRACE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_unpacker;		/* pack/frame.h */

enum trace_packing { TRACE_PLAIN, TRACE_ZLIB, TRACE_ZSTD };

struct trace_unpacker {
	enum trace_packing by;
	struct frame_unpacker *zstd;
};

/* 0; -ENOMEM; -EBADMSG: an unknown name; -EOPNOTSUPP: no libzstd here */
int trace_unpacker_init(struct trace_unpacker *u, const char *name);
void trace_unpacker_free(struct trace_unpacker *u);

/* Unpacks len bytes to exactly out_len.  0 or -EBADMSG. */
int trace_unpack(struct trace_unpacker *u, const uint8_t *bytes, size_t len,
		 uint8_t *out, size_t out_len);

#endif
