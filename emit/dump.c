/* The binary dump. */
#include <errno.h>

#include "base/buf.h"
#include "emit/dump.h"
#include "trace/record.h"

int dump_event(struct buf *out, const struct event *ev, unsigned int version)
{
	uint8_t head[BLK_HEADER_MAX];
	size_t len;

	if (!version)
		version = ev->version == BLK_VERSION_8 ? BLK_VERSION_8 :
							 BLK_VERSION_7;
	len = record_encode(ev, version, head);
	if (!len)
		return -ERANGE;
	buf_append(out, head, len);
	buf_append(out, ev->payload, ev->pdu_len);
	return 0;
}
