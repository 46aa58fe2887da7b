/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines for a pipe that is full, slow, gone, or a device that is. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "make.h"
#include "server/report.h"

enum { LINE = 32 };

struct rig {
	struct spool spool;
	int out, in;
};

static void rig_open(struct rig *r)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	r->out = fds[0];
	r->in = fds[1];
	assert_int_equal(spool_open(&r->spool, r->in), 0);
}

static void rig_close(struct rig *r)
{
	if (r->out >= 0)
		close(r->out);
	close(r->in);
}

/* line number i, LINE bytes; whether there was room for it */
static bool add(struct spool *s, unsigned int i)
{
	struct buf *b = spool_add(s, 1);

	if (b)
		buf_printf(b, "%*u\n", LINE - 1, i);
	return b;
}

/* all that can be read now are the lines from first on; how many */
static unsigned int read_lines(int fd, unsigned int first)
{
	char line[LINE + 1] = "";
	unsigned int n = 0;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	for (; read(fd, line, LINE) == LINE; n++)
		assert_int_equal(atoi(line), first + n);
	return n;
}

/* nothing is read for a while: nothing waits, and nothing is lost */
static void test_slow(void **state)
{
	enum { LINES = 10000 };
	unsigned int got = 0;
	struct rig r;

	(void)state;
	rig_open(&r);
	assert_int_equal(spool_fd(&r.spool), -1);
	for (unsigned int i = 0; i < LINES; i++) {
		assert_true(add(&r.spool, i));
		spool_write(&r.spool);
	}
	while (spool_fd(&r.spool) >= 0) {
		unsigned int n = read_lines(r.out, got);

		assert_true(n > 0);
		got += n;
		spool_write(&r.spool);
	}
	got += read_lines(r.out, got);
	assert_int_equal(got, LINES);
	assert_int_equal(r.spool.dropped, 0);
	assert_int_equal(spool_close(&r.spool), 0);
	rig_close(&r);
}

/* the pipe of the caller blocks as before: others may share it */
static void test_flags(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	assert_false(fcntl(r.in, F_GETFL) & O_NONBLOCK);
	assert_int_equal(spool_close(&r.spool), 0);
	assert_int_equal(fcntl(r.in, F_GETFD), 0);
	rig_close(&r);
}

/* what finds no room is dropped, whole lines of it, and counted */
static void test_full(void **state)
{
	unsigned int i = 0, n;
	struct rig r;

	(void)state;
	rig_open(&r);
	while (add(&r.spool, i)) {
		i++;
		if (i % 100 == 0)
			spool_write(&r.spool);
	}
	assert_in_range(i, SPOOL_MAX / LINE - SPOOL_LINE, 1 << 20);
	assert_int_equal(r.spool.dropped, 1);
	assert_null(spool_add(&r.spool, 7));
	assert_int_equal(r.spool.dropped, 8);
	/* a reader that comes late gets the first of them */
	n = read_lines(r.out, 0);
	spool_write(&r.spool);
	assert_true(add(&r.spool, i));
	assert_true(n > 0 && read_lines(r.out, n) > 0);
	assert_int_equal(close(r.out), 0);
	r.out = -1;
	assert_int_equal(spool_close(&r.spool), -EPIPE);
	rig_close(&r);
}

/* at the end there is some time for a reader, but not all of it */
static void test_close(void **state)
{
	struct timespec start, end;
	unsigned int n;
	struct rig r;

	(void)state;
	rig_open(&r);
	for (n = 0; n < 10000; n++)
		assert_true(add(&r.spool, n));
	clock_gettime(CLOCK_MONOTONIC, &start);
	assert_int_equal(spool_close(&r.spool), 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert_in_range(end.tv_sec - start.tv_sec, 1, 20);
	assert_int_equal(read_lines(r.out, 0) + r.spool.dropped, n);
	rig_close(&r);
}

static void *read_all(void *arg)
{
	struct rig *r = arg;
	static char bytes[4096];
	size_t *sum = calloc(1, sizeof(*sum));
	ssize_t n;

	usleep(100000);
	while (sum && (n = read(r->out, bytes, sizeof(bytes))) > 0)
		*sum += (size_t)n;
	return sum;
}

/* a reader that is there gets all of it */
static void test_late_reader(void **state)
{
	pthread_t thread;
	struct rig r;
	void *sum;

	(void)state;
	rig_open(&r);
	for (unsigned int i = 0; i < 10000; i++)
		assert_true(add(&r.spool, i));
	assert_int_equal(pthread_create(&thread, NULL, read_all, &r), 0);
	assert_int_equal(spool_close(&r.spool), 0);
	close(r.in);
	assert_int_equal(pthread_join(thread, &sum), 0);
	assert_int_equal(*(size_t *)sum, 10000 * LINE);
	assert_int_equal(r.spool.dropped, 0);
	free(sum);
	close(r.out);
}

/* the first error ends it; what comes after is not kept */
static void test_error(void **state)
{
	int full = open("/dev/full", O_WRONLY);
	struct spool s;

	(void)state;
	assert_int_equal(spool_open(&s, full), 0);
	assert_true(add(&s, 1));
	spool_write(&s);
	assert_int_equal(spool_fd(&s), -1);
	assert_false(add(&s, 2));
	assert_int_equal(s.dropped, 0);
	assert_int_equal(spool_close(&s), -ENOSPC);
	close(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_late_reader),
		cmocka_unit_test(test_error),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
