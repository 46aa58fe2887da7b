/* SPDX-License-Identifier: GPL-2.0-only */
/* Which devices are remappers; see remappers.h. */
#include "base/msg.h"
#include "record/payload.h"
#include "record/record.h"
#include "tools/btt/disk.h"
#include "tools/btt/memory.h"
#include "tools/btt/remappers.h"

/* 1.3.0: md, and the two majors that device mapper is usually given */
enum { MD = 9, LOCAL_253 = 253, LOCAL_254 = 254 };

void remappers_free(struct remappers *r)
{
	hash_free(&r->from);
}

static bool is_remap(const struct event *ev)
{
	return event_number(ev) == BLK_TA_REMAP && !event_is_note(ev) &&
	       !event_is_pc(ev);
}

bool remappers_add(struct remappers *r, const struct event *ev,
		     uint64_t *key)
{
	struct remap remap;
	void **place;

	if (r->classic || !is_remap(ev) || !payload_remap(ev, &remap) ||
	    remap.from == ev->device)
		return false;
	*key = origin_key(ev->origin, remap.from);
	if (hash_get(&r->from, *key))
		return false;
	/* beyond, one that has been met is a remapper from its next remap on */
	if (r->from.count >= DISKS_MAX)
		return true;
	place = memory_check(hash_place(&r->from, *key));
	*place = r;
	return true;
}

bool remappers_has(const struct remappers *r, uint64_t key)
{
	uint32_t major = BLK_MAJOR((uint32_t)key);

	if (!r->classic)
		return hash_get(&r->from, key);
	return major == MD || major == LOCAL_253 || major == LOCAL_254;
}
