/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking a file up to a time: against what the file was made of, for batches
 * of any size and any time; and the files that are none to be walked.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "file/positions.h"
#include "file/stream.h"
#include "make.h"

enum { CPU = 3, MANY = 3 * POSITIONS_STEP };

/* a file, and what it was made of: times of its events, places of its notes */
struct made {
	char path[32];
	uint64_t times[MANY + 1], at[MANY + 1];
	uint64_t notes[MANY], behind[MANY];	/* offset, events before */
	size_t count, note_count;
	uint64_t end;
};

static const struct event queue = {
	.version = 7, .cpu = CPU, .payload = (const uint8_t *)"payload",
	.action = ACT(BLK_TA_QUEUE, CAT(WRITE)),
};

static void write_all(const char *path, const struct bytes *in)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	assert_int_equal(write(fd, in->data, in->len), in->len);
	close(fd);
}

/* One more record of any kind, and what to remember of it. */
static void add_any(struct made *m, struct bytes *in, uint64_t *seed,
		    uint64_t time)
{
	struct event ev = queue;
	uint32_t kind = chance(seed) % 16;
	size_t had = in->len;

	ev.time = time;
	ev.pdu_len = (uint16_t)(chance(seed) % 8);
	if (kind == 0)
		ev.action = NOTE(BLK_TN_PROCESS);
	if (kind == 1)
		ev.action = NOTE(BLK_TN_MESSAGE);
	if (kind == 0) {
		m->notes[m->note_count] = m->end;
		m->behind[m->note_count++] = m->count;
	} else {
		m->at[m->count] = m->end;
		m->times[m->count++] = time;
	}
	add_shaped(in, kind % 2 ? V7 : V8, false, &ev, NULL);
	m->end += in->len - had;
}

/* events of times that mostly rise, several of one time at times */
static struct made *make(size_t count, uint64_t seed)
{
	struct made *m = calloc(1, sizeof(*m));
	struct bytes *in = bytes_new();
	uint64_t time = 1000;

	strcpy(m->path, "/tmp/unit.XXXXXX");
	close(mkstemp(m->path));
	while (m->count < count) {
		time += chance(&seed) % 4;
		add_any(m, in, &seed, time - chance(&seed) % 64 / 63);
		if (in->len > sizeof(in->data) - 1000) {
			write_all(m->path, in);
			in->len = 0;
		}
	}
	write_all(m->path, in);
	free(in);
	m->at[m->count] = m->end;
	return m;
}

static void made_free(struct made *m)
{
	unlink(m->path);
	free(m);
}

/* the latest of the first count times */
static uint64_t latest(const struct made *m, size_t count)
{
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++)
		most = m->times[i] > most ? m->times[i] : most;
	return most;
}

/* Where a batch begins: its notes are before its first event. */
static uint64_t begin_of(const struct made *m, size_t first)
{
	uint64_t at = first ? m->at[first] : 0;

	for (size_t i = m->note_count; first && i--;)
		if (m->behind[i] == first)
			at = m->notes[i];
	return at;
}

static void check_notes(const struct made *m, const struct positions *p,
			uint32_t batch, const struct landing *to)
{
	for (size_t i = 0; i < p->note_count; i++) {
		uint64_t first = m->behind[i] / batch * batch;

		assert_int_equal(p->notes[i].offset, m->notes[i]);
		assert_int_equal(p->notes[i].number, m->behind[i]);
		assert_int_equal(p->notes[i].after, latest(m, first));
	}
	assert_true(p->note_count <= m->note_count);
	if (p->note_count < m->note_count)
		assert_true(m->behind[p->note_count] >= to->events);
}

static void check(const struct made *m, struct positions *p, uint32_t batch,
		  uint64_t time)
{
	const struct walk_options o = { m->path, CPU, batch, time };
	struct landing to;
	size_t n = 0, first;

	while (n < m->count && m->times[n] < time)
		n++;
	assert_int_equal(walk_file(&o, p, &to), 0);
	assert_int_equal(to.events, n);
	first = n ? (n - 1) / batch * batch : 0;
	assert_int_equal(to.batch_first, first);
	assert_int_equal(to.batch_at, begin_of(m, first));
	assert_int_equal(to.batch_after, latest(m, first));
	assert_int_equal(to.most, latest(m, n));
	if (n) {
		assert_int_equal(to.last, m->times[n - 1]);
		assert_true(to.least <= m->times[0]);
	}
	check_notes(m, p, batch, &to);
}

/* --- tests --------------------------------------------------------------- */

/* batches of any size, times before, among and behind the events */
static void test_batches(void **state)
{
	static const uint32_t batches[] = { 1, 2, 3, 7, 64, 512, 5000 };
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		struct made *m = make(600, i);

		for (int n = 0; n < 40; n++) {
			struct positions p = { .count = 0 };

			check(m, &p, batches[i], 990 + chance(&seed) % 1000);
			positions_free(&p);
		}
		made_free(m);
	}
}

/* what one walk has learnt serves the next, wherever that one goes */
static void test_positions(void **state)
{
	struct made *m = make(MANY, 5);
	struct positions p = { .count = 0 };
	uint64_t seed = 2, span = m->times[m->count - 1];

	(void)state;
	check(m, &p, STREAM_BATCH, UINT64_MAX);
	assert_int_equal(p.count, 3);
	for (int n = 0; n < 20; n++)
		check(m, &p, STREAM_BATCH, chance(&seed) % (span + 100));
	check(m, &p, STREAM_BATCH, 0);
	assert_int_equal(p.count, 0);
	positions_free(&p);
	made_free(m);
}

static int walk_bytes(const struct bytes *in, uint64_t time)
{
	char path[] = "/tmp/unit.XXXXXX";
	const struct walk_options o = { path, CPU, 1, time };
	struct positions p = { .count = 0 };
	struct landing to;
	int err;

	close(mkstemp(path));
	write_all(path, in);
	err = walk_file(&o, &p, &to);
	positions_free(&p);
	unlink(path);
	return err;
}

/*
 * What a stream would report, or would have to decode, is not walked; but
 * nobody looks behind the time.
 */
static void test_others(void **state)
{
	struct bytes *in = bytes_new();
	struct event other = queue, late = queue;
	static const int shapes[] = { V2, V4, V5, V6 };

	(void)state;
	other.cpu = CPU + 1;
	late.time = 10;
	add_record(in, &queue);
	add_record(in, &other);
	assert_int_equal(walk_bytes(in, 5), -EINVAL);
	in->len = 0;
	add_record(in, &queue);
	add_record(in, &late);
	add_record(in, &other);
	assert_int_equal(walk_bytes(in, 5), 0);
	assert_int_equal(walk_bytes(in, 50), -EINVAL);
	in->len = 0;
	add_record(in, &queue);
	add_zeros(in, 100);
	assert_int_equal(walk_bytes(in, 5), -EINVAL);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		in->len = 0;
		add_shaped(in, shapes[i], false, &queue, NULL);
		assert_int_equal(walk_bytes(in, 5), -EINVAL);
	}
	in->len = 0;
	add_shaped(in, V7, true, &queue, NULL);
	assert_int_equal(walk_bytes(in, 5), -EINVAL);
	free(in);
}

/* the end of a file is one, also within a record; no file is an error */
static void test_ends(void **state)
{
	struct bytes *in = bytes_new();
	struct positions p = { .count = 0 };
	struct landing to;

	(void)state;
	assert_int_equal(walk_bytes(in, 5), 0);
	add_record(in, &queue);
	add_record(in, &queue);
	for (in->len--; in->len > BLK_HEADER_7; in->len--)
		assert_int_equal(walk_bytes(in, 5), 0);
	assert_int_equal(walk_file(&(struct walk_options){ "/dev/null", CPU, 1,
							   5 }, &p, &to),
			 -EINVAL);
	assert_int_equal(walk_file(&(struct walk_options){ "/no/file", CPU, 1,
							   5 }, &p, &to),
			 -ENOENT);
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
