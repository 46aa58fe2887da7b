/* SPDX-License-Identifier: GPL-2.0-only */
/* What devices can do; see capacity_table.h. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "blktrace.h"
#include "capacity/depths.h"
#include "emit/table.h"
#include "stat/group.h"
#include "tools/btstat/capacities.h"
#include "tools/btstat/capacity_table.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum {
	TEXT = 64,
	LINE = 1024 + VALUE_MAX,
	USERS = 8,		/* processes or cgroups shown */
	ROUGH = 20,		/* percent off a fit from where it is said */
	P50 = 50 * HISTOGRAM_PERCENT, P99 = 99 * HISTOGRAM_PERCENT
};

/* --- numbers -------------------------------------------------------------- */

/* "8.02k" */
static const char *rate_text(char text[UNIT_MAX], double rate)
{
	unit_decimal(text, (uint64_t)llround(fmin(rate, 1e15) * 1000), 1000);
	return text;
}

/* "3.9", "12" */
static const char *depth_text(char text[UNIT_MAX], double depth)
{
	snprintf(text, UNIT_MAX, "%.*f", depth < 9.95 ? 1 : 0,
		 fmin(depth, 1e9));
	return text;
}

/* "38%" */
static const char *percent_text(char text[UNIT_MAX], double share)
{
	snprintf(text, UNIT_MAX, "%.0f%%", 100 * share);
	return text;
}

static double mean_bytes(const struct shown *d)
{
	uint64_t bytes = 0;

	for (int op = 0; op < MIX_OPS; op++)
		bytes += d->d->mix.bytes[op];
	return d->f.sums.ios ? (double)bytes / (double)d->f.sums.ios : 0;
}

/* --- sentences ------------------------------------------------------------ */

/* a line, however long */
struct line {
	char text[LINE];
	size_t len;
};

__attribute__((format(printf, 2, 3)))
static void add(struct line *l, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(l->text + l->len, sizeof(l->text) - l->len, format,
		      args);
	va_end(args);
	if (n > 0)
		l->len += (size_t)n < sizeof(l->text) - l->len ?
			  (size_t)n : sizeof(l->text) - l->len - 1;
}

/* "38% left at p99 < 10ms (+-4); " */
static void add_headroom(struct line *l, const struct shown *d)
{
	const struct headroom *h = &d->f.headroom;
	uint64_t target = d->s->o->capacity_target;
	char left[UNIT_MAX], time[UNIT_MAX], at[TEXT] = "";

	if (!h->known)
		return;
	unit_time(time, target);
	if (target)
		snprintf(at, sizeof(at), " at p99 < %s", time);
	if (h->none)
		add(l, "nothing left%s, which no depth keeps; ", at);
	else
		add(l, "%s%s left%s (+-%.0f); ",
		    h->at_least ? "at least " : "",
		    percent_text(left, h->left.is), at,
		    50 * (h->left.high - h->left.low));
}

static void add_found(struct line *l, const struct knee *k)
{
	char level[UNIT_MAX], low[UNIT_MAX], high[UNIT_MAX];

	add(l, "depth above %s (%s to %s) only adds waiting",
	    depth_text(level, k->level.is), depth_text(low, k->level.low),
	    depth_text(high, k->level.high));
}

/* what is known of the knee */
static void add_knee(struct line *l, const struct knee *k)
{
	char level[UNIT_MAX], rate[UNIT_MAX];

	if (k->state == KNEE_FOUND)
		add_found(l, k);
	else if (k->state == KNEE_BELOW)
		add(l, "throughput is the same from depth %s, the least seen, on:"
		    " more only adds waiting", depth_text(level, k->least));
	else if (k->state == KNEE_NONE)
		add(l, "no capacity: too few I/Os, or in less than 0.3s");
	else if (k->state == KNEE_DOUBTFUL)
		add(l, "no capacity: depths have I/Os that never completed, or"
		    " of which the completion is lost");
	else
		add(l, "not enough range in this trace: %s %s; capacity is at"
		    " least %s IO/s", k->state == KNEE_ABOVE ?
		    "throughput still rises at the highest depth," :
		    "depth is always about", depth_text(level, k->most),
		    rate_text(rate, k->rate.is));
}

static void put_rates(const struct shown *d)
{
	const struct knee *k = &d->f.knee;
	char rate[UNIT_MAX], low[UNIT_MAX], high[UNIT_MAX], mib[UNIT_MAX];
	bool found = k->state == KNEE_FOUND || k->state == KNEE_BELOW;
	struct line l = { .len = 0 };

	if (found)
		add(&l, "capacity with these I/Os: %s IO/s (%s to %s), %s MiB/s;"
		    " ", rate_text(rate, k->rate.is),
		    rate_text(low, k->rate.low), rate_text(high, k->rate.high),
		    rate_text(mib, k->rate.is * mean_bytes(d) / (1 << 20)));
	add(&l, "used: %s IO/s on average",
	    rate_text(rate, d->f.headroom.now));
	if (found && 100 * k->misfit > ROUGH)
		add(&l, "; the knee is not sharp: throughput is off its two"
		    " lines by %.0f%% on average", 100 * k->misfit);
	screen_lines(d->s, l.text);
}

/* Little's law */
static void put_little(const struct shown *d)
{
	const struct levels_sums *s = &d->f.sums;
	char counted[UNIT_MAX], done[UNIT_MAX], open[UNIT_MAX];
	struct line l = { .len = 0 };

	rate_text(counted, shown_mean(d, s->counted));
	rate_text(done, shown_mean(d, s->completed));
	rate_text(open, shown_mean(d, s->open));
	add(&l, "Little's law %s: mean depth %s counted, %s by throughput and"
	    " latency", levels_little(s) ? "holds" : "does not hold", counted,
	    done);
	if (!levels_little(s))
		add(&l, ", %s in flight at the end: I/Os never completed, or"
		    " their completions are lost", open);
	screen_lines(d->s, l.text);
}

static void put_sentences(const struct shown *d)
{
	struct line l = { .len = 0 };

	add(&l, "%s: ", d->name);
	add_headroom(&l, d);
	add_knee(&l, &d->f.knee);
	buf_append(d->s->b, "\n", 1);
	screen_lines(d->s, l.text);
	put_rates(d);
	put_little(d);
}

/* --- by depth ------------------------------------------------------------- */

static void put_time(struct table *t, bool known, uint64_t ns)
{
	char text[UNIT_MAX] = "-";

	if (known)
		unit_time(text, ns);
	table_cell(t, text);
}

static void put_depths(struct table *t, const struct shown *d,
		       const struct depths *r)
{
	struct knee_range rate = depths_rate(r);
	char text[TEXT], error[UNIT_MAX] = "?";
	uint64_t all = d->f.sums.to - d->f.sums.from;

	snprintf(text, sizeof(text), r->high > r->low ? "%u-%u" : "%u", r->low,
		 r->high);
	table_cell(t, text);
	unit_share(text, (uint64_t)r->all_time, all);
	table_cell(t, text);
	table_cell(t, rate_text(text, rate.is));
	if (rate.high < 10 * rate.is)
		snprintf(error, sizeof(error), "%.0f%%",
			 100 * (rate.high / rate.is - 1));
	table_cell(t, error);
	table_cell(t, rate_text(text, (double)r->bytes * NS_PER_SECOND /
				      r->all_time / (1 << 20)));
	snprintf(text, sizeof(text), "%llu",
		 (unsigned long long)r->latency.count);
	table_cell(t, text);
	put_time(t, r->latency.count, depths_percentile(r, P50));
	put_time(t, r->latency.count, depths_percentile(r, P99));
	put_time(t, r->parted, r->parted ? depths_waited(r) : 0);
	put_time(t, r->parted, r->parted ? depths_served(r) : 0);
}

static int print_depths(const struct shown *d)
{
	static const struct table_column columns[] = {
		{ "depth", 9, true, 0 }, { "time", 5, false, 3 },
		{ "IO/s", 7, false, 0 }, { "+-", 5, false, 0 },
		{ "MiB/s", 7, false, 4 }, { "came", 7, false, 5 },
		{ "p50", 7, false, 1 }, { "p99", 7, false, 0 },
		{ "waiting", 7, false, 2 }, { "device", 7, false, 2 },
	};
	struct table t = { .column_count = 0 };
	struct depths r = { .low = 0 };
	int got;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(&t, columns[i]);
	while ((got = depths_next(&r, d->d->levels)) == 1)
		put_depths(&t, d, &r);
	depths_free(&r);
	if (!got)
		got = table_print(&t, d->s->b, d->s->look->width, true);
	table_free(&t);
	return got;
}

/* --- by operation and size ------------------------------------------------ */

static void put_class(struct table *t, const struct shown *d, int op, int size,
		      unsigned int bands)
{
	const struct mix_class *c = &d->d->mix.classes[op][size];
	char text[TEXT] = "more";
	uint64_t count = mix_count(c);

	table_cell(t, mix_op_name((enum mix_op)op));
	if (mix_size((unsigned int)size) != UINT64_MAX)
		unit_round_size(text, mix_size((unsigned int)size));
	table_cell(t, text);
	unit_share(text, count, d->f.sums.ios);
	table_cell(t, text);
	unit_size(text, c->bytes / count);
	table_cell(t, text);
	for (unsigned int band = 0; band < bands; band++)
		put_time(t, c->latency[band].count,
			 shown_percentile(&c->latency[band], P99));
}

/* bands of levels that any I/O came to */
static unsigned int bands_of(const struct mix *m)
{
	unsigned int bands = 0;

	for (int op = 0; op < MIX_OPS; op++)
		for (int size = 0; size < MIX_SIZES; size++)
			for (unsigned int band = bands; band < MIX_BANDS; band++)
				if (m->classes[op][size].latency[band].count)
					bands = band + 1;
	return bands;
}

static int print_classes(const struct shown *d)
{
	static const char *const headings[MIX_BANDS] = {
		"p99 at 1", "2-3", "4-7", "8-15", "16-31", "32-63", "64-",
	};
	struct table t = { .column_count = 0 };
	unsigned int bands = bands_of(&d->d->mix);
	int err;

	table_column(&t, (struct table_column){ "op", 5, true, 0 });
	table_column(&t, (struct table_column){ "size to", 7, false, 0 });
	table_column(&t, (struct table_column){ "I/Os", 5, false, 0 });
	table_column(&t, (struct table_column){ "mean", 6, false, 1 });
	for (unsigned int band = 0; band < bands; band++)
		table_column(&t, (struct table_column){
			headings[band], 8, false, band ? 1 + band : 0 });
	for (int op = 0; op < MIX_OPS; op++)
		for (int size = 0; size < MIX_SIZES; size++)
			if (mix_count(&d->d->mix.classes[op][size]))
				put_class(&t, d, op, size, bands);
	err = table_print(&t, d->s->b, d->s->look->width, true);
	table_free(&t);
	return err;
}

/* --- who uses it ---------------------------------------------------------- */

static uint64_t ppm(double part, double whole)
{
	return whole > 0 ? (uint64_t)llround(1e6 * part / whole) : 0;
}

static void put_user(struct table *t, const struct shown *d,
		     const struct users *u, const struct group_row *row)
{
	char name[VALUE_MAX], text[TEXT];

	users_name(u, d, row, name);
	table_cell(t, *name ? name : "-");
	unit_share(text, ppm(wide_double(row->time), u->time), 1000000);
	table_cell(t, text);
	unit_share(text, row->count, u->ios);
	table_cell(t, text);
	unit_share(text, row->bytes, u->bytes);
	table_cell(t, text);
}

static int print_users(const struct shown *d, const struct users *u)
{
	struct table t = { .column_count = 0 };
	int err;

	table_column(&t, (struct table_column){ value_heading(u->key), 20,
						true, 0 });
	table_column(&t, (struct table_column){ "of depth", 8, false, 0 });
	table_column(&t, (struct table_column){ "of I/Os", 8, false, 0 });
	table_column(&t, (struct table_column){ "of bytes", 8, false, 0 });
	for (unsigned int i = 0; i < u->count && i < USERS; i++)
		put_user(&t, d, u, u->rows[i]);
	err = table_print(&t, d->s->b, d->s->look->width, true);
	table_free(&t);
	return err;
}

/* Without cgroups in the trace there is no table of them. */
static int put_users(const struct shown *d)
{
	int err = 0;

	for (int i = 0; !err && i < TALLY_USERS; i++) {
		struct users u;

		err = users_of(&u, d, i);
		if (!err && u.ios && (u.key != GROUP_CGROUP || u.named))
			err = print_users(d, &u);
		users_free(&u);
	}
	return err;
}

/* --- limits --------------------------------------------------------------- */

static void put_limit(struct buf *b, const char *name, uint64_t value)
{
	if (value)
		buf_printf(b, " %s=%llu", name, (unsigned long long)value);
}

/* as they are written to the files of a cgroup */
static void put_limits(const struct shown *d)
{
	const struct limits *l = &d->f.limits;
	unsigned int major = BLK_MAJOR(d->d->number);
	unsigned int minor = BLK_MINOR(d->d->number);
	struct buf *b = d->s->b;

	if (!l->known)
		return;
	buf_printf(b, "limits for %d%% of the capacity, with these I/Os:\n",
		   LIMITS_LEAVE);
	buf_printf(b, "  io.max      %u:%u", major, minor);
	put_limit(b, "rbps", l->rbps);
	put_limit(b, "wbps", l->wbps);
	put_limit(b, "riops", l->riops);
	put_limit(b, "wiops", l->wiops);
	buf_append(b, "\n", 1);
	if (l->target)
		buf_printf(b, "  io.latency  %u:%u target=%llu  (if it rotates:"
			   " %llu)\n", major, minor,
			   (unsigned long long)l->target,
			   (unsigned long long)l->target_mean);
}

/* --- a device ------------------------------------------------------------- */

static int put_device(const struct screen *s, uint32_t device)
{
	struct shown d;
	int err;

	shown_of(&d, s, device);
	put_sentences(&d);
	err = print_depths(&d);
	if (!err)
		err = print_classes(&d);
	if (!err)
		err = put_users(&d);
	put_limits(&d);
	return err;
}

int capacity_table(const struct screen *s)
{
	const struct capacity *c = s->tally->capacity;
	int err = 0;

	for (uint32_t i = 0; i < capacity_count(c); i++)
		if (capacity_of(c, i))
			err |= put_device(s, i);
	return err ? -ENOMEM : 0;
}
