/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os made into bunches; see bunch_builder.h. */
#include <string.h>

#include "replay/bunch_builder.h"

void bunch_builder_init(struct bunch_builder *b,
			const struct bunch_builder_options *o,
			int (*put)(void *ctx, const struct bunch *bunch),
			void *ctx)
{
	b->o = *o;
	b->put = put;
	b->ctx = ctx;
	b->open.count = 0;
	b->held_count = 0;
}

/* --- 1.3.0's rule -------------------------------------------------------- */

static int put_open(struct bunch_builder *b)
{
	int err = b->open.count ? b->put(b->ctx, &b->open) : 0;

	b->open.count = 0;
	return err;
}

/* 1.3.0: the difference is unsigned, so an earlier I/O never fits. */
static bool fits(const struct bunch_builder *b, uint64_t time)
{
	return b->open.count < b->o.max_packets &&
	       time - b->open.time <= b->o.max_time;
}

static int add_to_open(struct bunch_builder *b, uint64_t time,
		       const struct packet *p)
{
	int err = b->open.count && !fits(b, time) ? put_open(b) : 0;

	if (!b->open.count)
		b->open.time = time;
	b->open.packets[b->open.count++] = *p;
	return err;
}

/* --- the exact rule ------------------------------------------------------ */

static int put_held(struct bunch_builder *b, uint32_t count)
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

/* Nearly always the latest, so the search begins at the end. */
static int add_sorted(struct bunch_builder *b, uint64_t time,
		      const struct packet *p)
{
	uint32_t i;
	int err = 0;

	if (b->held_count == BUNCH_BUILDER_HELD)
		err = put_held(b, BUNCH_BUILDER_HELD / 2);
	i = b->held_count++;
	for (; i && b->held[i - 1].time > time; i--)
		b->held[i] = b->held[i - 1];
	b->held[i] = (struct bunch_builder_held){ time, *p };
	return err;
}

/* --- both ---------------------------------------------------------------- */

int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p)
{
	return b->o.exact ? add_sorted(b, time, p) : add_to_open(b, time, p);
}

int bunch_builder_flush(struct bunch_builder *b)
{
	return b->o.exact ? put_held(b, b->held_count) : put_open(b);
}
