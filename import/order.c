/* SPDX-License-Identifier: GPL-2.0-only */
/* Events in order of time; see order.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/unit.h"
#include "import/import.h"
#include "import/order.h"
#include "record/kept.h"

struct item {
	struct order key;
	struct kept kept;
};

static struct order key_of(const void *item)
{
	return ((const struct item *)item)->key;
}

void import_order_init(struct import_order *o, const struct import_to *to)
{
	*o = (struct import_order){ .to = to, .max = ORDER_MAX };
	hold_init(&o->held, sizeof(struct item));
}

void import_order_free(struct import_order *o)
{
	while (hold_count(&o->held)) {
		struct item *i = hold_take(&o->held, key_of);

		kept_free(&i->kept);
	}
	hold_free(&o->held);
}

static void be_late(struct import_order *o, struct event *ev)
{
	uint64_t by = o->last - ev->time;

	o->late++;
	o->latest = by > o->latest ? by : o->latest;
	ev->time = o->last;
}

static int leave(struct import_order *o)
{
	struct item *i = hold_take(&o->held, key_of);
	struct event *ev = kept_event(&i->kept);
	int err;

	if (ev->time < o->last)
		be_late(o, ev);
	o->last = ev->time;
	err = o->to->event(o->to->ctx, ev);
	kept_free(&i->kept);
	return err;
}

int import_order_add(struct import_order *o, uint32_t source,
		     const struct event *ev)
{
	const struct order key = { .time = ev->time, .stamp = o->stamp++ };
	struct item *i;
	int err = 0;

	if (hold_count(&o->held) >= o->max)
		err = leave(o);
	if (err)
		return err;
	i = hold_add(&o->held, source, &key);
	if (!i)
		return -ENOMEM;
	i->key = key;
	return event_keep(&i->kept, ev);
}

int import_order_release(struct import_order *o, uint64_t time)
{
	const struct order *least;
	int err = 0;

	while (!err && (least = hold_least(&o->held)) && least->time < time)
		err = leave(o);
	return err;
}

int import_order_end(struct import_order *o)
{
	char why[IMPORT_WHY], span[UNIT_MAX];
	int err = import_order_release(o, UINT64_MAX);

	if (err || !o->late)
		return err;
	unit_time(span, o->latest);
	snprintf(why, sizeof(why), "%" PRIu64 " event%s out of order, by up to"
		 " %s: each got the time of the one before; sort the file by"
		 " time for exact ones", o->late, o->late == 1 ? "" : "s",
		 span);
	o->to->fault(o->to->ctx, 0, 0, why);
	return 0;
}
