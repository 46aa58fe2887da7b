/* SPDX-License-Identifier: GPL-2.0-only */
/* What earlier lines say; see printed_past.h. */
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "blktrace.h"
#include "import/printed_event.h"
#include "import/printed_past.h"

enum {
	SECTOR = 512,
	DEVICES_MAX = 4096,	/* nothing is known of others */
	PLACES_MAX = 65536,	/* parts, or requests; then all are forgotten */
	CHAIN_MAX = 4096,	/* parts of an I/O */
};

/* --- devices -------------------------------------------------------------- */

static struct past_device *device_of(const struct printed_past *past,
				     uint32_t number)
{
	int64_t i = hash_get_number(&past->by_number, number);

	return i < 0 ? NULL : &past->devices[i];
}

static COLD struct past_device *new_device(struct printed_past *past,
					   uint32_t number)
{
	struct past_device *list;

	if (past->count == DEVICES_MAX)
		return NULL;
	list = array_resize(past->devices, past->count + 1, sizeof(*list));
	if (!list)
		return NULL;
	past->devices = list;
	if (hash_put_number(&past->by_number, number, past->count))
		return NULL;
	list[past->count] = (struct past_device){ .has_requests = false };
	return &list[past->count++];
}

bool printed_past_requests(const struct printed_past *past, uint32_t device)
{
	const struct past_device *d = device_of(past, device);

	return d && d->has_requests;
}

/* --- places --------------------------------------------------------------- */

static uint64_t key_of(const struct hash *h, uint32_t device, uint64_t sector)
{
	const uint64_t place[2] = { device, sector };

	return hash_text(h, (const char *)place, sizeof(place));
}

/* sectors stored for a place, or 0 */
static uint32_t sectors_at(const struct hash *h, uint32_t device,
			   uint64_t sector)
{
	int64_t n = hash_get_number(h, key_of(h, device, sector));

	return n > 0 ? (uint32_t)n : 0;
}

static void put_sectors(struct hash *h, uint32_t device, uint64_t sector,
			uint32_t sectors)
{
	if (h->count >= PLACES_MAX)
		hash_free(h);
	hash_put_number(h, key_of(h, device, sector), sectors);
}

static void remove_sectors(struct hash *h, uint32_t device, uint64_t sector)
{
	if (h->count)
		hash_del(h, key_of(h, device, sector));
}

/* --- splits --------------------------------------------------------------- */

static uint64_t end_of(const struct event *ev)
{
	return ev->sector + ev->bytes / SECTOR;
}

/* Stacked devices split at the sector of the event, which is as long as what is
 * left of the I/O. */
static void split_there(const struct past_device *d, struct event *ev)
{
	const struct past_queued *q = &d->queued[ev->pid % PAST_PIDS];

	if (q->pid == ev->pid && q->sector <= ev->sector &&
	    q->end > ev->sector)
		ev->bytes = (uint32_t)(q->end - ev->sector) * SECTOR;
}

/* blkparse prints parts of parts from the first one's start, too. */
static void set_since(struct printed_past *past, const struct event *ev)
{
	int64_t n = hash_get_number(&past->since, key_of(&past->since,
						ev->device, ev->sector));
	uint64_t key = key_of(&past->since, ev->device, end_of(ev));

	if (n < 0)
		put_sectors(&past->since, ev->device, ev->sector, 0);
	n = n < 0 ? 0 : n;
	n += ev->bytes / SECTOR;
	if (n < UINT32_MAX && hash_get_number(&past->since, key) < 0)
		put_sectors(&past->since, ev->device, end_of(ev), (uint32_t)n);
}

/* The next part starts anew. */
static void on_split(struct printed_past *past, struct past_device *d,
		     struct printed *p)
{
	struct event *ev = &p->ev;
	uint64_t sectors = p->value - ev->sector;

	d->has_splits = true;
	if (p->has_value && !sectors && !p->has_size)
		split_there(d, ev);
	set_since(past, ev);
	if (!p->has_value || !sectors || sectors > UINT32_MAX / SECTOR)
		return;
	remove_sectors(&past->parts, ev->device, p->value);
	put_sectors(&past->parts, ev->device, ev->sector, (uint32_t)sectors);
}

/* Where the last part up to the end starts. */
static uint64_t last_part(const struct printed_past *past, uint32_t device,
			  uint64_t at, uint64_t end)
{
	for (int i = 0; i < CHAIN_MAX; i++) {
		uint64_t n = sectors_at(&past->parts, device, at);

		if (!n || n >= end - at)
			break;
		at += n;
	}
	return at;
}

static void begin(struct printed_past *past, const struct event *ev)
{
	if (ev->bytes >= SECTOR)
		put_sectors(&past->begun, ev->device, end_of(ev),
			    ev->bytes / SECTOR);
}

static void on_queue(struct printed_past *past, const struct past_device *d,
		     const struct event *ev)
{
	remove_sectors(&past->parts, ev->device, ev->sector);
	if (!d->has_requests)
		begin(past, ev);
}

/* Where the part that ends at end begins. */
static uint64_t begun_at(const struct printed_past *past,
			 const struct past_device *d, uint32_t device,
			 uint64_t start, uint64_t end)
{
	uint32_t n = sectors_at(&past->begun, device, end);

	if (n && n < end - start)
		start = end - n;
	return d->has_requests ? start : last_part(past, device, start, end);
}

/* Whether blkparse prints what begins at a place from start on. */
static bool prints_from(const struct printed_past *past, uint32_t device,
		       uint64_t start, uint64_t at, uint64_t end)
{
	return sectors_at(&past->since, device, at) == at - start ||
	       last_part(past, device, start, end) == at;
}

static void on_complete(struct printed_past *past, const struct past_device *d,
			struct event *ev)
{
	uint64_t start = ev->sector, end = end_of(ev), at;

	if (end <= start)
		return;
	at = begun_at(past, d, ev->device, start, end);
	remove_sectors(&past->begun, ev->device, end);
	if (at == start || !prints_from(past, ev->device, start, at, end))
		return;
	ev->bytes = (uint32_t)(end - at) * SECTOR;
	ev->sector = at;
}

/* --- lines ---------------------------------------------------------------- */

/* Its size is printed when it is issued. */
static void add_packet(struct past_device *d, struct printed *p)
{
	uint32_t *bytes = &d->packet_bytes[event_is_write(&p->ev)];

	if (p->has_size)
		*bytes = p->ev.bytes;
	else if (p->is_read || event_is_write(&p->ev))
		p->ev.bytes = *bytes ? *bytes : p->ev.bytes;
}

static void remember(struct past_device *d, const struct event *ev)
{
	d->queued[ev->pid % PAST_PIDS] = (struct past_queued){
		ev->pid, ev->sector, end_of(ev),
	};
}

/* Of a device with splits. */
static COLD void add_split(struct printed_past *past, struct past_device *d,
			   struct printed *p)
{
	if (p->action == BLK_TA_QUEUE)
		on_queue(past, d, &p->ev);
	else if (p->action == BLK_TA_ISSUE)
		begin(past, &p->ev);
	else if (p->action == BLK_TA_COMPLETE)
		on_complete(past, d, &p->ev);
}

void printed_past_add(struct printed_past *past, struct printed *p)
{
	struct past_device *d = device_of(past, p->ev.device);

	if (UNLIKELY(!d))
		d = new_device(past, p->ev.device);
	if (UNLIKELY(!d))
		return;
	d->has_requests |= p->action == BLK_TA_ISSUE ||
			   p->action == BLK_TA_INSERT;
	if (p->action == BLK_TA_QUEUE)
		remember(d, &p->ev);
	if (p->is_pc)
		add_packet(d, p);
	else if (p->action == BLK_TA_SPLIT)
		on_split(past, d, p);
	else if (UNLIKELY(d->has_splits))
		add_split(past, d, p);
}

void printed_past_free(struct printed_past *past)
{
	free(past->devices);
	hash_free(&past->by_number);
	hash_free(&past->parts);
	hash_free(&past->begun);
	hash_free(&past->since);
}
