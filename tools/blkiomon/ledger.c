/* Sums of an interval; see ledger.h. */
#include <errno.h>
#include <stdlib.h>

#include "tools/blkiomon/ledger.h"
#include "trace/record.h"

enum { FIRST_ACCOUNTS = 8 };

const struct histogram size_histogram = {
	"sizes histogram (bytes)", SIZE_BUCKETS, 10,
};

const struct histogram latency_histogram = {
	"d2c histogram (usec)", LATENCY_BUCKETS, 3,
};

uint64_t histogram_limit(const struct histogram *h, unsigned int n)
{
	return n ? (uint64_t)1 << h->shift << (n - 1) : 0;
}

/* The first bucket whose limit is not below value, without a search. */
static unsigned int bucket_of(const struct histogram *h, uint64_t value)
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
	c->squares += (ledger_wide)value * value;
	c->num++;
}

/* --- accounts ----------------------------------------------------------- */

static int grow(struct ledger *l)
{
	uint32_t size = l->size ? 2 * l->size : FIRST_ACCOUNTS;
	struct account *accounts;

	if (l->count == LEDGER_ACCOUNTS)
		return -E2BIG;
	accounts = realloc(l->accounts, size * sizeof(*accounts));
	if (!accounts)
		return -ENOMEM;
	l->accounts = accounts;
	l->size = size;
	return 0;
}

static int open_account(struct ledger *l, uint32_t device)
{
	int err = l->count == l->size ? grow(l) : 0;
	struct account *a;

	if (!err)
		err = hash_put(&l->by_device, device,
			       (void *)((uintptr_t)l->count + 1));
	if (err)
		return err;
	a = &l->accounts[l->count++];
	*a = (struct account){ .device = device };
	for (int i = 0; i < FIGURES; i++)
		a->cells[i].min = UINT64_MAX;
	return 0;
}

/* 0 and *a, the device's account; or as ledger_book(). */
static int account_of(struct ledger *l, uint32_t device, struct account **a)
{
	void *value = hash_get(&l->by_device, device);
	int err = value ? 0 : open_account(l, device);

	if (err)
		return err;
	*a = value ? &l->accounts[(uintptr_t)value - 1] :
		     &l->accounts[l->count - 1];
	return 0;
}

/* --- booking ------------------------------------------------------------ */

/* What takes less than a microsecond is taken to last one. */
static uint64_t speed_of(uint64_t bytes, uint64_t usec)
{
	return bytes * 1000 / (usec ? usec : 1);
}

int ledger_book(struct ledger *l, const struct event *issue,
		const struct event *completion)
{
	uint64_t usec = (completion->time - issue->time) / 1000;
	bool read = completion->action & BLK_TC_ACT(BLK_TC_READ);
	struct account *a;
	int err = account_of(l, issue->device, &a);

	if (err)
		return err;
	a->sizes[bucket_of(&size_histogram, issue->bytes)]++;
	a->latencies[bucket_of(&latency_histogram, usec)]++;
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

void ledger_clear(struct ledger *l)
{
	hash_free(&l->by_device);
	l->count = 0;
}

void ledger_free(struct ledger *l)
{
	hash_free(&l->by_device);
	free(l->accounts);
	*l = (struct ledger){ 0 };
}
