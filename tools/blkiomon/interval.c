/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of an interval; see interval.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "record/record.h"
#include "tools/blkiomon/interval.h"

enum { FIRST_DEVICES = 8 };

const struct scale size_scale = {
	"sizes histogram (bytes)", SIZE_BUCKETS, 10,
};

const struct scale latency_scale = {
	"d2c histogram (usec)", LATENCY_BUCKETS, 3,
};

uint64_t scale_limit(const struct scale *h, unsigned int n)
{
	return n ? (uint64_t)1 << h->shift << (n - 1) : 0;
}

/* The first bucket whose limit is not below value, without a search. */
static unsigned int bucket_of(const struct scale *h, uint64_t value)
{
	uint64_t beyond = value ? (value - 1) >> h->shift : 0;
	unsigned int n = !!value;

	if (beyond)
		n += 64 - (unsigned int)__builtin_clzll(beyond);
	return n < h->buckets ? n : h->buckets - 1;
}

static void add(struct cell *c, uint64_t value)
{
	if (value < c->min)
		c->min = value;
	if (value > c->max)
		c->max = value;
	c->sum += value;
	wide_join(&c->squares, wide_product(value, value));
	c->num++;
}

/* --- devices ----------------------------------------------------------- */

static int make_room(struct interval *l)
{
	struct device_sums *devices;

	if (l->count == INTERVAL_DEVICES)
		return -E2BIG;
	devices = array_reserve(l->devices, l->count, &l->size, FIRST_DEVICES,
				sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	l->devices = devices;
	return 0;
}

static int add_device(struct interval *l, uint32_t device)
{
	int err = make_room(l);
	struct device_sums *a;

	if (!err)
		err = hash_put(&l->by_device, device,
			       (void *)((uintptr_t)l->count + 1));
	if (err)
		return err;
	a = &l->devices[l->count++];
	*a = (struct device_sums){ .device = device };
	for (int i = 0; i < FIGURES; i++)
		a->cells[i].min = UINT64_MAX;
	return 0;
}

/* Makes the device the last one; 0, or as interval_add(). */
static COLD int find_device(struct interval *l, uint32_t device)
{
	void *value = hash_get(&l->by_device, device);
	int err = value ? 0 : add_device(l, device);

	if (!err)
		l->last = value ? (uint32_t)(uintptr_t)value - 1 :
				  l->count - 1;
	return err;
}

/* 0 and *a, the device's sums; or as interval_add(). */
static inline int sums_of(struct interval *l, uint32_t device,
			  struct device_sums **a)
{
	int err = 0;

	if (!l->count || l->devices[l->last].device != device)
		err = find_device(l, device);
	if (!err)
		*a = &l->devices[l->last];
	return err;
}

/* --- booking ------------------------------------------------------------ */

/* What takes less than a microsecond is taken to last one. */
static uint64_t speed_of(uint64_t bytes, uint64_t usec)
{
	return bytes * 1000 / (usec ? usec : 1);
}

/* The kernel gives it the READ bit, although nothing is read. */
static bool is_flush(const struct event *issue, const struct event *completion)
{
	return !issue->bytes && !event_is_write(completion) &&
	       completion->action & BLK_TC_ACT(BLK_TC_FLUSH);
}

int interval_add(struct interval *l, const struct event *issue,
		 const struct event *completion)
{
	uint64_t usec = (completion->time - issue->time) / 1000;
	bool read = completion->action & BLK_TC_ACT(BLK_TC_READ);
	struct device_sums *a;
	int err = sums_of(l, issue->device, &a);

	if (err)
		return err;
	a->sizes[bucket_of(&size_scale, issue->bytes)]++;
	a->latencies[bucket_of(&latency_scale, usec)]++;
	if (is_flush(issue, completion))
		return 0;
	if (read || event_is_write(completion)) {
		add(&a->cells[read ? SIZE_READ : SIZE_WRITE], issue->bytes);
		add(&a->cells[read ? LATENCY_READ : LATENCY_WRITE], usec);
		add(&a->cells[read ? SPEED_READ : SPEED_WRITE],
		    speed_of(issue->bytes, usec));
	} else {
		a->bidirectional++;
	}
	return 0;
}

void interval_clear(struct interval *l)
{
	hash_free(&l->by_device);
	l->count = l->last = 0;
}

void interval_free(struct interval *l)
{
	hash_free(&l->by_device);
	free(l->devices);
	*l = (struct interval){ 0 };
}
