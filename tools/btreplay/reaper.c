/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that gets completed I/Os; see reaper.h. */
#include <errno.h>
#include <string.h>

#include "base/msg.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/reaper.h"

enum { EVENTS = 64 };

/* Whether all I/Os have come back. */
static bool is_finished(struct channel *c)
{
	uint64_t back = atomic_load(&c->back);

	return back == c->o.expected ||
	       (atomic_load(&c->complete) && back == atomic_load(&c->sent));
}

void *reaper_run(void *reaper)
{
	struct reaper *r = reaper;
	struct channel *c = r->channel;
	struct io_event events[EVENTS];

	while (!is_finished(c)) {
		struct timespec t = { .tv_nsec = CHANNEL_LOOK };
		int got = io_getevents(c->context, 1, EVENTS, events, &t);

		if (got < 0 && got != -EINTR) {
			msg_warn("io_getevents failed: %s", strerror(-got));
			atomic_store(r->halt, true);
			return NULL;
		}
		/* what was sent before was written before, too */
		atomic_load(&c->sent);
		for (int i = 0; i < got; i++)
			channel_back(c, events[i].data, (long)events[i].res,
				     (long)events[i].res2);
		if (atomic_load(r->halt))
			channel_abandon(c);
	}
	channel_close(c);
	return NULL;
}
