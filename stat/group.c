/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os grouped by keys; see group.h.
 *
 * An entry maps values, raw or final, to a row.  Processes of one name share a
 * row, so several entries may lead to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "run/device.h"
#include "stat/group.h"
#include "stat/group_op.h"
#include "stat/group_row.h"

enum {
	/* beyond these, rows are found more slowly */
	ENTRIES_MAX = 65536,
	/* entries found without the hash */
	NEAR_BITS = 6, NEAR = 1 << NEAR_BITS,
};

/* odd, half of its bits set: products spread over the upper bits */
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

struct entry {
	struct group_row *row;
	uint64_t values[];
};

struct group {
	struct group_options o;
	uint32_t phases;	/* measures that are phases */
	uint32_t derived;	/* others, except Q2C */
	bool usual;		/* keys are device and operation */
	bool data_only;		/* no key is the operation */
	bool q2c;		/* measured; most tables have it */
	unsigned int slots[MEASURES];	/* of measures in a row's histograms */
	struct group_row **rows;
	struct group_row *other;	/* or NULL */
	size_t row_count, row_size;
	struct hash by_values;	/* of entries */
	struct entry **entries;
	size_t entry_count, entry_size;
	struct entry *near[NEAR];	/* most recent, by values */
	uint64_t last_id;	/* id of the I/O found last, or 0 */
	struct group_row *last;	/* its row */
	struct sequence sequence;
	struct group_names names;
	unsigned int shift;	/* regions are 1 << shift sectors */
};

/* --- rows ----------------------------------------------------------------- */

/* (other); NULL: no memory */
static struct group_row *row_of_others(struct group *g)
{
	if (!g->other)
		g->other = group_row_new(&g->o);
	if (g->other)
		g->other->other = true;
	return g->other;
}

static struct group_row *row_add(struct group *g, const uint64_t values[])
{
	struct group_row **list, *row;

	if (g->row_count == GROUP_ROWS)
		return row_of_others(g);
	list = array_reserve(g->rows, g->row_count, &g->row_size, 16,
			     sizeof(*list));
	if (!list)
		return NULL;
	g->rows = list;
	row = group_row_new(&g->o);
	if (!row)
		return NULL;
	memcpy(row->keys, values, g->o.key_count * sizeof(*values));
	list[g->row_count++] = row;
	return row;
}

/* --- entries -------------------------------------------------------------- */

static inline bool same_values(const struct group *g, const uint64_t a[],
			       const uint64_t b[])
{
	for (unsigned int i = 0; i < g->o.key_count; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static inline uint64_t first_key(const struct group *g,
				 const uint64_t values[])
{
	uint64_t seed = g->by_values.seed, key = 0;

	for (unsigned int i = 0; i < g->o.key_count; i++)
		key = hash_mix(seed, key + values[i] + i);
	return key;
}

/* The entry of values, or NULL.  *key: its place, or a free one. */
static inline struct entry *entry_find(const struct group *g,
				       const uint64_t values[], uint64_t *key)
{
	struct entry *e;

	for (*key = first_key(g, values);; ++*key) {
		e = hash_get(&g->by_values, *key);
		if (!e || same_values(g, e->values, values))
			return e;
	}
}

static int entry_add(struct group *g, const uint64_t values[],
		     struct group_row *row)
{
	size_t bytes = g->o.key_count * sizeof(*values);
	struct entry **list, *e;
	uint64_t key;

	if (g->entry_count == ENTRIES_MAX || entry_find(g, values, &key))
		return 0;
	list = array_reserve(g->entries, g->entry_count, &g->entry_size, 64,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	g->entries = list;
	e = malloc(sizeof(*e) + bytes);
	if (!e)
		return -ENOMEM;
	e->row = row;
	memcpy(e->values, values, bytes);
	list[g->entry_count++] = e;
	return hash_put(&g->by_values, key, e);
}

static void entries_clear(struct group *g)
{
	uint64_t seed = g->by_values.seed;

	for (size_t i = 0; i < g->entry_count; i++)
		free(g->entries[i]);
	g->entry_count = 0;
	hash_free(&g->by_values);
	g->by_values.seed = seed;
	memset(g->near, 0, sizeof(g->near));
	g->last_id = 0;
}

/* The row of final values, made if missing; NULL: no memory. */
static struct group_row *row_of(struct group *g, const uint64_t values[])
{
	uint64_t key;
	struct entry *e = entry_find(g, values, &key);
	struct group_row *row;

	if (e)
		return e->row;
	row = row_add(g, values);
	if (!row || entry_add(g, values, row))
		return NULL;
	return row;
}

/* --- joined rows ---------------------------------------------------------- */

/* Puts an old row in the place of its final values. */
static int reinsert_row(struct group *g, struct group_row *row)
{
	struct group_row *to;
	int err = group_key_finish(&g->o, &g->names, g->shift, row->keys);
	uint64_t key;
	struct entry *e;

	if (err)
		return err;
	e = entry_find(g, row->keys, &key);
	if (e) {
		to = e->row;
		err = group_row_merge(&g->o, to, row);
		group_row_free(&g->o, row);
		return err;
	}
	g->rows[g->row_count++] = row;
	return entry_add(g, row->keys, row);
}

/* Rebuilds all rows after regions grew or names became known. */
static int rebuild(struct group *g)
{
	size_t count = g->row_count, i;
	int err = 0;

	sequence_flush(&g->sequence);
	entries_clear(g);
	g->row_count = 0;
	for (i = 0; !err && i < count; i++)
		err = reinsert_row(g, g->rows[i]);
	/* after a failure keep the rest */
	for (; i < count; i++)
		g->rows[g->row_count++] = g->rows[i];
	return err;
}

static COLD int grow_regions(struct group *g, const struct io *io)
{
	while (group_key_beyond(io, g->shift))
		g->shift++;
	return rebuild(g);
}

/* --- the I/O -------------------------------------------------------------- */

/* Values seen for the first time. */
static COLD struct group_row *row_of_new(struct group *g,
					 const uint64_t values[])
{
	uint64_t final[GROUP_KEYS];
	struct group_row *row;

	memcpy(final, values, g->o.key_count * sizeof(*values));
	if (group_key_finish(&g->o, &g->names, g->shift, final))
		return NULL;
	row = row_of(g, final);
	if (!row || entry_add(g, values, row))
		return NULL;
	return row;
}

/* the cache slot of a device and an operation */
static inline struct entry **near_usual(struct group *g, uint64_t device,
					uint64_t op)
{
	return &g->near[(device * GROUP_OPS + op) % NEAR];
}

static inline struct entry **near_of(struct group *g, const uint64_t values[])
{
	uint64_t place = 0;

	if (LIKELY(g->usual))
		return near_usual(g, values[0], values[1]);
	for (unsigned int i = 0; i < g->o.key_count; i++)
		place = (place + values[i]) * SPREAD;
	return &g->near[place >> (64 - NEAR_BITS)];
}

static APART struct group_row *find_row(struct group *g, const struct io *io)
{
	uint64_t values[GROUP_KEYS], key;
	struct entry **near, *e;

	if (UNLIKELY(group_key_beyond(io, g->shift)) && grow_regions(g, io))
		return NULL;
	group_key_values(&g->o, io, g->shift, values);
	near = near_of(g, values);
	if (LIKELY(*near && same_values(g, (*near)->values, values)))
		return (*near)->row;
	e = entry_find(g, values, &key);
	if (UNLIKELY(!e))
		return row_of_new(g, values);
	*near = e;
	return e->row;
}

static inline struct group_row *find_usual(struct group *g,
					   const struct io *io)
{
	uint64_t device = io->disk->id, op = group_op_of(io);
	const struct entry *e = *near_usual(g, device, op);

	if (LIKELY(e && e->values[0] == device && e->values[1] == op))
		return e->row;
	return find_row(g, io);
}

/* Called twice for an I/O: for its time in flight, and for its latency. */
static inline struct group_row *row_of_io(struct group *g, const struct io *io)
{
	if (io->id == g->last_id && g->last)
		return g->last;
	g->last = LIKELY(g->usual) ? find_usual(g, io) : find_row(g, io);
	g->last_id = io->id;
	return g->last;
}

static COLD void keep_place(struct group_row *row, unsigned int slot,
			    const struct io *io, uint64_t ns)
{
	const struct histogram *h = &row->histograms[slot];
	const struct group_place place = { io->time, io->sector };

	if (!h->count || ns < h->min)
		row->least[slot] = place;
	if (!h->count || ns > h->max)
		row->greatest[slot] = place;
}

static inline int keep(struct group *g, struct group_row *row, unsigned int m,
		       const struct io *io, uint64_t ns)
{
	unsigned int slot = g->slots[m];

	if (UNLIKELY(g->o.places))
		keep_place(row, slot, io, ns);
	return histogram_add(&row->histograms[slot], ns);
}

static int keep_derived(struct group *g, struct group_row *row,
			const struct io *io)
{
	uint32_t wanted = g->derived;
	int err = 0;
	uint64_t ns;

	for (; wanted; wanted &= wanted - 1) {
		unsigned int m = (unsigned int)__builtin_ctz(wanted);

		if (measure_get(io, m, &ns))
			err |= keep(g, row, m, io, ns);
	}
	return err;
}

static COLD void keep_places(struct group *g, struct group_row *row,
			     const struct io *io)
{
	for (uint32_t left = io->has & g->phases; left; left &= left - 1) {
		unsigned int m = (unsigned int)__builtin_ctz(left);

		keep_place(row, g->slots[m], io, io->phase[m]);
	}
	if (g->q2c && io->birth == 'Q')
		keep_place(row, g->slots[MEASURE_Q2C], io, io->total);
}

/* adds the phases that are kept, in order of their bits */
static inline int keep_phases(struct group *g, struct group_row *row,
			      const struct io *io)
{
	int err = 0;

	for (uint64_t left = io->has & g->phases; left; left &= left - 1) {
		int m = __builtin_ctzll(left);

		err |= histogram_add(&row->histograms[g->slots[m]],
				     io->phase[m]);
	}
	return err;
}

static COLD void count_under(const struct group *g, struct group_row *row,
			     const struct io *io)
{
	for (unsigned int i = 0; i < g->o.under_count; i++)
		row->under[i] += io->total < g->o.under[i];
}

static APART int measure_io(struct group *g, struct group_row *row,
		      const struct io *io)
{
	int err;

	row->measured++;
	if (UNLIKELY(!io->sure))
		row->unsure++;
	wide_add(&row->time, io->total);
	if (UNLIKELY(g->o.under_count))
		count_under(g, row, io);
	if (UNLIKELY(g->o.places))
		keep_places(g, row, io);
	err = keep_phases(g, row, io);
	if (LIKELY(g->q2c && io->birth == 'Q'))
		err |= histogram_add(&row->histograms[g->slots[MEASURE_Q2C]],
				     io->total);
	if (UNLIKELY(g->derived))
		err |= keep_derived(g, row, io);
	return err ? -ENOMEM : 0;
}

int group_under_way(struct group *g, const struct io *io, uint64_t from,
		    uint64_t to)
{
	struct group_row *row = g->o.depth ? row_of_io(g, io) : NULL;

	if (!row)
		return g->o.depth ? -ENOMEM : 0;
	/* the kernel's flushes cannot be told apart */
	if (UNLIKELY(!io->sure || io->kind == IO_FLUSH) &&
	    to > from)
		wide_add(&row->unsure_time, to - from);
	return depth_add(row->depth, from, to);
}

int group_doubt(struct group *g, const struct io *io)
{
	struct group_row *row = g->o.depth ? row_of_io(g, io) : NULL;

	if (!row)
		return g->o.depth ? -ENOMEM : 0;
	depth_doubt(row->depth);
	return 0;
}

static void count_bytes(const struct group *g, struct group_row *row,
			const struct io *io, uint64_t bytes)
{
	if (UNLIKELY(g->data_only) && !group_moves_data(io))
		return;
	if (LIKELY(bytes)) {
		row->bytes += bytes;
		row->sized++;
	}
}

static INLINED int add(struct group *g, const struct io *io, uint64_t bytes)
{
	struct group_row *row;

	row = row_of_io(g, io);
	if (UNLIKELY(!row))
		return -ENOMEM;
	row->count++;
	count_bytes(g, row, io, bytes);
	if (UNLIKELY(io->error))
		row->errors++;
	row->merged += io->merge != IO_NOT_MERGED;
	/* passthrough commands have no sector */
	sequence_add(&g->sequence, io->id,
		     bytes && io->kind != IO_PASS ? &row->run : NULL,
		     io->sector, io->sector + bytes / 512);
	if (!io_completed(io) || io->gap) {
		row->unmeasured++;
		return 0;
	}
	if (UNLIKELY(io->birth != 'Q'))
		row->no_q += io->kind == IO_BIO;
	return measure_io(g, row, io);
}

int group_add(struct group *g, const struct io *io, uint64_t bytes)
{
	return add(g, io, bytes);
}

COLD int group_add_more(struct group *g, const struct io *io, uint64_t bytes)
{
	return add(g, io, bytes);
}

void group_skip(struct group *g, const struct io *io)
{
	sequence_add(&g->sequence, io->id, NULL, 0, 0);
}

int group_end(struct group *g)
{
	return rebuild(g);
}

/* --- memory --------------------------------------------------------------- */

int group_new(struct group **out, const struct group_options *o)
{
	struct group *g = calloc(1, sizeof(*g));

	*out = g;
	if (!g)
		return -ENOMEM;
	g->o = *o;
	g->phases = o->measures & ((UINT32_C(1) << IO_PHASES) - 1);
	g->q2c = o->measures >> MEASURE_Q2C & 1;
	g->usual = o->key_count == 2 && o->keys[0] == GROUP_DEVICE &&
		   o->keys[1] == GROUP_OP;
	g->data_only = true;
	for (unsigned int i = 0; i < o->key_count; i++)
		g->data_only &= o->keys[i] != GROUP_OP;
	g->derived = o->measures & ~g->phases &
		     ~(UINT32_C(1) << MEASURE_Q2C);
	for (unsigned int m = 0, slot = 0; m < MEASURES; m++)
		if (o->measures >> m & 1)
			g->slots[m] = slot++;
	g->by_values.seed = hash_seed();
	g->shift = 63;
	for (unsigned int i = 0; i < o->key_count; i++)
		if (o->keys[i] == GROUP_SECTOR)
			g->shift = GROUP_REGION_SHIFT;
	if (!sequence_init(&g->sequence))
		return 0;
	group_free(g);
	*out = NULL;
	return -ENOMEM;
}

void group_free(struct group *g)
{
	if (!g)
		return;
	entries_clear(g);
	free(g->entries);
	for (size_t i = 0; i < g->row_count; i++)
		group_row_free(&g->o, g->rows[i]);
	free(g->rows);
	group_row_free(&g->o, g->other);
	sequence_free(&g->sequence);
	group_names_free(&g->names);
	free(g);
}

/* --- results -------------------------------------------------------------- */

const struct histogram *group_histogram(const struct group *g,
					const struct group_row *row,
					unsigned int measure)
{
	return &row->histograms[g->slots[measure]];
}

const struct group_place *group_least(const struct group *g,
				      const struct group_row *row,
				      unsigned int measure)
{
	return &row->least[g->slots[measure]];
}

const struct group_place *group_greatest(const struct group *g,
					 const struct group_row *row,
					 unsigned int measure)
{
	return &row->greatest[g->slots[measure]];
}

int group_depth(const struct group_row *row, uint64_t end,
		struct depth_row *depth)
{
	return depth_read(row->depth, end, depth);
}

static int compare_keys(const void *a, const void *b, void *group)
{
	const struct group *g = group;
	const struct group_row *x = *(struct group_row *const *)a;
	const struct group_row *y = *(struct group_row *const *)b;

	for (unsigned int i = 0; i < g->o.key_count; i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] < y->keys[i] ? -1 : 1;
	return 0;
}

static int compare_time(const void *a, const void *b, void *group)
{
	const struct group_row *x = *(struct group_row *const *)a;
	const struct group_row *y = *(struct group_row *const *)b;

	if (!wide_same(x->time, y->time))
		return wide_less(y->time, x->time) ? -1 : 1;
	return compare_keys(a, b, group);
}

struct group_row **group_rows(const struct group *g, enum group_order order,
			      unsigned int *count)
{
	struct group_row **list = calloc(g->row_count + 1, sizeof(*list));

	if (!list)
		return NULL;
	if (g->row_count)
		memcpy(list, g->rows, g->row_count * sizeof(*list));
	qsort_r(list, g->row_count, sizeof(*list),
		order == GROUP_BY_TIME ? compare_time : compare_keys,
		(void *)g);
	*count = (unsigned int)g->row_count;
	if (g->other)
		list[(*count)++] = g->other;
	return list;
}

const char *group_process(const struct group *g, uint64_t value,
			  uint16_t *origin, uint32_t *pid)
{
	*origin = (uint16_t)(value >> 32);
	*pid = (uint32_t)value;
	if (!(value & GROUP_NAMED))
		return NULL;
	return g->names.list[value & ~GROUP_NAMED];
}

uint64_t group_region(const struct group *g)
{
	return UINT64_C(1) << g->shift;
}
