/* Which devices are remappers; see remappers.h. */
#include "base/msg.h"
#include "tools/btt/remappers.h"
#include "trace/payload.h"
#include "trace/record.h"

/* md, and the two that device mapper is usually given */
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

bool remappers_learn(struct remappers *r, const struct event *ev,
		     uint32_t *device)
{
	struct remap remap;
	void **place;

	if (!r->automatic || !is_remap(ev) || !payload_remap(ev, &remap))
		return false;
	place = hash_place(&r->from, remap.from);
	if (!place)
		msg_die("out of memory");
	if (*place)
		return false;
	*place = r;
	*device = remap.from;
	return true;
}

bool remappers_has(const struct remappers *r, uint32_t device)
{
	uint32_t major = BLK_MAJOR(device);

	if (r->automatic)
		return hash_get(&r->from, device);
	return major == MD || major == LOCAL_253 || major == LOCAL_254;
}
