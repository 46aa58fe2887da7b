/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of one interval; see sample.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/escape.h"
#include "base/histogram.h"
#include "base/time.h"
#include "emit/signs.h"
#include "emit/values.h"
#include "findings/words.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/scale.h"
#include "tools/blktop/sample.h"

/* --- outstanding ---------------------------------------------------------- */

/* the device's entry; the last one is for all further devices */
static struct outstanding_device *place_of(struct outstanding *o,
					   const struct device *disk)
{
	for (unsigned int i = 0; i < o->count; i++)
		if (o->list[i].disk == disk)
			return &o->list[i];
	if (o->count == OUTSTANDING_DEVICES)
		return &o->list[OUTSTANDING_DEVICES - 1];
	o->list[o->count] = (struct outstanding_device){ .disk = disk };
	return &o->list[o->count++];
}

void outstanding_add(struct outstanding *o, const struct io *io, uint64_t now,
		     bool any_q)
{
	uint64_t age = now > io->time ? now - io->time : 0;
	struct outstanding_device *d;

	if (io->link == IO_SPLIT || io->gap || io->time > now ||
	    (io->kind == IO_FLUSH && any_q))
		return;
	d = place_of(o, io->disk);
	o->ios++;
	if (d->count++ && age <= d->age)
		return;
	d->age = age;
	d->sector = io->bytes ? io->sector : IO_NONE;
	d->pid = io->pid;
	d->origin = io->origin;
	d->op = io->op;
}

/* --- late devices --------------------------------------------------------- */

static int oldest_first(const void *a, const void *b)
{
	const struct outstanding_device *one = a, *two = b;

	if (one->age != two->age)
		return one->age > two->age ? -1 : 1;
	return one->disk->id < two->disk->id ? -1 : 1;
}

static void name(struct late_device *to, const struct outstanding_device *d,
		 const struct reader *reader)
{
	const char *process = reader_process(reader, d->origin, d->pid);

	*to = (struct late_device){ .count = d->count, .age = d->age,
				    .sector = d->sector, .op = d->op };
	device_text(d->disk, to->device, sizeof(to->device));
	snprintf(to->process, sizeof(to->process), "%s",
		 process ? process : "");
}

void outstanding_late(struct outstanding *o, const struct reader *reader,
		      struct late *late)
{
	*late = (struct late){ .in_flight = o->ios };
	qsort(o->list, o->count, sizeof(*o->list), oldest_first);
	if (o->count)
		name(&late->oldest, &o->list[0], reader);
	for (unsigned int i = 0; i < o->count &&
	     o->list[i].age >= OUTSTANDING_AGE &&
	     late->count < OUTSTANDING_LATE; i++)
		name(&late->list[late->count++], &o->list[i], reader);
}

static void in_words(char text[FINDING_TEXT_MAX], uint64_t count,
		     const struct late_device *oldest)
{
	const struct in_flight words = {
		.count = count, .age = oldest->age, .op = oldest->op,
		.sector = oldest->sector,
		.process = *oldest->process ? oldest->process : NULL,
	};

	in_flight_text(text, &words);
}

/* what is in parentheses, for lack of room */
static void cut_details(char *text)
{
	char *details = strstr(text, " (");

	if (details)
		*details = '\0';
}

static void put_device(const struct late_device *d, struct buf *b,
		       unsigned int width)
{
	char device[4 * OUTSTANDING_NAME], text[FINDING_TEXT_MAX];
	char line[sizeof(device) + FINDING_TEXT_MAX + 2];

	escape_text(device, sizeof(device), d->device, strlen(d->device));
	in_words(text, d->count, d);
	if (strlen(device) + 2 + signs_width(text) > width)
		cut_details(text);
	snprintf(line, sizeof(line), "%s: %s", device, text);
	signs_append(b, line, width);
	buf_append(b, "\n", 1);
}

void late_text(const struct late *late, struct buf *b, unsigned int width)
{
	for (unsigned int i = 0; i < late->count; i++)
		put_device(&late->list[i], b, width);
}

void oldest_text(const struct late *late, struct buf *b, unsigned int width)
{
	char text[FINDING_TEXT_MAX];

	in_words(text, late->in_flight, &late->oldest);
	if (signs_width(text) > width)
		cut_details(text);
	signs_append(b, text, width);
	buf_append(b, "\n", 1);
}

/* --- sample --------------------------------------------------------------- */

static void table_release(struct sample_table *t)
{
	free(t->rows);
	free(t->text);
}

struct sample *sample_new(void)
{
	struct sample *s = calloc(1, sizeof(*s));

	if (s)
		sample_times(&s->times, &(struct histogram){ .count = 0 });
	return s;
}

void sample_free(struct sample *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < s->table_count; i++)
		table_release(&s->tables[i]);
	free(s);
}

const struct sample_flush *sample_flush(const struct sample *s)
{
	return s->flush_requests.count ? &s->flush_requests : &s->flush_ios;
}

/* --- times ---------------------------------------------------------------- */

static void add_saturated(uint32_t *cell, uint64_t count)
{
	uint64_t sum = *cell + count;

	*cell = count > UINT32_MAX || sum > UINT32_MAX ? UINT32_MAX :
							 (uint32_t)sum;
}

static unsigned int cell_of(uint64_t ns)
{
	unsigned int step = steps_find(STEPS_6, ns);

	if (step < SAMPLE_FIRST_STEP)
		return 0;
	step -= SAMPLE_FIRST_STEP;
	return step < SAMPLE_CELLS ? step : SAMPLE_CELLS - 1;
}

static void spread(struct sample_times *t, const struct histogram *h)
{
	uint64_t count;
	int cell = -1;

	while (histogram_next(h, &cell, &count))
		add_saturated(&t->cells[cell_of(histogram_cell_low(
				      (unsigned int)cell))], count);
}

static uint64_t percentile(const struct histogram *h, uint32_t p)
{
	if (!histogram_above(h->count, p))
		return IO_NONE;
	return histogram_kth(h, histogram_rank(h->count, p));
}

void sample_times(struct sample_times *t, const struct histogram *h)
{
	*t = (struct sample_times){ .count = h->count };
	t->p50 = percentile(h, 50 * HISTOGRAM_PERCENT);
	t->p99 = percentile(h, 99 * HISTOGRAM_PERCENT);
	statistics_of(h, t->values);
	t->sum = wide_clamp(h->sum);
	spread(t, h);
}

/* --- tables --------------------------------------------------------------- */

/* Q2C; of I/Os that never have a Q, the time seen */
static const struct histogram *total_time(const struct group *g,
					  const struct group_row *row)
{
	const struct histogram *h = group_histogram(g, row, MEASURE_Q2C);

	return h->count ? h : group_histogram(g, row, MEASURE_TOTAL);
}

static int add_name(struct sample_table *t, const char *name)
{
	size_t len = strlen(name) + 1;
	char *text = array_resize(t->text, t->text_len + len, 1);

	if (!text)
		return -ENOMEM;
	t->text = text;
	memcpy(text + t->text_len, name, len);
	t->text_len += len;
	return 0;
}

static int add_row(struct sample_table *t, const struct group *g,
		   const struct group_row *from, const struct values *names)
{
	struct sample_row *row = &t->rows[t->count];
	char name[VALUE_MAX] = "(other)";

	*row = (struct sample_row){
		.name = t->text_len,
		.value = from->other ? 0 : from->keys[0],
		.ios = from->count,
		.bytes = from->bytes,
		.sized = from->sized,
		.errors = from->errors,
		.other = from->other,
	};
	sample_times(&row->times, total_time(g, from));
	if (!from->other)
		value_text(names, t->key, row->value, name);
	t->count++;
	return add_name(t, name);
}

static int fill(struct sample_table *t, const struct group *g,
		struct group_row **rows, unsigned int count,
		const struct values *names)
{
	int err = 0;

	t->rows = calloc(count ? count : 1, sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	for (unsigned int i = 0; !err && i < count; i++)
		if (rows[i]->count)
			err = add_row(t, g, rows[i], names);
	return err;
}

int sample_add_table(struct sample *s, const struct group *g,
		     enum group_key key, const struct values *names)
{
	struct sample_table *t = &s->tables[s->table_count++];
	struct group_row **rows;
	unsigned int count;
	int err;

	*t = (struct sample_table){ .key = key,
				    .number = value_is_number(names, key) };
	rows = group_rows(g, GROUP_BY_TIME, &count);
	if (!rows)
		return -ENOMEM;
	err = fill(t, g, rows, count, names);
	free(rows);
	return err;
}

struct sample_table *sample_table(struct sample *s, enum group_key key)
{
	for (unsigned int i = 0; i < s->table_count; i++)
		if (s->tables[i].key == key)
			return &s->tables[i];
	return NULL;
}

const char *sample_name(const struct sample_table *t,
			const struct sample_row *row)
{
	return t->text + row->name;
}

/* --- orders --------------------------------------------------------------- */

/* the p99, or the maximum of rows with few I/Os */
static uint64_t slow(const struct sample_times *t)
{
	if (!t->count)
		return 0;
	return t->p99 != IO_NONE ? t->p99 : t->values[STATISTIC_MAX];
}

static uint64_t weight(const struct sample_row *row, enum sample_order order)
{
	const uint64_t weights[SAMPLE_ORDERS] = {
		[SAMPLE_BY_TIME] = row->times.sum,
		[SAMPLE_BY_IOS] = row->ios,
		[SAMPLE_BY_BYTES] = row->bytes,
		[SAMPLE_BY_P99] = slow(&row->times),
		[SAMPLE_BY_ERRORS] = row->errors,
	};

	return weights[order];
}

struct sorting {
	const struct sample_table *table;
	enum sample_order order;
};

/* ties by time, then by name: equal in each run */
static int compare(const void *left, const void *right, void *ctx)
{
	const struct sample_row *a = left, *b = right;
	const struct sorting *s = ctx;
	uint64_t x = weight(a, s->order), y = weight(b, s->order);

	if (a->other != b->other)
		return a->other ? 1 : -1;
	if (x == y) {
		x = a->times.sum;
		y = b->times.sum;
	}
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(sample_name(s->table, a), sample_name(s->table, b));
}

void sample_sort(struct sample_table *t, enum sample_order order)
{
	struct sorting s = { t, order };

	qsort_r(t->rows, t->count, sizeof(*t->rows), compare, &s);
}
