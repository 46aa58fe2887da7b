/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown of capacities; see capacities.h. */
#include <errno.h>
#include <stdlib.h>

#include "stat/group.h"
#include "tools/btstat/capacities.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

/* --- a device ------------------------------------------------------------- */

void shown_of(struct shown *d, const struct screen *s, uint32_t device)
{
	*d = (struct shown){ .s = s, .device = device,
			     .d = capacity_of(s->tally->capacity, device) };
	d->f = d->d->facts;
	value_device(&s->values, device, d->name);
}

double shown_mean(const struct shown *d, struct wide sum)
{
	uint64_t length = d->f.sums.to - d->f.sums.from;

	return length ? wide_double(sum) / (double)length : 0;
}

uint64_t shown_percentile(const struct histogram *h, uint32_t p)
{
	return histogram_kth(h, histogram_rank(h->count, p));
}

/* --- users ---------------------------------------------------------------- */

/* Keeps the rows of a device. */
static void keep(struct users *u, uint32_t device)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < u->count; i++) {
		struct group_row *row = u->rows[i];

		if (row->other || row->keys[0] != device)
			continue;
		u->rows[kept++] = row;
		u->time += wide_double(row->time);
		u->ios += row->count;
		u->bytes += row->bytes;
		u->named |= row->keys[1] != 0;
	}
	u->count = kept;
}

int users_of(struct users *u, const struct shown *d, int nr)
{
	*u = (struct users){ .key = tally_user_keys[nr],
			     .group = d->s->tally->users[nr] };
	u->rows = group_rows(u->group, GROUP_BY_TIME, &u->count);
	if (!u->rows)
		return -ENOMEM;
	keep(u, d->device);
	return 0;
}

void users_name(const struct users *u, const struct shown *d,
		const struct group_row *row, char text[VALUE_MAX])
{
	struct values v = d->s->values;

	v.group = u->group;
	value_text(&v, u->key, row->keys[1], text);
}

void users_free(struct users *u)
{
	free(u->rows);
	u->rows = NULL;
}
