/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPUs did; see cpu_times.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "tools/iowatcher/cpu_times.h"

/* 1.3.0's, in percent: above the mean; and in any case */
static const double FAR = 30, BUSY = 95;

static int add_point(struct cpu_points *p, double x, double y)
{
	/* both arrays grow at the same time */
	if (p->count == p->size) {
		size_t size = p->size ? 2 * p->size : 64;
		double *xs = array_resize(p->x, size, sizeof(*xs)), *ys;

		if (!xs)
			return -ENOMEM;
		p->x = xs;
		ys = array_resize(p->y, size, sizeof(*ys));
		if (!ys)
			return -ENOMEM;
		p->y = ys;
		p->size = size;
	}
	p->x[p->count] = x;
	p->y[p->count++] = y;
	return 0;
}

static double mean_of(const struct cpu_times *c, int kind)
{
	double sum = 0;

	if (c->has_all)
		return c->all.percent[kind];
	for (size_t i = 0; i < c->count; i++)
		sum += c->rows[i].percent[kind];
	return sum / (double)c->count;
}

static int close_kind(struct cpu_times *c, int kind)
{
	double x = (c->from + c->to) / 2, mean = mean_of(c, kind);
	int err = add_point(&c->mean[kind], x, mean);

	for (size_t i = 0; !err && i < c->count; i++) {
		double y = c->rows[i].percent[kind];

		if (y > mean + FAR || y > BUSY)
			err = add_point(&c->high[kind], x, y);
	}
	return err;
}

int cpu_times_close(struct cpu_times *c)
{
	int err = 0;

	if (!c->open)
		return 0;
	c->open = false;
	if (!c->has_all && !c->count)
		return 0;
	for (int i = 0; !err && i < CPU_KINDS; i++)
		err = close_kind(c, i);
	c->end = c->to;
	c->has_all = false;
	c->count = 0;
	return err;
}

int cpu_times_record(struct cpu_times *c, double from, double to)
{
	int err = cpu_times_close(c);

	if (err)
		return err;
	c->open = c->mean[0].count < CPU_TIMES_RECORDS;
	c->from = from;
	c->to = to;
	return 0;
}

/* what is no percentage counts as the nearest that is */
static double percent(double v)
{
	if (!(v > 0))
		return 0;
	return v < 100 ? v : 100;
}

int cpu_times_row(struct cpu_times *c, bool all, const struct cpu_row *row)
{
	struct cpu_row own;

	for (int i = 0; i < CPU_KINDS; i++)
		own.percent[i] = percent(row->percent[i]);
	if (!c->open || (!all && c->count == CPU_TIMES_CPUS))
		return 0;
	if (all) {
		c->all = own;
		c->has_all = true;
	} else {
		struct cpu_row *rows = array_reserve(c->rows, c->count,
						     &c->size, 16,
						     sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		c->rows = rows;
		rows[c->count++] = own;
	}
	return 0;
}

void cpu_times_free(struct cpu_times *c)
{
	for (int i = 0; i < CPU_KINDS; i++) {
		free(c->mean[i].x);
		free(c->mean[i].y);
		free(c->high[i].x);
		free(c->high[i].y);
	}
	free(c->rows);
	*c = (struct cpu_times){ .end = 0 };
}
