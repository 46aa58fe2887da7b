/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of flushes and changes: what must wait, for what, and that nothing
 * waits for ever, whatever files say.
 */
#include "make.h"
#include "tools/btreplay/order.h"

enum { FLUSH, CHANGE, BEHIND, END };

/* a line of a made-up file: BEHIND is a change with a flush before it */
struct line {
	uint64_t time;
	int what;
	uint32_t count;		/* of an END */
};

/* what is released: the last of it, and how many */
static struct order_item *released[4096];
static unsigned int release_count;

static void release(struct order_item *i)
{
	released[release_count++ % 4096] = i;
}

/* --- making one ---------------------------------------------------------- */

static void add(struct order *o, struct order_place *at, const struct line *l)
{
	order_step(at, l->time);
	if (l->what == END)
		assert_int_equal(order_add_end(o, at, l->count), 0);
	if (l->what == FLUSH || l->what == BEHIND)
		assert_int_equal(order_add_flush(o, at, l->what == FLUSH), 0);
	if (l->what == BEHIND)
		order_step(at, l->time);
}

/* The items of a line: how many; a change with a flush has both. */
static int place(const struct order *o, struct order_place *at,
		 const struct line *l, struct order_item items[2])
{
	order_step(at, l->time);
	if (l->what == END)
		return 0;
	if (l->what == FLUSH) {
		order_place_flush(o, at, items);
		return 1;
	}
	if (l->what == CHANGE) {
		order_place_change(o, at, false, items);
		return 1;
	}
	order_place_flush(o, at, items);
	order_step(at, l->time);
	order_place_change(o, at, true, items + 1);
	return 2;
}

static void add_file(struct order *o, const struct line *lines, int count)
{
	struct order_place at = { .begun = false };

	for (int i = 0; i < count; i++)
		add(o, &at, &lines[i]);
}

static int expect_file(struct order *o, const struct line *lines, int count,
		       struct order_item *items)
{
	struct order_place at = { .begun = false };
	int n = 0;

	for (int i = 0; i < count; i++) {
		int got = place(o, &at, &lines[i], items + n);

		while (got--)
			order_expect(o, &items[n++]);
	}
	return n;
}

/* The order of one file, begun, and its items. */
static struct order *order_of(const struct line *lines, int count,
			      struct order_item *items)
{
	struct order *o = order_new(release);

	assert_non_null(o);
	add_file(o, lines, count);
	assert_int_equal(order_sort(o), 0);
	expect_file(o, lines, count, items);
	order_begin(o);
	release_count = 0;
	return o;
}

/* --- what waits for what ------------------------------------------------- */

static void test_flush_waits(void **state)
{
	static const struct line lines[] = {
		{ 10, CHANGE, 0 }, { 11, CHANGE, 0 }, { 20, FLUSH, 0 },
		{ 30, CHANGE, 0 }, { 40, FLUSH, 0 },
	};
	struct order_item items[5];
	struct order *o = order_of(lines, 5, items);

	(void)state;
	assert_true(order_enter(o, &items[0]) && order_enter(o, &items[1]));
	assert_false(order_enter(o, &items[2]));
	/* no end is recorded: it need not wait */
	assert_true(order_enter(o, &items[3]));
	order_leave(o, &items[3]);
	assert_false(order_enter(o, &items[4]));
	order_leave(o, &items[1]);
	assert_int_equal(release_count, 0);
	order_leave(o, &items[0]);
	/* both: the second waits for changes, not for the first */
	assert_int_equal(release_count, 2);
	assert_ptr_equal(released[0], &items[2]);
	assert_ptr_equal(released[1], &items[4]);
	assert_false(order_is_done(o));
	order_leave(o, &items[4]);
	order_leave(o, &items[2]);
	assert_true(order_is_done(o));
	assert_int_equal(order_held(o)->count, 2);
	order_free(o);
}

static void test_change_waits(void **state)
{
	static const struct line lines[] = {
		{ 20, FLUSH, 0 }, { 25, CHANGE, 0 }, { 30, END, 1 },
		{ 30, CHANGE, 0 },
	};
	struct order_item items[3];
	struct order *o = order_of(lines, 4, items);

	(void)state;
	assert_true(order_enter(o, &items[0]));
	assert_true(order_enter(o, &items[1]));
	assert_false(order_enter(o, &items[2]));
	order_leave(o, &items[1]);
	assert_int_equal(release_count, 0);
	order_leave(o, &items[0]);
	assert_int_equal(release_count, 1);
	assert_ptr_equal(released[0], &items[2]);
	order_leave(o, &items[2]);
	assert_true(order_is_done(o));
	/* and again, in another iteration */
	order_begin(o);
	assert_false(order_is_done(o));
	assert_false(order_enter(o, &items[2]));
	order_free(o);
}

/* the write after its own flush, whose end is recorded nowhere */
static void test_preflush(void **state)
{
	static const struct line lines[] = {
		{ 10, CHANGE, 0 }, { 20, BEHIND, 0 }, { 20, CHANGE, 0 },
	};
	struct order_item items[4];
	struct order *o = order_of(lines, 3, items);

	(void)state;
	assert_true(order_enter(o, &items[0]));
	assert_false(order_enter(o, &items[1]));
	assert_false(order_enter(o, &items[2]));
	assert_true(order_enter(o, &items[3]));
	order_leave(o, &items[0]);
	assert_int_equal(release_count, 1);
	assert_ptr_equal(released[0], &items[1]);
	order_leave(o, &items[1]);
	assert_int_equal(release_count, 2);
	assert_ptr_equal(released[1], &items[2]);
	order_free(o);
}

/* files that say what cannot be: ends before flushes, and more than these */
static void test_impossible_ends(void **state)
{
	static const struct line lines[] = {
		{ 5, END, 3 }, { 10, CHANGE, 0 }, { 20, FLUSH, 0 },
		{ 20, END, UINT32_MAX }, { 15, CHANGE, 0 },
		{ UINT64_MAX, FLUSH, 0 }, { 7, CHANGE, 0 },
		{ 8, END, 1 }, { 9, BEHIND, 0 },
	};
	struct order_item items[7];
	struct order *o = order_of(lines, 9, items);

	(void)state;
	assert_true(order_enter(o, &items[0]));
	assert_false(order_enter(o, &items[1]));
	assert_false(order_enter(o, &items[2]));
	order_leave(o, &items[0]);
	assert_int_equal(release_count, 1);
	order_leave(o, &items[1]);
	assert_int_equal(release_count, 2);
	order_leave(o, &items[2]);
	for (int i = 3; i < 7; i++)
		if (order_enter(o, &items[i]))
			order_leave(o, &items[i]);
	while (release_count > 2)
		order_leave(o, released[--release_count]);
	assert_true(order_is_done(o));
	order_free(o);
}

static void test_abandon(void **state)
{
	static const struct line lines[] = {
		{ 10, CHANGE, 0 }, { 20, FLUSH, 0 }, { 30, END, 1 },
		{ 40, CHANGE, 0 },
	};
	struct order_item items[3];
	struct order *o = order_of(lines, 4, items);

	(void)state;
	assert_false(order_enter(o, &items[2]));
	assert_false(order_enter(o, &items[1]));
	order_abandon(o, release);
	assert_int_equal(release_count, 2);
	order_abandon(o, release);
	assert_int_equal(release_count, 2);
	assert_int_equal(order_held(o)->count, 0);
	order_free(o);
}

/* --- by chance ----------------------------------------------------------- */

enum { FILES = 3, LINES = 200, ROUNDS = 30 };

/* an item of all files, with the time that puts it in the order */
struct sent {
	struct order_item item;
	bool entered, back;
	uint64_t time;
};

struct play {
	struct order *o;
	struct sent sent[FILES][LINES * 2];
	int count[FILES], next[FILES];
	unsigned int seed;
};

static unsigned int any(struct play *p, unsigned int below)
{
	p->seed = p->seed * 1103515245 + 12345;
	return (p->seed >> 16) % below;
}

static void make_lines(struct play *p, struct line *lines)
{
	uint64_t time = 0;

	for (int i = 0; i < LINES; i++) {
		/* now and then back in time, or at the same */
		time += any(p, 4) ? any(p, 5) : (uint64_t)-1 * (time > 9) * 3;
		lines[i] = (struct line){ time, (int)any(p, 4), any(p, 3) };
	}
	if (!any(p, 4))
		lines[LINES - 1].time = UINT64_MAX;
}

static void place_lines(struct play *p, int file, const struct line *lines)
{
	struct order_place at = { .begun = false };
	int n = 0;

	for (int i = 0; i < LINES; i++) {
		struct order_item items[2];
		int got = place(p->o, &at, &lines[i], items);

		for (int j = 0; j < got; j++) {
			p->sent[file][n++] = (struct sent){
				.item = items[j],
				.time = at.time - (uint64_t)(got - 1 - j) };
			order_expect(p->o, &items[j]);
		}
	}
	p->count[file] = n;
}

/* all changes of a lesser time must have come back before a flush is sent */
static void check_covered(const struct play *p, const struct sent *flush)
{
	for (int f = 0; f < FILES; f++)
		for (int i = 0; i < p->count[f]; i++) {
			const struct sent *s = &p->sent[f][i];

			if (!s->item.flush && s->time < flush->time)
				assert_true(s->back);
		}
}

static void check_released(struct play *p)
{
	for (unsigned int i = 0; i < release_count; i++) {
		struct sent *s = (struct sent *)released[i];

		assert_false(s->entered);
		s->entered = true;
		if (s->item.flush)
			check_covered(p, s);
	}
	release_count = 0;
}

/* The next of a file, unless so many of it are under way. */
static bool send_one(struct play *p, int file, int depth)
{
	struct sent *s;
	int open = 0;

	for (int i = 0; i < p->next[file]; i++)
		open += !p->sent[file][i].back;
	if (open >= depth || p->next[file] == p->count[file])
		return false;
	s = &p->sent[file][p->next[file]++];
	if (order_enter(p->o, &s->item)) {
		s->entered = true;
		if (s->item.flush)
			check_covered(p, s);
	}
	return true;
}

/* One of those under way comes back. */
static bool take_one(struct play *p)
{
	int file = (int)any(p, FILES);

	for (int f = 0; f < FILES; f++, file = (file + 1) % FILES)
		for (int i = 0; i < p->next[file]; i++) {
			struct sent *s = &p->sent[file][i];

			if (!s->entered || s->back || !any(p, 3))
				continue;
			s->back = true;
			order_leave(p->o, &s->item);
			check_released(p);
			return true;
		}
	return false;
}

/* Few slots, and files that go on in any turn: all comes to its end. */
static void play(struct play *p)
{
	int depth = 1 + (int)any(p, 4), idle = 0;

	while (!order_is_done(p->o) && idle < 1000) {
		bool moved = any(p, 2) && send_one(p, (int)any(p, FILES),
						    depth);

		moved |= take_one(p);
		idle = moved ? 0 : idle + 1;
	}
	assert_true(order_is_done(p->o));
}

static void test_chance(void **state)
{
	static struct line lines[FILES][LINES];
	static struct play p;

	(void)state;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		p = (struct play){ .o = order_new(release), .seed = round };
		assert_non_null(p.o);
		for (int f = 0; f < FILES; f++) {
			make_lines(&p, lines[f]);
			add_file(p.o, lines[f], LINES);
		}
		assert_int_equal(order_sort(p.o), 0);
		for (int f = 0; f < FILES; f++)
			place_lines(&p, f, lines[f]);
		order_begin(p.o);
		release_count = 0;
		play(&p);
		order_free(p.o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flush_waits),
		cmocka_unit_test(test_change_waits),
		cmocka_unit_test(test_preflush),
		cmocka_unit_test(test_impossible_ends),
		cmocka_unit_test(test_abandon),
		cmocka_unit_test(test_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
