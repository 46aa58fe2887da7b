/* SPDX-License-Identifier: GPL-2.0-only */
/* The binary dump. */
#include <errno.h>

#include "base/buf.h"
#include "emit/dump.h"
#include "record/record.h"

enum { SMALL = 256 };

/* Appends a usual record with a small payload, if the buffer has room. */
static inline bool dump_quickly(struct buf *out, const struct event *ev)
{
	char *p = out->data + out->len;

	if (out->size - out->len < BLK_HEADER_7 + SMALL || ev->zone ||
	    ev->pdu_len > SMALL)
		return false;
	memcpy(p, ev, BLK_HEADER_7);
	if (ev->pdu_len)
		memcpy(p + BLK_HEADER_7, ev->payload, ev->pdu_len);
	out->len += BLK_HEADER_7 + (size_t)ev->pdu_len;
	return true;
}

int dump_event(struct buf *out, const struct event *ev, unsigned int version)
{
	uint8_t head[BLK_HEADER_MAX];
	size_t len;

	if (!version)
		version = ev->version == BLK_VERSION_8 ? BLK_VERSION_8 :
							 BLK_VERSION_7;
	if (version == BLK_VERSION_7 && dump_quickly(out, ev))
		return 0;
	len = record_encode(ev, version, head);
	if (!len)
		return -ERANGE;
	buf_append(out, head, len);
	buf_append(out, ev->payload, ev->pdu_len);
	return 0;
}
