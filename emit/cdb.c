/* SPDX-License-Identifier: GPL-2.0-only */
/* A packet command's payload as hexadecimal text. */
#include <string.h>

#include "emit/cdb.h"
#include "record/payload.h"

bool cdb_any(const struct event *ev)
{
	size_t len;

	payload_body(ev, &len);
	return len != 0;
}

char *cdb_text(char *p, const struct event *ev)
{
	static const char digits[] = "0123456789abcdef";
	size_t len, used;
	const uint8_t *bytes = payload_body(ev, &len);

	for (used = len; used && !bytes[used - 1]; used--)
		;
	for (size_t i = 0; i < len; i++) {
		if (i)
			*p++ = ' ';
		*p++ = digits[bytes[i] >> 4];
		*p++ = digits[bytes[i] & 15];
		if (i == used) {
			memcpy(p, " ..", 3);
			return p + 3;
		}
	}
	return p;
}
