/* SPDX-License-Identifier: GPL-2.0-only */
/* What follows a record's header; see payload.h. */
#include "trace/payload.h"
#include "trace/record.h"

const uint8_t *payload_body(const struct event *ev, size_t *len)
{
	size_t id = ev->action & BLK_CGROUP_FLAG ? BLK_CGROUP_SIZE : 0;

	if (id > ev->pdu_len)
		id = ev->pdu_len;
	*len = ev->pdu_len - id;
	return ev->payload + id;
}

bool payload_cgroup(const struct event *ev, uint32_t *ino, uint32_t *gen)
{
	*ino = *gen = 0;
	if (!(ev->action & BLK_CGROUP_FLAG) || ev->pdu_len < BLK_CGROUP_SIZE)
		return false;
	*ino = get32(ev->payload);
	*gen = get32(ev->payload + 4);
	return true;
}

static uint64_t big64(const uint8_t *p)
{
	return (uint64_t)__builtin_bswap32(get32(p)) << 32 |
	       __builtin_bswap32(get32(p + 4));
}

bool payload_number(const struct event *ev, uint64_t *value)
{
	size_t len;
	const uint8_t *p = payload_body(ev, &len);

	*value = 0;
	if (len < sizeof(*value))
		return false;
	*value = big64(p);
	return true;
}

/* Until February 2006 it was the device, from November 2005 padded, and the
 * sector: the device it went to is the record's own. */
static bool old_remap(const struct event *ev, const uint8_t *p, size_t len,
		      struct remap *r)
{
	if (len < 12)
		return false;
	r->from = __builtin_bswap32(get32(p));
	r->to = ev->device;
	r->sector = big64(p + (len < 16 ? 4 : 8));
	return true;
}

bool payload_remap(const struct event *ev, struct remap *r)
{
	size_t len;
	const uint8_t *p = payload_body(ev, &len);

	*r = (struct remap){ 0 };
	if (ev->version < BLK_VERSION_7)
		return old_remap(ev, p, len, r);
	if (len < 16)
		return false;
	r->from = __builtin_bswap32(get32(p));
	r->to = __builtin_bswap32(get32(p + 4));
	r->sector = big64(p + 8);
	return true;
}

bool payload_clock(const struct event *ev, uint32_t *sec, uint32_t *nsec)
{
	if (ev->pdu_len != 8)
		return false;
	*sec = get32(ev->payload);
	*nsec = get32(ev->payload + 4);
	if (ev->swapped) {
		*sec = __builtin_bswap32(*sec);
		*nsec = __builtin_bswap32(*nsec);
	}
	return true;
}

bool payload_dropped(const struct event *ev, uint64_t *n)
{
	static const char head[] = "blktrace: ", tail[] = " dropped";
	size_t len, at = sizeof(head) - 1;
	const char *p = (const char *)payload_body(ev, &len);

	*n = 0;
	if (len <= at || memcmp(p, head, at))
		return false;
	for (; at < len && p[at] >= '0' && p[at] <= '9'; at++) {
		if (*n > UINT32_MAX)
			return false;
		*n = *n * 10 + (uint64_t)(p[at] - '0');
	}
	return at > sizeof(head) - 1 && len - at >= sizeof(tail) - 1 &&
	       !memcmp(p + at, tail, sizeof(tail) - 1);
}
