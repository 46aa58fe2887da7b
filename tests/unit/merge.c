/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The merge, held against a model of the list by which release 1.3.0 merges.
 *
 * The model: players in a list, the head is next to show.  A player is put in
 * front if it is earlier than the head, else behind all, after the head, that
 * are earlier than it.  A head that has shown its event stays if it is not
 * later than the second, else it is taken out and put in again.
 */
#include <errno.h>

#include "file/batch.h"
#include "make.h"
#include "run/merge.h"

enum { PLAYERS_MAX = 12, EVENTS_MAX = 40 };

/* a player with a prepared hand; pids tell whose event it is */
struct hand {
	struct event events[EVENTS_MAX];
	size_t count, at;
	int stumble;		/* answered once before the next event */
	size_t ready;		/* so many are ready at a time; 0: none */
	struct batch batch;
	uint8_t raw[EVENTS_MAX * BLK_HEADER_7];
};

/* The next events, as many as are ready at a time, are those of the batch. */
static void make_ready(struct hand *h)
{
	size_t n = h->count - h->at < h->ready ? h->count - h->at : h->ready;

	for (size_t i = 0; i < n; i++)
		memcpy(h->raw + i * BLK_HEADER_7, &h->events[h->at + i],
		       BLK_HEADER_7);
	h->batch.raw = h->raw;
	h->batch.end = h->raw + n * BLK_HEADER_7;
	h->at += n;
}

static int hand_next(void *self, struct event **ev)
{
	struct hand *h = self;
	int err = h->stumble;

	h->stumble = 0;
	if (err)
		return err;
	if (h->at == h->count)
		return 0;
	if (h->ready) {
		make_ready(h);
		batch_take(&h->batch);
		*ev = &h->batch.ev;
	} else {
		*ev = &h->events[h->at++];
	}
	return 1;
}

static void deal(struct hand *h, uint32_t player, uint64_t time)
{
	h->events[h->count++] = EVENT(.time = time, .pid = player,
				      .sequence = (uint32_t)h->count);
}

/* --- the model ----------------------------------------------------------- */

struct model {
	struct hand *list[PLAYERS_MAX];
	size_t count;
};

static uint64_t time_of(const struct hand *h)
{
	return h->events[h->at].time;
}

static void model_insert(struct model *m, struct hand *h)
{
	size_t at = 0;

	if (m->count && time_of(h) >= time_of(m->list[0]))
		for (at = 1; at < m->count; at++)
			if (time_of(m->list[at]) >= time_of(h))
				break;
	memmove(m->list + at + 1, m->list + at,
		(m->count - at) * sizeof(*m->list));
	m->list[at] = h;
	m->count++;
}

static void model_unlink_head(struct model *m)
{
	m->count--;
	memmove(m->list, m->list + 1, m->count * sizeof(*m->list));
}

/* The next event in 1.3.0's order, or NULL. */
static const struct event *model_next(struct model *m)
{
	struct hand *h = m->list[0];
	const struct event *ev;

	if (!m->count)
		return NULL;
	ev = &h->events[h->at++];
	if (h->at == h->count) {
		model_unlink_head(m);
	} else if (m->count > 1 && time_of(h) > time_of(m->list[1])) {
		model_unlink_head(m);
		model_insert(m, h);
	}
	return ev;
}

/* --- tests --------------------------------------------------------------- */

static struct merge *merge_of(struct hand *hands, size_t count)
{
	struct merge *m = merge_new();

	assert_non_null(m);
	for (size_t i = 0; i < count; i++) {
		struct hand *h = &hands[i];
		struct player p = { hand_next, h,
				    h->ready ? &h->batch : NULL };

		assert_int_equal(merge_add(m, p), 0);
	}
	return m;
}

/* the next event: in rows, from the batch while that has what follows */
static int next(struct merge *m, bool rows, struct event **ev)
{
	if (rows && batch_follow(merge_batch(m), ev))
		return 1;
	return merge_next(m, ev);
}

static void check_against_model(const struct hand *dealt, size_t count,
				bool rows)
{
	struct hand ours[PLAYERS_MAX], theirs[PLAYERS_MAX];
	const struct event *want;
	struct model model = { .count = 0 };
	struct event *got;
	struct merge *m;

	memcpy(ours, dealt, sizeof(ours));
	memcpy(theirs, dealt, sizeof(theirs));
	for (size_t i = 0; i < count; i++)
		if (theirs[i].count)
			model_insert(&model, &theirs[i]);
	m = merge_of(ours, count);
	while ((want = model_next(&model))) {
		assert_int_equal(next(m, rows, &got), 1);
		assert_int_equal(got->pid, want->pid);
		assert_int_equal(got->sequence, want->sequence);
	}
	assert_int_equal(next(m, rows, &got), 0);
	assert_int_equal(next(m, rows, &got), 0);
	merge_free(m);
}

/* random traces with many ties, and times that go back inside a stream */
static void test_random(void **state)
{
	uint64_t seed = 23;

	(void)state;
	for (int trace = 0; trace < 2000; trace++) {
		static struct hand hands[PLAYERS_MAX];
		size_t players = 1 + chance(&seed) % PLAYERS_MAX;
		uint32_t step = 1 + chance(&seed) % 4;

		memset(hands, 0, sizeof(hands));
		for (uint32_t p = 0; p < players; p++) {
			size_t count = chance(&seed) % EVENTS_MAX;
			uint64_t time = 5 + chance(&seed) % 3;

			hands[p].ready = chance(&seed) % 5;
			for (size_t i = 0; i < count; i++) {
				time += chance(&seed) % step;
				time -= chance(&seed) % 20 == 0;
				deal(&hands[p], p, time);
			}
		}
		check_against_model(hands, players, false);
		check_against_model(hands, players, true);
	}
}

/* first events all equal: the first player leads, the others stand reversed */
static void test_first_ties(void **state)
{
	static const uint32_t order[] = { 0, 3, 2, 1 };
	static struct hand hands[4];
	struct event *ev;
	struct merge *m;

	(void)state;
	memset(hands, 0, sizeof(hands));
	for (uint32_t p = 0; p < 4; p++)
		deal(&hands[p], p, 7);
	m = merge_of(hands, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(merge_next(m, &ev), 1);
		assert_int_equal(ev->pid, order[i]);
	}
	assert_int_equal(merge_next(m, &ev), 0);
	merge_free(m);
}

/* without players, and with players that have nothing, it ends at once */
static void test_nothing(void **state)
{
	static struct hand hands[5];
	struct merge *m = merge_new();
	struct event *ev;

	(void)state;
	memset(hands, 0, sizeof(hands));
	assert_int_equal(merge_next(m, &ev), 0);
	merge_free(m);
	m = merge_of(hands, 5);
	assert_int_equal(merge_next(m, &ev), 0);
	assert_int_equal(merge_next(m, &ev), 0);
	merge_free(m);
	merge_free(NULL);
}

/* an interruption is handed on, and costs no event and no order */
static void test_stumble(void **state)
{
	static struct hand hands[3];
	uint32_t shown = 0;
	struct event *ev;
	struct merge *m;
	int got;

	(void)state;
	memset(hands, 0, sizeof(hands));
	for (uint32_t i = 0; i < 30; i++)
		deal(&hands[i % 3], i, i);
	hands[1].stumble = -EINTR;
	m = merge_of(hands, 3);
	assert_int_equal(merge_next(m, &ev), -EINTR);
	while ((got = merge_next(m, &ev))) {
		if (got == -EAGAIN)
			continue;
		assert_int_equal(got, 1);
		assert_int_equal(ev->pid, shown++);
		hands[ev->pid % 3].stumble = ev->pid % 2 ? -EAGAIN : 0;
	}
	assert_int_equal(shown, 30);
	merge_free(m);
}

/* what the players that wait have next, and that one has ended */
static void test_front(void **state)
{
	static struct hand hands[2];
	const struct event *front;
	struct event *ev;
	struct merge *m;

	(void)state;
	memset(hands, 0, sizeof(hands));
	deal(&hands[0], 0, 1);
	deal(&hands[0], 0, 3);
	deal(&hands[1], 1, 2);
	m = merge_of(hands, 2);
	assert_null(merge_front(m, 1));
	assert_int_equal(merge_next(m, &ev), 1);
	front = merge_front(m, 1);
	assert_non_null(front);
	assert_int_equal(front->time, 2);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_int_equal(ev->time, 2);
	front = merge_front(m, 0);
	assert_non_null(front);
	assert_int_equal(front->time, 3);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_null(merge_front(m, 1));
	merge_free(m);
}

/* version 2 has no common clock: its numbers make the order */
static void test_version_2(void **state)
{
	static struct hand hands[2];
	struct event *ev;
	struct merge *m;

	(void)state;
	memset(hands, 0, sizeof(hands));
	deal(&hands[0], 0, 1);
	deal(&hands[1], 1, 2);
	hands[0].events[0].sequence = 9;
	hands[1].events[0].sequence = 8;
	hands[0].events[0].version = hands[1].events[0].version = 2;
	m = merge_of(hands, 2);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_int_equal(ev->sequence, 8);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_int_equal(ev->sequence, 9);
	merge_free(m);
}

/* a player that only has the last time there is is not taken for ended */
static void test_last_time(void **state)
{
	static struct hand hands[2];
	struct event *ev;
	struct merge *m;

	(void)state;
	memset(hands, 0, sizeof(hands));
	deal(&hands[0], 0, 1);
	deal(&hands[1], 1, UINT64_MAX);
	m = merge_of(hands, 2);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_int_equal(ev->pid, 0);
	assert_int_equal(merge_next(m, &ev), 1);
	assert_int_equal(ev->pid, 1);
	assert_int_equal(merge_next(m, &ev), 0);
	merge_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_first_ties),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_stumble),
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_last_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
