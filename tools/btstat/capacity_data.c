/* SPDX-License-Identifier: GPL-2.0-only */
/* What devices can do, as JSON; see capacity_table.h. */
#include <errno.h>
#include <math.h>

#include "emit/sink.h"
#include "stat/group.h"
#include "tools/btstat/capacities.h"
#include "tools/btstat/capacity_table.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum { P50 = 50 * HISTOGRAM_PERCENT, P99 = 99 * HISTOGRAM_PERCENT };

static void put_real(struct sink *k, const char *name, double value)
{
	sink_real(k, name, isfinite(value), value, 3);
}

static void put_range(struct sink *k, const char *name,
		      const struct knee_range *r, bool known)
{
	sink_object(k, name);
	put_real(k, "is", known ? r->is : INFINITY);
	put_real(k, "low", known ? r->low : INFINITY);
	put_real(k, "high", known ? r->high : INFINITY);
	sink_object_end(k);
}

static void put_facts_data(const struct shown *d, struct sink *k)
{
	const struct capacity_facts *f = &d->f;
	const struct levels_sums *s = &f->sums;
	bool known = f->knee.state != KNEE_NONE &&
		     f->knee.state != KNEE_DOUBTFUL;

	sink_text(k, "state", knee_state_name(f->knee.state));
	put_range(k, "knee", &f->knee.level, known);
	put_range(k, "capacity_per_second", &f->knee.rate, known);
	sink_real(k, "least_depth", known, f->knee.least, 3);
	sink_real(k, "most_depth", known, f->knee.most, 3);
	sink_real(k, "misfit", known, f->knee.misfit, 4);
	put_real(k, "used_per_second", f->headroom.now);
	put_range(k, "left", &f->headroom.left, f->headroom.known);
	sink_flag(k, "left_is_least", f->headroom.at_least);
	sink_real(k, "target_depth", f->headroom.known &&
		  d->s->o->capacity_target, f->headroom.level, 3);
	put_real(k, "mean_depth", shown_mean(d, s->counted));
	put_real(k, "mean_depth_completed", shown_mean(d, s->completed));
	put_real(k, "mean_depth_open", shown_mean(d, s->open));
	sink_flag(k, "little", levels_little(s));
	sink_number(k, "time_ns", s->to - s->from);
	sink_number(k, "ios", s->ios);
}

static void put_level_data(struct sink *k, unsigned int row,
			   const struct level *l)
{
	uint64_t n = l->latency.count;

	sink_row(k);
	sink_number(k, "depth", levels_low(row));
	sink_number(k, "depth_to", levels_high(row));
	sink_number(k, "time_ns", level_sum(l->time));
	sink_number(k, "completed", level_sum(l->done));
	sink_number(k, "completed_bytes", l->bytes);
	sink_number(k, "came", n);
	sink_maybe(k, "p50_ns", n, shown_percentile(&l->latency, P50));
	sink_maybe(k, "p99_ns", n, shown_percentile(&l->latency, P99));
	sink_maybe(k, "waiting_mean_ns", l->parted, l->parted ?
		   wide_over(l->waited, l->parted).low : 0);
	sink_maybe(k, "device_mean_ns", l->parted, l->parted ?
		   wide_over(l->served, l->parted).low : 0);
	sink_row_end(k);
}

static void put_class_data(struct sink *k, int op, int size, unsigned int band,
			   const struct histogram *h)
{
	uint64_t most = mix_size((unsigned int)size);

	sink_row(k);
	sink_text(k, "op", mix_op_name((enum mix_op)op));
	sink_maybe(k, "size_to_bytes", most != UINT64_MAX, most);
	sink_number(k, "depth", mix_level(band));
	sink_number(k, "came", h->count);
	sink_number(k, "p50_ns", shown_percentile(h, P50));
	sink_number(k, "p99_ns", shown_percentile(h, P99));
	sink_row_end(k);
}

static void put_classes_data(struct sink *k, const struct mix *m)
{
	const struct histogram *h;

	sink_array(k, "classes");
	for (int op = 0; op < MIX_OPS; op++)
		for (int size = 0; size < MIX_SIZES; size++)
			for (unsigned int band = 0; band < MIX_BANDS; band++) {
				h = &m->classes[op][size].latency[band];
				if (h->count)
					put_class_data(k, op, size, band, h);
			}
	sink_array_end(k);
}

static int put_users_data(const struct shown *d, struct sink *k, int nr)
{
	char name[VALUE_MAX];
	struct users u;
	int err = users_of(&u, d, nr);

	sink_array(k, u.key == GROUP_PROCESS ? "processes" : "cgroups");
	for (unsigned int i = 0; !err && i < u.count; i++) {
		users_name(&u, d, u.rows[i], name);
		sink_row(k);
		sink_text(k, value_column(u.key), name);
		sink_wide(k, "time_ns", u.rows[i]->time);
		sink_number(k, "ios", u.rows[i]->count);
		sink_number(k, "bytes", u.rows[i]->bytes);
		sink_row_end(k);
	}
	sink_array_end(k);
	users_free(&u);
	return err;
}

static void put_limits_data(struct sink *k, const struct limits *l)
{
	sink_object(k, "limits");
	sink_maybe(k, "rbps", l->known && l->rbps, l->rbps);
	sink_maybe(k, "wbps", l->known && l->wbps, l->wbps);
	sink_maybe(k, "riops", l->known && l->riops, l->riops);
	sink_maybe(k, "wiops", l->known && l->wiops, l->wiops);
	sink_maybe(k, "latency_target_us", l->target, l->target);
	sink_maybe(k, "latency_target_rotating_us", l->target, l->target_mean);
	sink_object_end(k);
}

static int put_device_data(const struct screen *s, struct sink *k,
			   uint32_t device)
{
	struct shown d;
	int err = 0;

	shown_of(&d, s, device);
	sink_row(k);
	sink_text(k, "disk", d.name);
	put_facts_data(&d, k);
	sink_array(k, "levels");
	for (unsigned int i = 0; i < LEVELS_ROWS; i++)
		if (levels_at(d.d->levels, i))
			put_level_data(k, i, levels_at(d.d->levels, i));
	sink_array_end(k);
	put_classes_data(k, &d.d->mix);
	for (int i = 0; i < TALLY_USERS; i++)
		err |= put_users_data(&d, k, i);
	put_limits_data(k, &d.f.limits);
	sink_row_end(k);
	return err;
}

int capacity_table_data(const struct screen *s, struct sink *k)
{
	const struct capacity *c = s->tally->capacity;
	int err = 0;

	if (!c)
		return 0;
	sink_array(k, "capacities");
	for (uint32_t i = 0; i < capacity_count(c); i++)
		if (capacity_of(c, i))
			err |= put_device_data(s, k, i);
	sink_array_end(k);
	return err ? -ENOMEM : 0;
}
