/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of keys by time; see sparse.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/varint.h"
#include "report/sparse.h"

enum {
	KEYS = 1024,		/* there is room for these at first */
	LATE = 16384,		/* that wait */
	VARINT_32 = 5,		/* bytes of 32 bits at most */
	BYTES_MAX = 16 << 20,	/* before pairs of bins become one */
};

int sparse_init(struct sparse *s, uint64_t width, uint32_t limit)
{
	*s = (struct sparse){ .width = width, .limit = limit,
			      .bytes_max = BYTES_MAX, .size = KEYS };
	s->bins = calloc(limit, sizeof(*s->bins));
	s->counts = calloc(KEYS, sizeof(*s->counts));
	s->used = calloc(KEYS / 64, sizeof(*s->used));
	s->late = malloc(LATE * sizeof(*s->late));
	if (!s->bins || !s->counts || !s->used || !s->late)
		return -ENOMEM;
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
	*s = (struct sparse){ .bins = NULL };
}

/* --- packed bins ---------------------------------------------------------- */

void sparse_walk(struct sparse_walk *w, const struct sparse *s, uint32_t bin)
{
	const struct sparse_bin *b = &s->bins[bin];

	*w = (struct sparse_walk){ b->bytes, b->bytes + b->len, { 0, 0 } };
}

static uint32_t get(const uint8_t **at)
{
	uint32_t v = 0, shift = 0;

	for (; **at & 0x80; shift += 7)
		v |= (uint32_t)(*(*at)++ & 0x7f) << shift;
	return v | (uint32_t)*(*at)++ << shift;
}

int sparse_next(struct sparse_walk *w)
{
	if (w->at == w->end)
		return 0;
	w->entry.key += get(&w->at);
	w->entry.count = get(&w->at);
	return 1;
}

static int grow_keys(struct sparse *s, uint32_t key)
{
	uint32_t size = s->size, *counts;
	uint64_t *used;

	while (size <= key)
		size *= 2;
	if (size == s->size)
		return 0;
	counts = calloc(size, sizeof(*counts));
	used = calloc(size / 64, sizeof(*used));
	if (!counts || !used) {
		free(counts);
		free(used);
		return -ENOMEM;
	}
	memcpy(counts, s->counts, s->size * sizeof(*counts));
	memcpy(used, s->used, s->size / 64 * sizeof(*used));
	free(s->counts);
	free(s->used);
	s->counts = counts;
	s->used = used;
	s->size = size;
	return 0;
}

static int count_key(struct sparse *s, uint32_t key, uint32_t times)
{
	if (key >= s->size && grow_keys(s, key))
		return -ENOMEM;
	s->counts[key] += times;
	s->used[key / 64] |= UINT64_C(1) << key % 64;
	if (key / 64 >= s->top)
		s->top = key / 64 + 1;
	return 0;
}

/* a packed bin into the array, beside what is there; it is empty then */
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

/* bytes that the array needs at most, packed; 0: it is empty */
static size_t most_bytes(const struct sparse *s)
{
	size_t words = 0;

	for (uint32_t i = 0; i < s->top; i++)
		words += s->used[i] != 0;
	return words * 64 * 2 * VARINT_32;
}

/* the keys of a word, of which the one before had that number, as bytes */
static uint8_t *put_word(struct sparse *s, uint8_t *p, uint32_t word,
			 uint32_t *before, uint32_t *n)
{
	for (uint64_t left = s->used[word]; left; left &= left - 1) {
		uint32_t key = 64 * word + (uint32_t)__builtin_ctzll(left);

		p = varint_put(p, key - *before);
		p = varint_put(p, s->counts[key]);
		s->counts[key] = 0;
		*before = key;
		++*n;
	}
	s->used[word] = 0;
	return p;
}

/* the array, which is empty then, becomes a bin */
static int pack(struct sparse *s, uint32_t bin)
{
	struct sparse_bin *b = &s->bins[bin];
	size_t most = most_bytes(s);
	uint8_t *bytes = most ? malloc(most) : NULL, *p = bytes, *fit;
	uint32_t before = 0;

	if (!bytes) {
		s->top = most ? s->top : 0;
		return most ? -ENOMEM : 0;
	}
	for (uint32_t i = 0; i < s->top; i++)
		if (s->used[i])
			p = put_word(s, p, i, &before, &b->keys);
	s->top = 0;
	b->len = (uint32_t)(p - bytes);
	fit = realloc(bytes, b->len);
	b->bytes = fit ? fit : bytes;
	s->bytes += b->len;
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

/* packs the latest bin, which may have any key; there is none then */
static int close_latest(struct sparse *s)
{
	int err = 0;

	if (s->to) {
		s->top = s->size / 64;
		err = pack(s, latest(s));
	}

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

/* A time behind all bins: the next one, or wider ones. */
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

/* --- behind the end ------------------------------------------------------- */

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

static int map_bin(struct sparse *s, uint32_t bin,
		   uint32_t (*map)(const void *ctx, uint32_t key),
		   const void *ctx)
{
	struct sparse_bin b = s->bins[bin];
	struct sparse_walk w;
	int err = 0;

	sparse_walk(&w, s, bin);
	s->bins[bin] = (struct sparse_bin){ .bytes = NULL };
	while (!err && sparse_next(&w)) {
		uint32_t key = map(ctx, w.entry.key);

		if (key != UINT32_MAX)
			err = count_key(s, key, w.entry.count);
	}
	s->bytes -= b.len;
	free(b.bytes);
	return err ? err : pack(s, bin);
}

int sparse_map(struct sparse *s, uint32_t (*map)(const void *ctx, uint32_t key),
	       const void *ctx)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < s->count; i++)
		err = map_bin(s, i, map, ctx);
	return err;
}
