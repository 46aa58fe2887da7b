/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to a pipe: whole blocks of many threads, and readers that go. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "capture/sink.h"
#include "capture/to/sink_pipe.h"
#include "capture_reports.h"

enum { CPUS = 4, BLOCKS = 40, BLOCK = 100000 };

struct rig {
	int fds[2];
	struct sink *sink;
};

static int enter(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	signal(SIGPIPE, SIG_IGN);
	if (!r || pipe(r->fds))
		return 1;
	r->sink = sink_pipe_new(r->fds[1], &keeper);
	return !r->sink;
}

/* the descriptor is not the sink's to close */
static int leave(void **state)
{
	struct rig *r = *state;
	int err;

	r->sink->ops->free(r->sink);
	err = close(r->fds[1]);
	free(r);
	return err;
}

/* --- threads -------------------------------------------------------------- */

struct thread {
	pthread_t id;
	struct rig *rig;
	struct sink_lane lane;
	int error;
};

/* one CPU's: its blocks are of its own number */
static void *write_blocks(void *arg)
{
	struct thread *t = arg;
	struct sink *s = t->rig->sink;
	char block[BLOCK];

	memset(block, 'a' + (int)t->lane.cpu, sizeof(block));
	t->error = s->ops->open(s, &t->lane);
	for (int i = 0; i < BLOCKS && !t->error; i++)
		t->error = s->ops->write(s, &t->lane, block, sizeof(block));
	t->error |= s->ops->flush(s, &t->lane);
	t->error |= s->ops->close(s, &t->lane, 0);
	return NULL;
}

static void start_threads(struct rig *r, struct thread threads[CPUS])
{
	for (uint32_t i = 0; i < CPUS; i++) {
		threads[i] = (struct thread){ .rig = r, .lane.cpu = i };
		assert_int_equal(pthread_create(&threads[i].id, NULL,
						write_blocks, &threads[i]), 0);
	}
}

static void join_threads(struct thread threads[CPUS], int error)
{
	for (int i = 0; i < CPUS; i++) {
		pthread_join(threads[i].id, NULL);
		assert_int_equal(threads[i].error, error);
	}
}

static void read_block(int fd, char block[BLOCK])
{
	size_t have = 0;

	while (have < BLOCK) {
		ssize_t n = read(fd, block + have, BLOCK - have);

		assert_true(n > 0);
		have += (size_t)n;
	}
}

/* reads all there is: each block whole, as many as every thread wrote */
static void check_blocks(int fd)
{
	static char block[BLOCK];
	int blocks[CPUS] = { 0 };

	for (int n = 0; n < CPUS * BLOCKS; n++) {
		int cpu;

		read_block(fd, block);
		cpu = block[0] - 'a';
		assert_in_range(cpu, 0, CPUS - 1);
		for (size_t i = 1; i < sizeof(block); i++)
			if (block[i] != block[0])
				fail_msg("a block is torn at byte %zu", i);
		blocks[cpu]++;
	}
	for (int i = 0; i < CPUS; i++)
		assert_int_equal(blocks[i], BLOCKS);
}

/* --- the tests ------------------------------------------------------------ */

/* blocks larger than the pipe never mix */
static void test_whole(void **state)
{
	struct thread threads[CPUS];
	struct rig *r = *state;

	start_threads(r, threads);
	check_blocks(r->fds[0]);
	join_threads(threads, 0);
	close(r->fds[0]);
}

/* the same into a descriptor that will not wait: so the sink does */
static void test_nonblocking(void **state)
{
	struct thread threads[CPUS];
	struct rig *r = *state;

	assert_int_equal(fcntl(r->fds[1], F_SETFL, O_NONBLOCK), 0);
	start_threads(r, threads);
	check_blocks(r->fds[0]);
	join_threads(threads, 0);
	close(r->fds[0]);
}

/* a reader that goes away is the end for all, and no news */
static void test_gone(void **state)
{
	struct thread threads[CPUS];
	struct rig *r = *state;
	char byte;

	start_threads(r, threads);
	assert_int_equal(read(r->fds[0], &byte, 1), 1);
	close(r->fds[0]);
	join_threads(threads, -EPIPE);
	check_reports("");
}

/* any other failure is reported once, and kept */
static void test_full(void **state)
{
	struct sink_lane one = { .cpu = 0 }, two = { .cpu = 1 };
	struct rig *r = *state;
	struct sink *s;
	int full = open("/dev/full", O_WRONLY);
	char text[128];

	close(r->fds[0]);
	s = sink_pipe_new(full, &keeper);
	assert_non_null(s);
	assert_int_equal(s->ops->write(s, &one, "x", 1), -ENOSPC);
	assert_int_equal(s->ops->write(s, &two, "x", 1), -ENOSPC);
	snprintf(text, sizeof(text),
		 "write(%d) failed: 28/No space left on device\n", full);
	check_reports(text);
	s->ops->free(s);
	close(full);
}

#define RUN(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_whole),
		RUN(test_nonblocking),
		RUN(test_gone),
		RUN(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
