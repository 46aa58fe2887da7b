/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of stat/group; see group_row.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "record/record.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/marks.h"
#include "stat/group_op.h"
#include "stat/group_row.h"

/* --- group row ------------------------------------------------------------ */

static unsigned int measure_count(const struct group_options *o)
{
	return (unsigned int)__builtin_popcount(o->measures);
}

void group_row_free(const struct group_options *o, struct group_row *row)
{
	if (!row)
		return;
	for (unsigned int i = 0; row->histograms && i < measure_count(o); i++)
		histogram_free(&row->histograms[i]);
	if (row->depth)
		depth_free(row->depth);
	free(row->depth);
	free(row->histograms);
	free(row->least);
	free(row);
}

struct group_row *group_row_new(const struct group_options *o)
{
	unsigned int n = measure_count(o);
	struct group_row *row = calloc(1, sizeof(*row) + o->key_count *
						  sizeof(*row->keys));

	if (!row)
		return NULL;
	row->histograms = calloc(n + 1, sizeof(*row->histograms));
	if (o->places)
		row->least = calloc(2 * n + 1, sizeof(*row->least));
	if (o->depth)
		row->depth = calloc(1, sizeof(*row->depth));
	if (!row->histograms || (o->places && !row->least) ||
	    (o->depth && !row->depth)) {
		group_row_free(o, row);
		return NULL;
	}
	if (row->depth) {
		depth_init(row->depth, o->from, UINT64_MAX);
		row->depth->no_most = !o->depth_most;
	}
	row->greatest = row->least ? row->least + n : NULL;
	return row;
}

static void place_merge(struct group_row *to, const struct group_row *from,
			unsigned int slot)
{
	const struct histogram *a = &to->histograms[slot];
	const struct histogram *b = &from->histograms[slot];

	if (!to->least || !b->count)
		return;
	if (!a->count || b->min < a->min)
		to->least[slot] = from->least[slot];
	if (!a->count || b->max > a->max)
		to->greatest[slot] = from->greatest[slot];
}

int group_row_merge(const struct group_options *o, struct group_row *to,
		    const struct group_row *from)
{
	int err = 0;

	to->count += from->count;
	to->bytes += from->bytes;
	to->sized += from->sized;
	to->errors += from->errors;
	to->merged += from->merged;
	to->unmeasured += from->unmeasured;
	to->no_q += from->no_q;
	to->measured += from->measured;
	to->unsure += from->unsure;
	wide_join(&to->time, from->time);
	wide_join(&to->unsure_time, from->unsure_time);
	to->run.sequential += from->run.sequential;
	for (unsigned int i = 0; i < o->under_count; i++)
		to->under[i] += from->under[i];
	for (unsigned int i = 0; !err && i < measure_count(o); i++) {
		place_merge(to, from, i);
		err = histogram_merge(&to->histograms[i],
				      &from->histograms[i]);
	}
	return err;
}

/* --- names ---------------------------------------------------------------- */

void group_names_free(struct group_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i]);
	free(n->list);
	hash_free(&n->by_text);
	*n = (struct group_names){ .count = 0 };
}

static int add_name(struct group_names *n, const char *name)
{
	char **list = array_reserve(n->list, n->count, &n->size, 64,
				    sizeof(*list));

	if (!list)
		return -ENOMEM;
	n->list = list;
	list[n->count] = strdup(name);
	if (!list[n->count])
		return -ENOMEM;
	n->count++;
	return 0;
}

/* The number of a name, copied if new; -1: no memory. */
static int64_t find_name(struct group_names *n, const char *name)
{
	uint64_t key = hash_text(&n->by_text, name, strlen(name));
	int64_t number = hash_get_number(&n->by_text, key);

	if (number >= 0)
		return number;
	if (add_name(n, name))
		return -1;
	if (hash_put_number(&n->by_text, key, (uint32_t)(n->count - 1)))
		return -1;
	return (int64_t)n->count - 1;
}

/* --- keys ----------------------------------------------------------------- */

#define KEY(name, word, heading, column, show, top, letter, value) \
	[GROUP_##name] = { word, heading, column, letter },

static const struct group_key_row keys[GROUP_KEYS] = {
	GROUP_KEY_ROWS(KEY, KEY)
};

const struct group_key_row *group_key_row(enum group_key key)
{
	return &keys[key];
}

const char *group_key_word(unsigned int nr)
{
	return nr < GROUP_KEYS ? keys[nr].word : NULL;
}

/* --- values --------------------------------------------------------------- */

static uint64_t size_class(uint64_t bytes)
{
	if (bytes < 2)
		return bytes;
	if (bytes > UINT64_C(1) << 63)
		return UINT64_MAX;
	return UINT64_C(1) << (64 - __builtin_clzll(bytes - 1));
}

static uint64_t end_of(const struct io *io)
{
	return io->time + (io->total == IO_NONE ? 0 : io->total);
}

/* Kernels never make so many cgroups that an id has the bit GROUP_NAMED. */
uint64_t group_key_of_cgroup(const struct cgroups *c, uint16_t origin,
			     uint64_t id)
{
	int64_t number = c ? cgroups_find(c, origin, id) : -1;

	return number < 0 ? id & ~GROUP_NAMED : GROUP_NAMED | (uint64_t)number;
}

static uint64_t container_of(const struct group_options *o, const struct io *io)
{
	uint64_t cgroup = group_key_of_cgroup(o->cgroups, io->origin,
					      io->cgroup);
	int64_t number = cgroup & GROUP_NAMED ?
		cgroups_container(o->cgroups, cgroup & ~GROUP_NAMED) : -1;

	return number < 0 ? 0 : GROUP_NAMED | (uint64_t)number;
}

static uint64_t value_of(const struct group_options *o, const struct io *io,
			 unsigned int shift, enum group_key key)
{
	switch (key) {
#define VALUE(name, word, heading, column, show, top, letter, value) \
	case GROUP_##name: return value;
	GROUP_KEY_ROWS(VALUE, VALUE)
	case GROUP_KEYS:
		break;
	}
	return 0;
}

void group_key_values(const struct group_options *o, const struct io *io,
		      unsigned int shift, uint64_t values[])
{
	for (unsigned int i = 0; i < o->key_count; i++)
		values[i] = value_of(o, io, shift, o->keys[i]);
}

static int name_process(const struct group_options *o, struct group_names *n,
			uint64_t *value)
{
	const char *name;
	int64_t number;

	if (*value & GROUP_NAMED || !o->name)
		return 0;
	name = o->name(o->name_ctx, (uint16_t)(*value >> 32),
		       (uint32_t)*value);
	if (!name)
		return 0;
	number = find_name(n, name);
	if (number < 0)
		return -ENOMEM;
	*value = GROUP_NAMED | (uint64_t)number;
	return 0;
}

int group_key_finish(const struct group_options *o, struct group_names *n,
		     unsigned int shift, uint64_t values[])
{
	int err = 0;

	for (unsigned int i = 0; !err && i < o->key_count; i++) {
		if (o->keys[i] == GROUP_PROCESS)
			err = name_process(o, n, &values[i]);
		else if (o->keys[i] == GROUP_SECTOR)
			values[i] = values[i] >> shift << shift;
	}
	return err;
}
