/* SPDX-License-Identifier: GPL-2.0-only */
/* What trace-cmd has compressed; see trace_packed.h. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "import/trace_packed.h"
#include "pack/frame.h"

static const char *const names[] = {
	[TRACE_PLAIN] = "none", [TRACE_ZLIB] = "zlib", [TRACE_ZSTD] = "zstd",
};

enum { NAMES = sizeof(names) / sizeof(*names) };

int trace_unpacker_init(struct trace_unpacker *u, const char *name)
{
	size_t i = 0;

	while (i < NAMES && strcmp(names[i], name))
		i++;
	if (i == NAMES)
		return -EBADMSG;
	*u = (struct trace_unpacker){ .by = (enum trace_packing)i };
	if (u->by != TRACE_ZSTD)
		return 0;
	if (!frame_built())
		return -EOPNOTSUPP;
	u->zstd = frame_unpacker_new();
	return u->zstd ? 0 : -ENOMEM;
}

void trace_unpacker_free(struct trace_unpacker *u)
{
	frame_unpacker_free(u->zstd);
	u->zstd = NULL;
}

static int unpack_zlib(const uint8_t *bytes, size_t len, uint8_t *out,
		       size_t out_len)
{
	uLongf n = (uLongf)out_len;
	int err = uncompress(out, &n, bytes, (uLong)len);

	return err == Z_OK && n == out_len ? 0 : -EBADMSG;
}

int trace_unpack(struct trace_unpacker *u, const uint8_t *bytes, size_t len,
		 uint8_t *out, size_t out_len)
{
	switch (u->by) {
	case TRACE_ZLIB:
		return unpack_zlib(bytes, len, out, out_len);
	case TRACE_ZSTD:
		return frame_unpack(u->zstd, out, out_len, bytes, len);
	default:
		return -EBADMSG;
	}
}
