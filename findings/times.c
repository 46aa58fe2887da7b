/* SPDX-License-Identifier: GPL-2.0-only */
/* How long requests took; see times.h. */
#include "base/hint.h"
#include "findings/times.h"

/* requests of a kind before it has something usual */
enum { FEW = 10 };

void times_free(struct times *t)
{
	for (int op = 0; op < SERVED_OPS; op++)
		for (int size = 0; size < SERVED_SIZES; size++)
			histogram_free(&t->device[op][size]);
	histogram_free(&t->all);
}

uint64_t times_median(const struct histogram *h)
{
	return h->count ? histogram_kth(h, h->count / 2 + 1) : 0;
}

/* whether the count-th is one at which medians are computed anew */
static bool due(uint64_t count)
{
	if (LIKELY(count >= 1024))
		return count % 1024 == 0;
	return !(count & (count - 1)) || count == FEW;
}

static int merge_all(const struct times *t, struct histogram *all)
{
	int err = 0;

	for (int op = 0; op < SERVED_OPS && !err; op++)
		for (int size = 0; size < SERVED_SIZES && !err; size++)
			err = histogram_merge(all, &t->device[op][size]);
	return err;
}

static int renew_usual(struct times *t)
{
	struct histogram all = { 0 };
	int err = merge_all(t, &all);

	if (!err) {
		t->usual = times_median(&all);
		t->usual_count = t->count;
	}
	histogram_free(&all);
	return err;
}

int times_usual_of_all(struct times *t, uint64_t *usual)
{
	int err = 0;

	if (t->count > t->usual_count + t->usual_count / 8)
		err = renew_usual(t);
	*usual = t->usual;
	return err;
}

int times_add(struct times *t, const struct served *s)
{
	struct histogram *h = &t->device[s->op][s->size];
	int err = histogram_add(h, served_device_time(s));

	if (err)
		return err;
	if (h->count >= FEW && due(h->count))
		t->medians[s->op][s->size] = times_median(h);
	t->count++;
	return 0;
}

uint64_t times_usual(const struct times *t, const struct served *s)
{
	return t->medians[s->op][s->size];
}

int times_end(struct times *t)
{
	return merge_all(t, &t->all);
}

uint64_t times_percentile(const struct times *t, uint32_t p)
{
	uint64_t k = histogram_rank(t->all.count, p);

	return k ? histogram_kth(&t->all, k) : 0;
}
