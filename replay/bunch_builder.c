/* I/Os made into bunches; see bundle.h. */
#include <string.h>

#include "replay/bundle.h"

void bundle_init(struct bundle *b, const struct bundle_options *o,
		 int (*put)(void *ctx, const struct bunch *bunch), void *ctx)
{
	b->o = *o;
	b->put = put;
	b->ctx = ctx;
	b->open.count = 0;
	b->held_count = 0;
}

/* --- the original's rule ------------------------------------------------- */

static int put_open(struct bundle *b)
{
	int err = b->open.count ? b->put(b->ctx, &b->open) : 0;

	b->open.count = 0;
	return err;
}

/* One that is before the bunch's start is far behind it: that is unsigned. */
static bool fits(const struct bundle *b, uint64_t time)
{
	return b->open.count < b->o.max_packets &&
	       time - b->open.time <= b->o.max_time;
}

static int add_to_open(struct bundle *b, uint64_t time, const struct packet *p)
{
	int err = b->open.count && !fits(b, time) ? put_open(b) : 0;

	if (!b->open.count)
		b->open.time = time;
	b->open.packets[b->open.count++] = *p;
	return err;
}

/* --- the exact rule ------------------------------------------------------ */

static int put_held(struct bundle *b, uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		b->open.time = b->held[i].time;
		b->open.count = 1;
		b->open.packets[0] = b->held[i].packet;
		err = put_open(b);
	}
	b->held_count -= count;
	memmove(b->held, b->held + count, b->held_count * sizeof(*b->held));
	return err;
}

/* Nearly always the latest of all, so that the search is short from behind. */
static int hold(struct bundle *b, uint64_t time, const struct packet *p)
{
	int err = b->held_count == BUNDLE_HELD ? put_held(b, BUNDLE_HELD / 2) :
						 0;
	uint32_t i = b->held_count++;

	for (; i && b->held[i - 1].time > time; i--)
		b->held[i] = b->held[i - 1];
	b->held[i] = (struct bundle_held){ time, *p };
	return err;
}

/* --- both ---------------------------------------------------------------- */

int bundle_add(struct bundle *b, uint64_t time, const struct packet *p)
{
	return b->o.exact ? hold(b, time, p) : add_to_open(b, time, p);
}

int bundle_end(struct bundle *b)
{
	return b->o.exact ? put_held(b, b->held_count) : put_open(b);
}
