/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks from one process to the capture of another: here, from and to us. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "capture/mark_port.h"
#include "capture/mark_queue.h"
#include "scratch.h"

enum { SDA = 8 << 20, SDB = 8 << 20 | 16 };

static struct mark_queue *make_queue(void)
{
	static const uint32_t devices[] = { SDA, SDB };
	struct mark_queue *q = NULL;

	assert_int_equal(mark_queue_new(&q, 0, devices, 2), 0);
	return q;
}

static int take(void *ctx, unsigned int device, const void *record, size_t len,
	       const struct tap_sums *sums)
{
	struct event ev;

	(void)device, (void)sums;
	memcpy(&ev, record, BLK_HEADER_7);
	assert_int_equal(ev.pid, getpid());
	memcpy(ctx, (const uint8_t *)record + BLK_HEADER_7,
	       len - BLK_HEADER_7);
	return 0;
}

/* the socket's name, which is ours */
static const char *name(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "run/%ld", (long)getpid());
	return path;
}

static void test_call(void **state)
{
	const unsigned int none[2] = { 0, 0 };
	struct mark_queue *q = make_queue();
	struct mark_port *p = NULL;
	char text[64] = "";

	(void)state;
	assert_int_equal(mark_port_call("run", 0, "x", 1), 0);
	assert_int_equal(mark_port_open(&p, "run", q), 0);
	assert_int_equal(mark_port_call("run", SDA, "step 1", 6), 1);
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, true, take,
					   text), 0);
	assert_string_equal(text, "step 1");
	assert_int_equal(mark_port_call("run", 0, "x", 1), 2);
	assert_int_equal(mark_port_call("run", 5, "x", 1), 0);
	for (unsigned int i = 0; i < MARK_QUEUE_MAX - 2; i++)
		assert_int_equal(mark_port_call("run", SDB, "x", 1), 1);
	assert_int_equal(mark_port_call("run", SDB, "x", 1), -EAGAIN);
	mark_port_close(p);
	mark_port_close(NULL);
	assert_int_equal(access(name(), F_OK), -1);
	assert_int_equal(mark_port_call("run", 0, "x", 1), 0);
	mark_queue_free(q);
}

/* its socket is still there, and goes when somebody calls */
static void test_killed(void **state)
{
	struct sockaddr_un a = { AF_UNIX, "run/1" };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	(void)state;
	assert_int_equal(mkdir("run", 0700), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	close(fd);
	assert_int_equal(mark_port_call("run", 0, "x", 1), 0);
	assert_int_equal(access("run/1", F_OK), -1);
}

/* a directory that others may enter is not ours */
static void test_open_directory(void **state)
{
	struct mark_queue *q = make_queue();
	struct mark_port *p = NULL;

	(void)state;
	assert_int_equal(mkdir("run", 0700), 0);
	assert_int_equal(chmod("run", 0755), 0);
	assert_int_equal(mark_port_open(&p, "run", q), -EPERM);
	assert_int_equal(mark_port_open(&p, "no/such", q), -ENOENT);
	put_bytes("file", "", 0);
	assert_int_equal(mark_port_open(&p, "file", q), -EPERM);
	mark_queue_free(q);
}

/* one packet to the port; what it answers, or 1 if it only closes */
static int32_t answer_to(const void *bytes, size_t len)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	int32_t answer = 1;

	strcpy(a.sun_path, name());
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	if (len)
		assert_int_equal(send(fd, bytes, len, 0), len);
	shutdown(fd, SHUT_WR);
	if (recv(fd, &answer, sizeof(answer), 0) <= 0)
		answer = 1;
	close(fd);
	return answer;
}

static void test_hostile(void **state)
{
	struct mark_queue *q = make_queue();
	struct { struct mark_call call; char text[200]; } c = {
		{ MARK_CALL_MAGIC, SDA }, "x" };
	struct mark_port *p = NULL;

	(void)state;
	assert_int_equal(mark_port_open(&p, "run", q), 0);
	assert_int_equal(answer_to("", 0), -EINVAL);
	assert_int_equal(answer_to(&c, 3), -EINVAL);
	assert_int_equal(answer_to(&c, sizeof(c.call)), -EINVAL);
	assert_int_equal(answer_to(&c, sizeof(c.call) + MARK_BYTES + 1), 1);
	assert_int_equal(answer_to(&c, sizeof(c.call) + MARK_BYTES), 1);
	assert_true(mark_queue_waits(q));
	c.call.magic++;
	assert_int_equal(answer_to(&c, sizeof(c.call) + 1), -EINVAL);
	mark_port_close(p);
	mark_queue_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_call), IN_SCRATCH(test_killed),
		IN_SCRATCH(test_open_directory), IN_SCRATCH(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
