/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of histograms, and its file; see saved.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/num.h"
#include "stat/saved.h"

/* --- percent -------------------------------------------------------------- */

static const char digits[] = "0123456789ABCDEF";

static bool stays(unsigned char c)
{
	return c > ' ' && c < 0x7f && c != '%' && c != '=';
}

size_t percent_encode(char *to, const char *text)
{
	char *p = to;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (stays(c)) {
			*p++ = *text;
			continue;
		}
		*p++ = '%';
		*p++ = digits[c >> 4];
		*p++ = digits[c & 15];
	}
	*p = '\0';
	return (size_t)(p - to);
}

static int digit_of(char c)
{
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* Decodes the first byte of text.  Returns its encoded length; 0: invalid. */
static size_t decode_byte(char *to, const char *text, size_t len)
{
	int high, low;

	*to = *text;
	if (*text != '%')
		return stays((unsigned char)*text);
	high = len > 2 ? digit_of(text[1]) : -1;
	low = len > 2 ? digit_of(text[2]) : -1;
	if (high < 0 || low < 0 || (!high && !low))
		return 0;
	*to = (char)(high << 4 | low);
	return PERCENT_MAX;
}

int percent_decode(char *to, size_t size, const char *text, size_t len)
{
	size_t used, n = 0;

	for (size_t at = 0; at < len; at += used) {
		if (n + 1 >= size)
			return -ENAMETOOLONG;
		used = decode_byte(&to[n++], text + at, len - at);
		if (!used)
			return -EINVAL;
	}
	to[n] = '\0';
	return (int)n;
}

/* --- saved ---------------------------------------------------------------- */

enum { NAMES = 4 };

/* a trace (by host and device) or histogram with its key */
struct entry {
	struct saved_key key;
	struct saved_trace trace;
	struct histogram h;
	char names[];
};

struct table {
	struct hash by_key;
	struct entry **entries;
	size_t count, size;
	bool sorted;
};

struct saved {
	struct table traces, histograms;
	size_t bytes;		/* of all cells */
};

int saved_new(struct saved **s)
{
	*s = calloc(1, sizeof(**s));
	return *s ? 0 : -ENOMEM;
}

static void free_table(struct table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		histogram_free(&t->entries[i]->h);
		free(t->entries[i]);
	}
	free(t->entries);
	hash_free(&t->by_key);
}

void saved_clear(struct saved *s)
{
	free_table(&s->traces);
	free_table(&s->histograms);
	*s = (struct saved){ .bytes = 0 };
}

void saved_free(struct saved *s)
{
	if (!s)
		return;
	saved_clear(s);
	free(s);
}

/* --- keys ----------------------------------------------------------------- */

/* SAVED_ALWAYS first */
static int compare_times(uint64_t a, uint64_t b)
{
	a++;
	b++;
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct saved_key *a, const struct saved_key *b)
{
	int order = strcmp(a->host, b->host);

	order = order ? order : strcmp(a->device, b->device);
	order = order ? order : strcmp(a->op, b->op);
	order = order ? order : strcmp(a->phase, b->phase);
	return order ? order : compare_times(a->at, b->at);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *const *one = a, *const *two = b;

	return compare_keys(&(*one)->key, &(*two)->key);
}

static uint64_t hash_of(const struct hash *h, const struct saved_key *key)
{
	const char *names[NAMES] = { key->host, key->device, key->op,
				     key->phase };
	uint64_t seed = hash_seed(), mixed = key->at;

	for (int i = 0; i < NAMES; i++)
		mixed = hash_mix(seed, mixed ^ hash_text(h, names[i],
							 strlen(names[i])));
	return mixed;
}

static bool is_too_long(const struct saved_key *key)
{
	return strlen(key->host) > SAVED_NAME_MAX ||
	       strlen(key->device) > SAVED_NAME_MAX ||
	       strlen(key->op) > SAVED_NAME_MAX ||
	       strlen(key->phase) > SAVED_NAME_MAX;
}

/* --- entries -------------------------------------------------------------- */

/* copies name to *to and advances it; returns the copy */
static const char *keep(char **to, const char *name)
{
	size_t size = strlen(name) + 1;
	char *at = memcpy(*to, name, size);

	*to += size;
	return at;
}

static struct entry *new_entry(const struct saved_key *key)
{
	size_t size = strlen(key->host) + strlen(key->device) +
		      strlen(key->op) + strlen(key->phase) + NAMES;
	struct entry *e = calloc(1, sizeof(*e) + size);
	char *at;

	if (!e)
		return NULL;
	at = e->names;
	e->key.host = keep(&at, key->host);
	e->key.device = keep(&at, key->device);
	e->key.op = keep(&at, key->op);
	e->key.phase = keep(&at, key->phase);
	e->key.at = key->at;
	return e;
}

/* The place of key's entry, or for a new one; two keys may share a hash. */
static uint64_t find_place(const struct table *t, const struct saved_key *key,
			   struct entry **e)
{
	uint64_t place = hash_of(&t->by_key, key);

	for (;; place++) {
		*e = hash_get(&t->by_key, place);
		if (!*e || !compare_keys(&(*e)->key, key))
			return place;
	}
}

static int insert(struct table *t, uint64_t place, struct entry *e)
{
	struct entry **entries = array_reserve(t->entries, t->count, &t->size,
					       16, sizeof(*entries));
	int err;

	if (!entries)
		return -ENOMEM;
	t->entries = entries;
	err = hash_put(&t->by_key, place, e);
	if (err)
		return err;
	entries[t->count++] = e;
	t->sorted = false;
	return 0;
}

/* Finds key's entry, or makes one: 0, or -errno. */
static int entry_of(struct table *t, const struct saved_key *key,
		    struct entry **e)
{
	uint64_t place;
	int err;

	if (is_too_long(key))
		return -ENAMETOOLONG;
	place = find_place(t, key, e);
	if (*e)
		return 0;
	if (t->count == SAVED_COUNT_MAX)
		return -ENOSPC;
	*e = new_entry(key);
	if (!*e)
		return -ENOMEM;
	err = insert(t, place, *e);
	if (err)
		free(*e);
	return err;
}

/* --- adding --------------------------------------------------------------- */

static void add_count(uint64_t *sum, uint64_t more)
{
	*sum = *sum + more < more ? UINT64_MAX : *sum + more;
}

int saved_add_trace(struct saved *s, const struct saved_trace *t)
{
	const struct saved_key key = { t->host, t->device, "", "", 0 };
	struct saved_trace *sum;
	struct entry *e;
	int err = entry_of(&s->traces, &key, &e);

	if (err)
		return err;
	sum = &e->trace;
	if (!sum->host)
		*sum = (struct saved_trace){ e->key.host, e->key.device,
					     .from = t->from };
	if (t->from < sum->from)
		sum->from = t->from;
	if (t->to > sum->to)
		sum->to = t->to;
	add_count(&sum->records, t->records);
	add_count(&sum->lost, t->lost);
	add_count(&sum->missing, t->missing);
	add_count(&sum->unsure, t->unsure);
	return 0;
}

int saved_add(struct saved *s, const struct saved_key *key,
	      const struct histogram *h)
{
	struct entry *e;
	int err;

	/* merging may exceed this; the next call reports that */
	if (s->bytes + histogram_size(h) > SAVED_SIZE_MAX)
		return -ENOSPC;
	err = entry_of(&s->histograms, key, &e);
	if (err)
		return err;
	s->bytes -= histogram_size(&e->h);
	err = histogram_merge(&e->h, h);
	s->bytes += histogram_size(&e->h);
	return err;
}

/* --- reading -------------------------------------------------------------- */

static struct entry *entry_at(struct table *t, size_t i)
{
	if (!t->sorted)
		qsort(t->entries, t->count, sizeof(*t->entries),
		      compare_entries);
	t->sorted = true;
	return t->entries[i];
}

size_t saved_bytes(const struct saved *s)
{
	return s->bytes;
}

size_t saved_traces(const struct saved *s)
{
	return s->traces.count;
}

size_t saved_histograms(const struct saved *s)
{
	return s->histograms.count;
}

const struct saved_trace *saved_trace(struct saved *s, size_t i)
{
	return &entry_at(&s->traces, i)->trace;
}

const struct histogram *saved_histogram(struct saved *s, size_t i,
					struct saved_key *key)
{
	const struct entry *e = entry_at(&s->histograms, i);

	*key = e->key;
	return &e->h;
}

/* --- writing -------------------------------------------------------------- */

static void write_name(struct buf *b, const char *word, const char *name)
{
	char coded[PERCENT_MAX * SAVED_NAME_MAX + 1];

	percent_encode(coded, name);
	buf_printf(b, " %s=%s", word, coded);
}

static void write_sum(struct buf *b, const char *word, struct wide number)
{
	const uint64_t part = 10000000000000000000u;
	struct wide low, middle, high;

	high = wide_divide(number, wide_of(part), &low);
	high = wide_divide(high, wide_of(part), &middle);

	/* at most 39 digits: two parts of 19, and one more */
	if (wide_is_zero(middle) && wide_is_zero(high))
		buf_printf(b, " %s=%" PRIu64, word, low.low);
	else if (wide_is_zero(high))
		buf_printf(b, " %s=%" PRIu64 "%019" PRIu64, word, middle.low,
			   low.low);
	else
		buf_printf(b, " %s=%" PRIu64 "%019" PRIu64 "%019" PRIu64, word,
			   high.low, middle.low, low.low);
}

static void write_number(struct buf *b, const char *word, uint64_t number)
{
	write_sum(b, word, wide_of(number));
}

static void write_trace(struct buf *b, const struct saved_trace *t)
{
	buf_printf(b, "trace");
	write_name(b, "host", t->host);
	write_name(b, "device", t->device);
	write_number(b, "from", t->from);
	write_number(b, "to", t->to);
	write_number(b, "records", t->records);
	write_number(b, "lost", t->lost);
	write_number(b, "missing", t->missing);
	if (t->unsure)
		write_number(b, "unsure", t->unsure);
	buf_printf(b, "\n");
}

static void write_key(struct buf *b, const struct saved_key *key)
{
	buf_printf(b, "hist");
	write_name(b, "host", key->host);
	write_name(b, "device", key->device);
	write_name(b, "op", key->op);
	write_name(b, "phase", key->phase);
	if (key->at != SAVED_ALWAYS)
		write_number(b, "at", key->at);
}

static void write_cells(struct buf *b, const struct histogram *h)
{
	int cell = -1;
	uint64_t count;
	bool first = true;

	while (histogram_next(h, &cell, &count)) {
		char *p = buf_room(b, 2 * NUM_DECIMAL_MAX + NUM_SLACK);

		if (!p)
			return;
		if (!first)
			*p++ = ' ';
		first = false;
		p = num_u64(p, (uint64_t)cell);
		*p++ = ':';
		buf_commit(b, num_u64(p, count));
	}
	buf_printf(b, "\n");
}

static void write_histogram(struct buf *b, const struct entry *e)
{
	write_key(b, &e->key);
	write_number(b, "n", e->h.count);
	write_sum(b, "sum", e->h.sum);
	write_number(b, "min", e->h.min);
	write_number(b, "max", e->h.max);
	buf_printf(b, "\n");
	write_cells(b, &e->h);
}

int saved_write(struct saved *s, struct buf *b)
{
	buf_printf(b, SAVED_MAGIC "\n");
	return saved_write_more(s, b);
}

int saved_write_more(struct saved *s, struct buf *b)
{
	for (size_t i = 0; i < s->traces.count; i++)
		write_trace(b, saved_trace(s, i));
	for (size_t i = 0; i < s->histograms.count; i++) {
		const struct entry *e = entry_at(&s->histograms, i);

		if (e->h.count)
			write_histogram(b, e);
	}
	return buf_flush(b);
}
