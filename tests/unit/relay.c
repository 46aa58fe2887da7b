/* SPDX-License-Identifier: GPL-2.0-only */
/* Relay files, by plain files and pipes where debugfs would have them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "capture/from/relay.h"
#include "capture/tap.h"
#include "scratch.h"

enum { DEVICES = 2, CPU = 3 };

static const char *const names[DEVICES] = { "sda", "sdb" };
static const struct relay_place place = { ".", names, DEVICES, NULL };

/* what was delivered, device by device */
struct arrived {
	unsigned int events[DEVICES], calls;
	struct bytes *bytes[DEVICES];
	int refuse;		/* what delivering says */
};

struct rig {
	struct tap *tap;
	int in[DEVICES];	/* writing ends of the relay files */
	struct arrived got;
	struct relay_shared shared;
	void *scratch;
};

static int deliver(void *ctx, unsigned int device, const void *records,
		   size_t len, const struct tap_sums *sums)
{
	struct arrived *a = ctx;

	assert_true(device < DEVICES);
	assert_true(sums->records > 0);
	a->calls++;
	a->events[device] += sums->records;
	add_bytes(a->bytes[device], records, len);
	return a->refuse;
}

static int drain(struct rig *r)
{
	return r->tap->ops->drain(r->tap, deliver, &r->got);
}

/* a pipe in place of the relay file: what is read is gone, as there */
static int make_relay(unsigned int device)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "block/%s/trace%d", names[device], CPU);
	make_folders(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	return fd;
}

static int enter(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	unsigned int which;

	if (!r || scratch_enter(&r->scratch))
		return 1;
	for (unsigned int d = 0; d < DEVICES; d++) {
		r->in[d] = make_relay(d);
		r->got.bytes[d] = bytes_new();
	}
	*state = r;
	relay_shared_init(&r->shared);
	return relay_open(&r->tap, &(struct relay_place){ ".", names, DEVICES,
							  &r->shared },
			  CPU, &which);
}

static int leave(void **state)
{
	struct rig *r = *state;

	r->tap->ops->close(r->tap);
	for (unsigned int d = 0; d < DEVICES; d++) {
		close(r->in[d]);
		free(r->got.bytes[d]);
	}
	relay_shared_free(&r->shared);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

static void feed(struct rig *r, unsigned int device, const void *bytes,
		 size_t len)
{
	assert_int_equal(write(r->in[device], bytes, len), len);
}

/* all the bytes fed so far have come, as so many records */
static void check(const struct rig *r, unsigned int device,
		  const struct bytes *want, unsigned int events)
{
	assert_int_equal(r->got.events[device], events);
	assert_int_equal(r->got.bytes[device]->len, want->len);
	assert_memory_equal(r->got.bytes[device]->data, want->data, want->len);
}

/* n records, some with payloads, of both versions that kernels write now */
static struct bytes *records(unsigned int n)
{
	struct bytes *b = bytes_new();

	for (unsigned int i = 0; i < n; i++) {
		struct event ev = EVENT(.sequence = i, .time = i);

		ev = with_payload(ev, "payload", i % 3);
		add_shaped(b, i % 2 ? V8 : V7, false, &ev, NULL);
	}
	return b;
}

/* each device's records come as its own, and then there is nothing */
static void test_two(void **state)
{
	struct bytes *a = records(7), *b = records(3);
	struct rig *r = *state;

	feed(r, 0, a->data, a->len);
	feed(r, 1, b->data, b->len);
	assert_int_equal(drain(r), 1);
	assert_int_equal(drain(r), 0);
	check(r, 0, a, 7);
	check(r, 1, b, 3);
	free(a);
	free(b);
}

/* wherever a read ends, whole records go on, and the rest waits for its end */
static void test_cuts(void **state)
{
	struct bytes *all = records(6);
	struct rig *r = *state;

	for (size_t cut = 1; cut < all->len; cut++) {
		unsigned int before = r->got.events[1];

		r->got.bytes[1]->len = 0;
		feed(r, 1, all->data, cut);
		drain(r);
		feed(r, 1, all->data + cut, all->len - cut);
		assert_int_equal(drain(r), 1);
		r->got.events[1] -= before;
		check(r, 1, all, 6);
	}
	free(all);
}

/* byte by byte nothing is delivered before it is whole */
static void test_trickle(void **state)
{
	struct bytes *all = records(4);
	struct rig *r = *state;

	for (size_t i = 0; i < all->len; i++) {
		feed(r, 0, all->data + i, 1);
		assert_int_equal(drain(r), 1);
	}
	check(r, 0, all, 4);
	assert_int_equal(r->got.calls, 4);
	free(all);
}

/* the longest payload there is, in pieces as a pipe takes them */
static void test_longest(void **state)
{
	static const uint8_t payload[BLK_PAYLOAD_MAX] = { 1 };
	struct event ev = with_payload(EVENT(.sequence = 1), payload,
				       sizeof(payload));
	struct bytes *all = bytes_new();
	struct rig *r = *state;

	add_shaped(all, V8, false, &ev, NULL);
	for (size_t at = 0; at < all->len;) {
		size_t n = all->len - at < 4096 ? all->len - at : 4096;

		feed(r, 0, all->data + at, n);
		assert_int_equal(drain(r), 1);
		at += n;
	}
	check(r, 0, all, 1);
	free(all);
}

/* what is no record is passed over and counted, whatever comes behind it */
static void test_bad(void **state)
{
	struct bytes *good = records(2), *all = records(0);
	struct rig *r = *state;

	feed(r, 1, good->data, good->len);
	feed(r, 1, "these are no records", 20);
	feed(r, 1, good->data, good->len - 5);
	assert_int_equal(drain(r), 1);
	feed(r, 1, good->data + good->len - 5, 5);
	assert_int_equal(drain(r), 1);
	feed(r, 1, "nor these", 9);
	assert_int_equal(drain(r), 1);
	add_bytes(all, good->data, good->len);
	add_bytes(all, good->data, good->len);
	check(r, 1, all, 4);
	/* the last three bytes may yet begin one */
	assert_int_equal(atomic_load(&r->shared.foreign), 20 + 6);
	free(good);
	free(all);
}

/* a sink that fails ends the reading with its own error */
static void test_refused(void **state)
{
	struct bytes *b = records(1);
	struct rig *r = *state;

	r->got.refuse = -ENOSPC;
	feed(r, 0, b->data, b->len);
	assert_int_equal(drain(r), -ENOSPC);
	free(b);
}

/* as many descriptors as asked for, each readable once there is something */
static void test_fds(void **state)
{
	struct pollfd fds[DEVICES + 1];
	struct rig *r = *state;

	assert_int_equal(r->tap->ops->fds(r->tap, fds, 1), 1);
	assert_int_equal(r->tap->ops->fds(r->tap, fds, DEVICES + 1), DEVICES);
	assert_int_equal(poll(fds, DEVICES, 0), 0);
	feed(r, 1, "x", 1);
	assert_int_equal(poll(fds, DEVICES, 0), 1);
	assert_int_equal(fds[1].revents, POLLIN);
}

/* a device that is gone answers with an error, which ends the reading */
static void test_gone(void **state)
{
	struct pollfd fds[DEVICES];
	struct rig *r = *state;
	int folder = open(".", O_RDONLY | O_DIRECTORY);

	assert_int_equal(r->tap->ops->fds(r->tap, fds, DEVICES), DEVICES);
	assert_true(dup2(folder, fds[1].fd) >= 0);
	assert_int_equal(drain(r), -EISDIR);
	assert_int_equal(r->tap->device, 1);
	close(folder);
}

/* the first that cannot be opened is told; nothing stays open */
static void test_missing(void **state)
{
	unsigned int which = 7;
	struct tap *t = NULL;
	int free_fd = dup(0);

	(void)state;
	close(free_fd);
	assert_int_equal(remove("block/sdb/trace3"), 0);
	assert_int_equal(relay_open(&t, &place, CPU, &which), -ENOENT);
	assert_int_equal(which, 1);
	assert_null(t);
	assert_int_equal(relay_open(&t, &place, CPU + 1, &which), -ENOENT);
	assert_int_equal(which, 0);
	assert_int_equal(dup(0), free_fd);
	close(free_fd);
}

#define RUN(f) cmocka_unit_test_setup_teardown(f, enter, leave)

struct reader {
	struct rig *rig;
	_Atomic bool read;
};

static void *read_once(void *arg)
{
	struct reader *it = arg;

	assert_int_equal(drain(it->rig), 0);
	atomic_store(&it->read, true);
	return NULL;
}

/* nobody reads while it is shut, and whoever came meanwhile does afterwards */
static void test_shut(void **state)
{
	struct reader it = { .rig = *state };
	pthread_t thread;

	relay_shared_shut(&it.rig->shared);
	assert_int_equal(pthread_create(&thread, NULL, read_once, &it), 0);
	usleep(20000);
	assert_false(atomic_load(&it.read));
	relay_shared_reopen(&it.rig->shared);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(atomic_load(&it.read));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_two),
		RUN(test_cuts),
		RUN(test_trickle),
		RUN(test_longest),
		RUN(test_bad),
		RUN(test_refused),
		RUN(test_fds),
		RUN(test_gone),
		RUN(test_missing),
		RUN(test_shut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
