/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of keys by time; see sparse.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/varint.h"
#include "report/row.h"
#include "report/sparse.h"

/* --- scalars -------------------------------------------------------------- */

/* scalars that are kept before pairs of bins become one: 36 MiB */
enum { KEPT_MAX = 1 << 19 };

int scalars_init(struct scalars *s, uint64_t width, uint32_t limit)
{
	*s = (struct scalars){ .width = width, .limit = limit,
			       .kept_max = KEPT_MAX };
	s->bins = calloc(limit, sizeof(*s->bins));
	return s->bins ? 0 : -ENOMEM;
}

void scalars_free(struct scalars *s)
{
	for (uint32_t i = 0; s->bins && i < s->limit; i++)
		free(s->bins[i].list);
	free(s->bins);
	*s = (struct scalars){ .bins = NULL };
}

/* --- a bin ---------------------------------------------------------------- */

/* the place of a stream in a bin, or for it */
static uint32_t find(const struct scalar_bin *b, uint32_t stream)
{
	uint32_t low = 0, high = b->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (b->list[middle].stream < stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static COLD struct scalar *insert(struct scalars *s, struct scalar_bin *b,
				  uint32_t at, uint32_t stream)
{
	size_t size = b->size;
	struct scalar *list = array_reserve(b->list, b->count, &size, 4,
					    sizeof(*list));

	if (!list)
		return NULL;
	b->list = list;
	b->size = (uint32_t)size;
	memmove(list + at + 1, list + at, (b->count - at) * sizeof(*list));
	list[at] = (struct scalar){ .stream = stream };
	b->count++;
	s->kept++;
	return list + at;
}

static inline struct scalar *scalar_of(struct scalars *s, struct scalar_bin *b,
				       uint32_t stream)
{
	uint32_t at = find(b, stream);

	if (LIKELY(at < b->count && b->list[at].stream == stream))
		return b->list + at;
	return insert(s, b, at, stream);
}

void scalar_join(struct scalar *to, const struct scalar *from)
{
	to->ios += from->ios;
	to->blocks += from->blocks;
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		to->phases[i] += from->phases[i];
	if (to->q2c < from->q2c)
		to->q2c = from->q2c;
	if (to->d2c < from->d2c)
		to->d2c = from->d2c;
	to->busy += from->busy;
}

static void clear_bin(struct scalars *s, struct scalar_bin *b)
{
	s->kept -= b->count;
	free(b->list);
	*b = (struct scalar_bin){ .list = NULL };
}

/* --- bins that become one ------------------------------------------------- */

/* what one has, under the numbers that map has, or its own; it is empty then */
static int move(struct scalars *s, struct scalar_bin *to,
		struct scalar_bin *from, const uint32_t *map)
{
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t stream = from->list[i].stream;
		struct scalar *one;

		if (map)
			stream = map[stream];
		if (stream == UINT32_MAX)
			continue;
		one = scalar_of(s, to, stream);
		if (!one)
			return -ENOMEM;
		scalar_join(one, &from->list[i]);
	}
	clear_bin(s, from);
	return 0;
}

static int scalars_halve(struct scalars *s)
{
	uint32_t count = (s->count + 1) / 2;
	int err = 0;

	s->bin = NULL;
	for (uint32_t i = 0; !err && i < count; i++) {
		if (i) {
			s->bins[i] = s->bins[2 * i];
			s->bins[2 * i] = (struct scalar_bin){ .list = NULL };
		}
		if (2 * i + 1 < s->count)
			err = move(s, &s->bins[i], &s->bins[2 * i + 1], NULL);
	}
	s->count = count;
	s->width *= 2;
	return err;
}

int scalars_widen(struct scalars *s, uint64_t times)
{
	int err = 0;

	for (; !err && times > 1; times /= 2)
		err = scalars_halve(s);
	return err;
}

int scalars_map(struct scalars *s, const uint32_t *map)
{
	int err = 0;

	s->bin = NULL;

	for (uint32_t i = 0; !err && i < s->count; i++) {
		struct scalar_bin old = s->bins[i];

		s->bins[i] = (struct scalar_bin){ .list = NULL };
		err = move(s, &s->bins[i], &old, map);
		free(old.list);
	}
	return err;
}

/* --- what comes ----------------------------------------------------------- */

/* the bin of a time, maybe a new one; NULL: no memory */
static struct scalar_bin *bin_at(struct scalars *s, uint64_t time)
{
	while (UNLIKELY(time / s->width >= s->limit ||
			(s->kept > s->kept_max && s->count > 1)))
		if (scalars_halve(s))
			return NULL;
	if (time / s->width >= s->count)
		s->count = (uint32_t)(time / s->width) + 1;
	return &s->bins[time / s->width];
}

static APART struct scalar *scalar_at_rare(struct scalars *s, uint64_t time,
					   uint32_t stream)
{
	struct scalar *one;

	s->bin = bin_at(s, time);
	s->from = time / s->width * s->width;
	one = s->bin ? scalar_of(s, s->bin, stream) : NULL;
	if (one)
		s->hints[stream % SCALAR_HINTS] =
			(uint16_t)(one - s->bin->list);
	return one;
}

/* The scalar of a stream at a time, mostly in the bin of the time before, and
 * where it was in the bin before; NULL: no memory. */
static inline struct scalar *scalar_at(struct scalars *s, uint64_t time,
				       uint32_t stream)
{
	uint32_t at = s->hints[stream % SCALAR_HINTS];

	if (LIKELY(s->bin && time - s->from < s->width &&
		   s->kept <= s->kept_max && at < s->bin->count &&
		   s->bin->list[at].stream == stream))
		return &s->bin->list[at];
	return scalar_at_rare(s, time, stream);
}

int scalars_add(struct scalars *s, uint32_t stream,
		const struct report_row *row, const struct report_times *t)
{
	struct scalar *one = scalar_at(s, t->end, stream);

	if (!one)
		return -ENOMEM;
	one->ios++;
	one->blocks += row->blocks;
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		one->phases[i] += t->phases[i];
	if (t->spans[REPORT_Q2C] > one->q2c)
		one->q2c = t->spans[REPORT_Q2C];
	if (t->spans[REPORT_D2C] > one->d2c)
		one->d2c = t->spans[REPORT_D2C];
	return 0;
}

int scalars_add_busy(struct scalars *s, uint32_t stream, uint64_t from,
		     uint64_t to)
{
	while (from < to) {
		struct scalar *one = scalar_at(s, from, stream);
		uint64_t end = s->from + s->width;

		if (!one)
			return -ENOMEM;
		/* the last bin may end at 2^64 */
		if (end - 1 >= to)
			end = to;
		one->busy += end - from;
		from = end;
	}
	return 0;
}

/* --- sparse --------------------------------------------------------------- */

enum {
	KEYS = 1024,		/* room at first */
	LATE = 16384,		/* that wait */
	VARINT_32 = 5,		/* bytes of 32 bits at most */
	BYTES_MAX = 16 << 20,	/* before pairs of bins become one */
};

/* the words of groups for that many keys, which have used before them */
static uint32_t groups_of(uint32_t size)
{
	return size / 64 / 64 + 1;
}

static uint64_t *make_used(uint32_t size)
{
	return calloc(size / 64 + groups_of(size), sizeof(uint64_t));
}

int sparse_init(struct sparse *s, uint64_t width, uint32_t limit)
{
	*s = (struct sparse){ .width = width, .limit = limit,
			      .bytes_max = BYTES_MAX, .size = KEYS };
	s->bins = calloc(limit, sizeof(*s->bins));
	s->counts = calloc(KEYS, sizeof(*s->counts));
	s->used = make_used(KEYS);
	s->late = malloc(LATE * sizeof(*s->late));
	if (!s->bins || !s->counts || !s->used || !s->late)
		return -ENOMEM;
	s->groups = s->used + KEYS / 64;
	return 0;
}

void sparse_free(struct sparse *s)
{
	for (uint32_t i = 0; s->bins && i < s->limit; i++)
		free(s->bins[i].bytes);
	free(s->bins);
	free(s->counts);
	free(s->used);
	free(s->late);
	free(s->room);
	*s = (struct sparse){ .bins = NULL };
}

/* --- packed bins ---------------------------------------------------------- */

void sparse_walk(struct sparse_walk *w, const struct sparse *s, uint32_t bin)
{
	const struct sparse_bin *b = &s->bins[bin];

	*w = (struct sparse_walk){ b->bytes, b->bytes + b->len, { 0, 0 } };
}

static APART uint32_t get_long(const uint8_t **at)
{
	uint32_t v = 0, shift = 0;

	for (; **at & 0x80; shift += 7)
		v |= (uint32_t)(*(*at)++ & 0x7f) << shift;
	return v | (uint32_t)*(*at)++ << shift;
}

static inline uint32_t get(const uint8_t **at)
{
	return LIKELY(**at < 0x80) ? *(*at)++ : get_long(at);
}

int sparse_next(struct sparse_walk *w)
{
	if (w->at == w->end)
		return 0;
	w->entry.key += get(&w->at);
	w->entry.count = get(&w->at);
	return 1;
}

static COLD int grow_keys(struct sparse *s, uint32_t key)
{
	uint32_t size = s->size, *counts;
	uint64_t *used;

	while (size <= key)
		size *= 2;
	counts = calloc(size, sizeof(*counts));
	used = make_used(size);
	if (!counts || !used) {
		free(counts);
		free(used);
		return -ENOMEM;
	}
	memcpy(counts, s->counts, s->size * sizeof(*counts));
	memcpy(used, s->used, s->size / 64 * sizeof(*used));
	memcpy(used + size / 64, s->groups,
	       groups_of(s->size) * sizeof(*used));
	free(s->counts);
	free(s->used);
	s->counts = counts;
	s->used = used;
	s->groups = used + size / 64;
	s->size = size;
	return 0;
}

static inline int count_key(struct sparse *s, uint32_t key, uint32_t times)
{
	if (UNLIKELY(key >= s->size) && grow_keys(s, key))
		return -ENOMEM;
	sparse_count(s, key, times);
	return 0;
}

/* adds a packed bin to the array, and empties it */
static int unpack(struct sparse *s, uint32_t bin)
{
	struct sparse_bin *b = &s->bins[bin];
	struct sparse_walk w;
	int err = 0;

	sparse_walk(&w, s, bin);
	while (!err && sparse_next(&w))
		err = count_key(s, w.entry.key, w.entry.count);
	s->bytes -= b->len;
	free(b->bytes);
	*b = (struct sparse_bin){ .bytes = NULL };
	return err;
}

/* There is room for all that the array has, packed; its words have that many
 * bytes at most. */
static int make_room(struct sparse *s)
{
	size_t words = 0, size;
	uint8_t *room;

	for (uint32_t i = 0; i < groups_of(s->size); i++)
		for (uint64_t left = s->groups[i]; left; left &= left - 1)
			words++;
	size = words * 64 * 2 * VARINT_32;
	if (size <= s->room_size)
		return 0;
	room = realloc(s->room, size);
	if (!room)
		return -ENOMEM;
	s->room = room;
	s->room_size = size;
	return 0;
}

/* the entries that are put one after the other */
struct pen {
	uint8_t *at;
	uint32_t before, keys;	/* the last one's; all of them */
};

static inline void put(struct pen *p, uint32_t key, uint32_t count)
{
	uint32_t step = key - p->before;

	if (LIKELY((step | count) < 0x80)) {
		*p->at++ = (uint8_t)step;
		*p->at++ = (uint8_t)count;
	} else {
		p->at = varint_put(varint_put(p->at, step), count);
	}
	p->before = key;
	p->keys++;
}

/* the keys of a word, whose counts are 0 then */
static inline void put_word(struct sparse *s, struct pen *p, uint32_t word)
{
	for (uint64_t left = s->used[word]; left; left &= left - 1) {
		uint32_t key = 64 * word + (uint32_t)__builtin_ctzll(left);

		put(p, key, s->counts[key]);
		s->counts[key] = 0;
	}
	s->used[word] = 0;
}

static void put_group(struct sparse *s, struct pen *p, uint32_t group)
{
	for (uint64_t left = s->groups[group]; left; left &= left - 1)
		put_word(s, p, 64 * group + (uint32_t)__builtin_ctzll(left));
	s->groups[group] = 0;
}

/* the array, which is empty then, becomes a bin */
static int pack(struct sparse *s, uint32_t bin)
{
	struct sparse_bin *b = &s->bins[bin];
	struct pen pen;
	size_t len;

	if (make_room(s))
		return -ENOMEM;
	pen = (struct pen){ .at = s->room };
	for (uint32_t i = 0; i < groups_of(s->size); i++)
		put_group(s, &pen, i);
	len = (size_t)(pen.at - s->room);
	if (!len)
		return 0;
	b->bytes = malloc(len);
	if (!b->bytes)
		return -ENOMEM;
	memcpy(b->bytes, s->room, len);
	b->len = (uint32_t)len;
	b->keys = pen.keys;
	s->bytes += len;
	return 0;
}

/* --- bins that become one ------------------------------------------------- */

/* all bins are packed, nothing is late */
static int halve(struct sparse *s)
{
	uint32_t count = (s->count + 1) / 2;
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		err = unpack(s, 2 * i);
		if (!err && 2 * i + 1 < s->count)
			err = unpack(s, 2 * i + 1);
		if (!err)
			err = pack(s, i);
	}
	s->count = count;
	s->width *= 2;
	return err;
}

/* --- what comes late ------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
	const uint64_t *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

/* The array is empty: that of the latest bin has been packed. */
static int settle_late(struct sparse *s)
{
	int err = 0;
	uint32_t i = 0;

	qsort(s->late, s->late_count, sizeof(*s->late), ascending);
	while (!err && i < s->late_count) {
		uint32_t bin = (uint32_t)(s->late[i] >> 32);

		err = unpack(s, bin);
		for (; !err && i < s->late_count &&
		       s->late[i] >> 32 == bin; i++)
			err = count_key(s, (uint32_t)s->late[i], 1);
		if (!err)
			err = pack(s, bin);
	}
	s->late_count = 0;
	return err;
}

/* --- the latest bin ------------------------------------------------------- */

static uint32_t latest(const struct sparse *s)
{
	return (uint32_t)(s->from / s->width);
}

/* packs the latest bin, which may have any key, and empties it */
static int close_latest(struct sparse *s)
{
	int err = 0;

	if (s->to)
		err = pack(s, latest(s));
	s->from = s->to = 0;
	return err;
}

static int open_latest(struct sparse *s, uint32_t bin)
{
	s->from = bin * s->width;
	s->to = s->from + s->width;
	if (s->count <= bin)
		s->count = bin + 1;
	return unpack(s, bin);
}

/* A time after all bins: the next one, or wider ones. */
static int go_on(struct sparse *s, uint64_t time)
{
	int err = close_latest(s);

	if (!err && (s->late_count > LATE / 2 || s->bytes > s->bytes_max ||
		     time / s->width >= s->limit))
		err = settle_late(s);
	while (!err && (time / s->width >= s->limit ||
			(s->bytes > s->bytes_max && s->count > 1)))
		err = halve(s);
	return err ? err : open_latest(s, (uint32_t)(time / s->width));
}

int sparse_add_rare(struct sparse *s, uint64_t time, uint32_t key)
{
	int err = 0;

	if (time >= s->to)
		err = go_on(s, time);
	if (err)
		return err;
	if (time >= s->from)
		return count_key(s, key, 1);
	s->late[s->late_count++] = time / s->width << 32 | key;
	if (s->late_count < LATE)
		return 0;
	/* which has the array for itself */
	time = s->from;
	err = close_latest(s);
	if (!err)
		err = settle_late(s);
	return err ? err : open_latest(s, (uint32_t)(time / s->width));
}

/* --- after the end -------------------------------------------------------- */

int sparse_end(struct sparse *s)
{
	int err = close_latest(s);

	return err ? err : settle_late(s);
}

int sparse_widen(struct sparse *s, uint64_t times)
{
	int err = 0;

	for (; !err && times > 1; times /= 2)
		err = halve(s);
	return err;
}

static int count_mapped(struct sparse *s, const struct sparse_entry *one,
			const struct sparse_mapping *m)
{
	uint32_t high = one->key >> m->bits;
	uint32_t low = one->key & ((UINT32_C(1) << m->bits) - 1);

	high = m->high ? m->high[high] : high;
	low = m->low ? m->low[low] : low;
	return high == UINT32_MAX ? 0 :
	       count_key(s, high << m->bits | low, one->count);
}

static int map_bin(struct sparse *s, uint32_t bin,
		   const struct sparse_mapping *m)
{
	struct sparse_bin b = s->bins[bin];
	struct sparse_walk w;
	int err = 0;

	sparse_walk(&w, s, bin);
	s->bins[bin] = (struct sparse_bin){ .bytes = NULL };
	while (!err && sparse_next(&w))
		err = count_mapped(s, &w.entry, m);
	s->bytes -= b.len;
	free(b.bytes);
	return err ? err : pack(s, bin);
}

int sparse_map(struct sparse *s, const struct sparse_mapping *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < s->count; i++)
		err = map_bin(s, i, m);
	return err;
}
