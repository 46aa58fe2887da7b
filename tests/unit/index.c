/* SPDX-License-Identifier: GPL-2.0-only */
/* The index of joining, held against plain lists. */
#include "make.h"
#include "request/items.h"

enum { ITEMS = 400, MORE = 100, KEYS = 12, SPACES = 3, NONE = -1 };

struct item {
	int before;		/* an entry need not be first */
	struct index_entry entry;
};

/* what each key's chain must be, and which key an item is under */
struct model {
	uint32_t chain[SPACES][KEYS][ITEMS + MORE];
	size_t length[SPACES][KEYS];
	int space[ITEMS + MORE], key[ITEMS + MORE];	/* or NONE */
};

struct fixture {
	struct item items[ITEMS];
	struct index_entry more[MORE];
	struct index x;
	struct model m;
};

static struct fixture *make(uint32_t most)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_int_equal(index_init(&f->x, &f->items[0].entry,
				    sizeof(f->items[0]), most), 0);
	f->x.items = ITEMS;
	f->x.more = f->more;
	for (int i = 0; i < ITEMS + MORE; i++)
		f->m.space[i] = NONE;
	return f;
}

static void put_away(struct fixture *f)
{
	index_free(&f->x);
	free(f);
}

/* sectors far from each other, and near */
static uint64_t key_of(int k)
{
	return k % 2 ? (uint64_t)k << 40 : (uint64_t)k * 8;
}

static void check_chain(const struct fixture *f, int s, int k)
{
	const uint32_t *chain = f->m.chain[s][k];
	size_t length = f->m.length[s][k];
	uint32_t n = index_first(&f->x, (uint32_t)s + 1, key_of(k));
	uint32_t last = index_last(&f->x, n);

	assert_int_equal(last, length ? chain[length - 1] : INDEX_NONE);
	for (size_t i = 0; i < length; i++) {
		assert_int_equal(n, chain[i]);
		assert_int_equal(index_before(&f->x, n),
				 i ? chain[i - 1] : INDEX_NONE);
		n = index_next(&f->x, n);
	}
	assert_int_equal(n, INDEX_NONE);
}

static void add(struct fixture *f, uint32_t n, int s, int k)
{
	struct model *m = &f->m;

	index_add(&f->x, n, (uint32_t)s + 1, key_of(k));
	m->chain[s][k][m->length[s][k]++] = n;
	m->space[n] = s;
	m->key[n] = k;
}

static void take_out(struct fixture *f, uint32_t n)
{
	struct model *m = &f->m;
	int s = m->space[n], k = m->key[n];
	uint32_t *chain = m->chain[s][k];
	size_t at = 0;

	index_remove(&f->x, n);
	while (chain[at] != n)
		at++;
	memmove(chain + at, chain + at + 1,
		(--m->length[s][k] - at) * sizeof(*chain));
	m->space[n] = NONE;
}

/* Random additions and removals, every chain looked at now and then. */
static void shake(struct fixture *f, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		uint32_t n = (uint32_t)rand() % (ITEMS + MORE);

		if (f->m.space[n] == NONE)
			add(f, n, rand() % SPACES, rand() % KEYS);
		else
			take_out(f, n);
		if (i % 64)
			continue;
		for (int s = 0; s < SPACES; s++)
			for (int k = 0; k < KEYS; k++)
				check_chain(f, s, k);
	}
}

static void random_chains(void **state)
{
	struct fixture *f = make(ITEMS + MORE);

	(void)state;
	srand(1);
	shake(f, 20000);
	put_away(f);
}

/* Thousands of keys, so that the buckets become more, and are too few. */
static void many_keys(void **state)
{
	enum { MANY = 20000 };
	struct index_entry *entries = calloc(MANY, sizeof(*entries));
	struct index x;

	(void)state;
	assert_non_null(entries);
	assert_int_equal(index_init(&x, entries, sizeof(*entries), MANY), 0);
	for (uint32_t n = 0; n < MANY; n++)
		index_add(&x, n, 1 + n % 2, n / 2 * 8);
	assert_true(x.mask > 1000);
	for (uint32_t n = 0; n < MANY; n++)
		assert_int_equal(index_first(&x, 1 + n % 2, n / 2 * 8), n);
	for (uint32_t n = 0; n < MANY; n += 2)
		index_remove(&x, n);
	for (uint32_t n = 0; n < MANY; n++)
		assert_int_equal(index_first(&x, 1 + n % 2, n / 2 * 8),
				 n % 2 ? n : INDEX_NONE);
	index_free(&x);
	free(entries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_chains),
		cmocka_unit_test(many_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
