/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to a packed file: what threads write at the same time comes back by
 * member, a killed run leaves whole blocks, and a full disk an index of what is
 * there.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/hash.h"
#include "capture/sink.h"
#include "capture/to/sink_packed.h"
#include "capture_reports.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/list.h"
#include "pack/unpacker.h"
#include "scratch.h"

enum {
	RECORDS = 700,		/* in a write */
	LEN = RECORDS * BLK_HEADER_7,
	WRITES = 100,		/* more than four blocks */
	THREADS = 4,
};

#define PATH "x.btz"

static struct sink *sink_of(bool live, int pipe)
{
	const struct sink_packed_options o = {
		.file = { .path = pipe < 0 ? PATH : NULL, .fd = pipe,
			  .reporter = &keeper },
		.live = live,
	};
	struct sink *s;

	assert_int_equal(sink_packed_new(&s, &o), 0);
	return s;
}

static uint64_t mixed(uint32_t n, uint32_t most)
{
	uint64_t key = n * UINT64_C(2654435761);

	return hash_mix(UINT64_C(0x9e3779b97f4a7c15), key) % most;
}

/* The records of a lane's n-th write. */
static void make_write(uint8_t bytes[LEN], uint32_t cpu, uint32_t n)
{
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint32_t number = n * RECORDS + i;
		uint8_t raw[BLK_HEADER_MAX];

		make_header(shape_of(V7), false,
			    &EVENT(.time = 9000 * (uint64_t)number +
					   mixed(number, 9000),
				   .sequence = number, .cpu = cpu,
				   .sector = mixed(number, 9999),
				   .action = ACT(1 + i % 7, CAT(READ))),
			    NULL, raw);
		memcpy(bytes + i * BLK_HEADER_7, raw, BLK_HEADER_7);
	}
}

static int write_one(struct sink *s, struct sink_lane *l, uint32_t n)
{
	uint8_t bytes[LEN];
	int err;

	make_write(bytes, l->cpu, n);
	err = s->ops->write(s, l, bytes, LEN);
	if (!err) {
		l->events += RECORDS;
		l->bytes += LEN;
	}
	return err;
}

static void write_all(struct sink *s, struct sink_lane *l)
{
	assert_int_equal(s->ops->open(s, l), 0);
	for (uint32_t i = 0; i < WRITES; i++)
		assert_int_equal(write_one(s, l, i), 0);
}

/* --- back ----------------------------------------------------------------- */

/* What the block at an offset holds, to bytes; its length. */
static size_t unpack(int fd, uint64_t offset, uint8_t *bytes, size_t room)
{
	struct unpacker *u = unpacker_new();
	struct pack_header h;
	const char *why;
	int head = pack_read_header(fd, offset, &h, &why);
	size_t size = head > 0 ? pack_block_size(&h) : 0, done = 0;
	uint8_t *block = malloc(size);
	ssize_t n;

	assert_true(head > 0 && block);
	assert_int_equal(pread(fd, block, size, (off_t)offset), size);
	assert_int_equal(unpacker_begin(u, &h, block + head), 0);
	while ((n = unpacker_read(u, bytes + done, room - done)) > 0)
		done += (size_t)n;
	assert_int_equal(n, 0);
	free(block);
	unpacker_free(u);
	return done;
}

/* The bytes of a member of the file; a file beside starts anew at its first
 * byte.  The caller frees them. */
static uint8_t *read_member(const char *name, size_t *len, bool whole)
{
	uint8_t *bytes = malloc(8 << 20);
	int fd = open(PATH, O_RDONLY);
	const struct pack_member *m;
	struct pack_list l;

	assert_true(bytes && fd >= 0);
	assert_int_equal(pack_list_read(&l, fd, name), 0);
	assert_int_equal(l.indexed, whole);
	m = pack_list_find(&l, name);
	assert_non_null(m);
	*len = 0;
	for (size_t i = 0; i < m->count; i++)
		*len = m->places[i].at +
		       unpack(fd, m->places[i].offset,
			      bytes + m->places[i].at,
			      (8 << 20) - m->places[i].at);
	pack_list_free(&l);
	close(fd);
	return bytes;
}

/* A member has so many records of what write_one() writes; returns how many if
 * any number will do. */
static size_t check_member(const char *name, uint32_t cpu, bool whole)
{
	size_t len, at;
	uint8_t *bytes = read_member(name, &len, whole);
	uint8_t want[LEN];

	for (at = 0; at < len; at += LEN) {
		make_write(want, cpu, (uint32_t)(at / LEN));
		assert_memory_equal(bytes + at, want,
				    len - at < LEN ? len - at : LEN);
	}
	free(bytes);
	return len / BLK_HEADER_7;
}

static void check_aside(const char *name, const char *text)
{
	size_t len;
	uint8_t *bytes = read_member(name, &len, true);

	assert_int_equal(len, strlen(text));
	assert_memory_equal(bytes, text, len);
	free(bytes);
}

static size_t size_of_file(void)
{
	struct stat st;

	assert_int_equal(stat(PATH, &st), 0);
	return (size_t)st.st_size;
}

/* --- tests ---------------------------------------------------------------- */

struct thread {
	struct sink *s;
	struct sink_lane lane;
	pthread_t id;
};

static void *write_lane(void *arg)
{
	struct thread *t = arg;

	write_all(t->s, &t->lane);
	assert_int_equal(t->s->ops->close(t->s, &t->lane, 0), 0);
	return NULL;
}

static void test_threads(void **state)
{
	static const char *const names[] = { "a.blktrace.0", "a.blktrace.1",
					     "a.blktrace.2", "a.blktrace.3" };
	struct sink *s = sink_of(false, -1);
	struct thread threads[THREADS];

	(void)state;
	assert_int_equal(s->ops->aside(s, "a.blktrace.json", "long ago", 8), 0);
	assert_int_equal(s->ops->touch(s, "a", 7), 0);
	for (uint32_t i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){ s, { .name = "a", .cpu = i }, 0 };
		assert_int_equal(pthread_create(&threads[i].id, NULL,
						write_lane, &threads[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	assert_int_equal(s->ops->aside(s, "a.blktrace.json", "now", 3), 0);
	assert_int_equal(s->ops->end(s), 0);
	s->ops->free(s);
	for (uint32_t i = 0; i < THREADS; i++) {
		assert_int_equal(check_member(names[i], i, true),
				 RECORDS * WRITES);
		assert_int_equal(threads[i].lane.events, RECORDS * WRITES);
	}
	assert_int_equal(check_member("a.blktrace.7", 7, true), 0);
	check_aside("a.blktrace.json", "now");
}

/* a block that is not full is written once it is a second old */
static void test_old(void **state)
{
	struct sink_lane l = { .name = "a" };
	struct sink *s = sink_of(false, -1);

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	assert_int_equal(write_one(s, &l, 0), 0);
	assert_int_equal(s->ops->flush(s, &l), 0);
	assert_int_equal(size_of_file(), 0);
	usleep(950000);
	assert_int_equal(s->ops->flush(s, &l), 0);
	assert_int_equal(check_member("a.blktrace.0", 0, false), RECORDS);
	s->ops->close(s, &l, 0);
	s->ops->free(s);
}

/* more blocks than one index block has entries */
static void test_many_blocks(void **state)
{
	enum { BLOCKS = INDEX_ENTRIES + 100 };
	struct sink_lane l = { .name = "a" };
	struct sink *s = sink_of(true, -1);
	uint8_t bytes[LEN], *got;
	size_t len;

	(void)state;
	make_write(bytes, 0, 0);
	assert_int_equal(s->ops->open(s, &l), 0);
	for (int i = 0; i < BLOCKS; i++) {
		assert_int_equal(s->ops->write(s, &l, bytes, BLK_HEADER_7), 0);
		assert_int_equal(s->ops->flush(s, &l), 0);
	}
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	assert_int_equal(s->ops->end(s), 0);
	s->ops->free(s);
	got = read_member("a.blktrace.0", &len, true);
	assert_int_equal(len, BLOCKS * BLK_HEADER_7);
	free(got);
}

/* a killed run leaves the blocks that were full */
static void test_killed(void **state)
{
	/* static, as valgrind looks for what a killed process has lost */
	static struct sink_lane l = { .name = "a" };
	static struct sink *s;
	pid_t pid = fork();
	size_t records;
	int status;

	(void)state;
	if (!pid) {
		s = sink_of(false, -1);
		write_all(s, &l);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	records = check_member("a.blktrace.0", 0, false);
	assert_int_equal(records, RECORDS * WRITES / PACK_EVENTS * PACK_EVENTS);
}

/* a full disk: one message, what was written is counted and has an index */
static void test_full(void **state)
{
	const struct rlimit small = { 200000, RLIM_INFINITY };
	struct sink_lane l = { .name = "a" }, other = { .name = "a", .cpu = 1 };
	struct sink *s = sink_of(false, -1);
	struct rlimit old;
	int err = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(s->ops->open(s, &l), 0);
	assert_int_equal(s->ops->open(s, &other), 0);
	assert_int_equal(write_one(s, &other, 0), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (uint32_t i = 0; !err && i < 1000; i++)
		err = write_one(s, &l, i);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(write_one(s, &l, 0), -EIO);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	assert_int_equal(s->ops->close(s, &other, 0), -EFBIG);
	assert_int_equal(s->ops->aside(s, "a.blktrace.json", "error", 5), 0);
	assert_int_equal(s->ops->end(s), 0);
	s->ops->free(s);
	check_reports("cannot write x.btz: File too large\n");
	check_aside("a.blktrace.json", "error");
	assert_true(l.events > 0 && l.events % PACK_EVENTS == 0);
	assert_int_equal(l.bytes, l.events * BLK_HEADER_7);
	assert_int_equal(check_member("a.blktrace.0", 0, true), l.events);
	assert_int_equal(other.events, 0);
}

/* into a pipe all of it goes at each flush, and the end is said */
static void test_pipe(void **state)
{
	struct sink_lane l = { .name = "a" };
	uint8_t buf[65536];
	struct pack_header h;
	struct sink *s;
	const char *why;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	s = sink_of(true, fds[1]);
	assert_int_equal(s->ops->open(s, &l), 0);
	assert_int_equal(write_one(s, &l, 0), 0);
	assert_int_equal(s->ops->flush(s, &l), 0);
	assert_true(pack_header_get(&h, buf, (size_t)read(fds[0], buf,
							  sizeof(buf)),
				    &why) > 0);
	assert_int_equal(h.events, RECORDS);
	assert_string_equal(h.name, "a.blktrace.0");
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	assert_int_equal(s->ops->end(s), 0);
	s->ops->free(s);
	assert_true(read(fds[0], buf, sizeof(buf)) > PACK_FIXED);
	assert_true(pack_header_get(&h, buf, sizeof(buf), &why) > 0);
	assert_int_equal(h.kind, PACK_INDEX);
	close(fds[0]);
	close(fds[1]);
}

/* a place that is none is reported */
static void test_no_place(void **state)
{
	const struct sink_packed_options o = {
		.file = { .path = "no/" PATH, .reporter = &keeper } };
	struct sink *s;

	(void)state;
	assert_int_equal(sink_packed_new(&s, &o), -ENOENT);
	check_reports("Open output file no/x.btz failed: 2/No such file or"
		      " directory\n");
}

static void test_without(void **state)
{
	const struct sink_packed_options o = { .file = { .path = PATH } };
	struct sink *s;

	(void)state;
	assert_int_equal(sink_packed_new(&s, &o), -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest without[] = { IN_SCRATCH(test_without) };
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_threads),
		IN_SCRATCH(test_old),
		IN_SCRATCH(test_many_blocks),
		IN_SCRATCH(test_killed),
		IN_SCRATCH(test_full),
		IN_SCRATCH(test_pipe),
		IN_SCRATCH(test_no_place),
	};

	if (!frame_built())
		return cmocka_run_group_tests(without, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
