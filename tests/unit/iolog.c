/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/iolog. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "blktrace.h"
#include "emit/iolog.h"
#include "emit/named_io.h"
#include "request/io.h"
#include "run/device.h"

#define HEAD "fio version 3 iolog\n"
#define OPEN "0 /dev/sda add\n0 /dev/sda open\n"
#define FLAG(name) BLK_TC_BIT(BLK_TC_##name)

static const struct device sda, sdb = { .id = 256 };

struct log {
	struct buf b;
	struct iolog *w;
};

/* no more than the buffer is ever written, so that there is no file */
static void begin(struct log *l, enum iolog_at at, const char *target)
{
	const struct iolog_options o = { at, target };

	assert_int_equal(buf_init(&l->b, -1, 8 << 20), 0);
	assert_int_equal(iolog_open(&l->w, &l->b, &o), 0);
}

static void end(struct log *l)
{
	iolog_free(l->w);
	buf_free(&l->b);
}

static int put_on(struct log *l, const char *name, const struct io *io)
{
	const struct named_io named = { .io = io, .host = "h", .disk = name,
					.dev = "8:0" };

	return iolog_io(l->w, &named);
}

static void put(struct log *l, struct io io)
{
	io.disk = &sda;
	if (!io.at)
		io.at = IO_NONE;
	assert_int_equal(put_on(l, "sda", &io), 0);
}

static void assert_text(const struct log *l, const char *want)
{
	assert_int_equal(l->b.len, strlen(want));
	assert_memory_equal(l->b.data, want, l->b.len);
}

/* whether a text is there */
static bool has(struct log *l, const char *text)
{
	*buf_room(&l->b, 1) = '\0';
	return strstr(l->b.data, text);
}

static void in_the_order_of_queueing(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, NULL);
	put(&l, (struct io){ .id = 3, .time = 7999, .sector = 16,
			     .bytes = 512 });
	put(&l, (struct io){ .id = 1, .time = 1000, .op = IO_WRITE,
			     .bytes = 4096 });
	put(&l, (struct io){ .id = 2, .time = 7999, .op = IO_DISCARD,
			     .sector = 8, .bytes = 1024 });
	assert_int_equal(iolog_end(l.w), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda write 0 4096\n"
		    "6 /dev/sda trim 4096 1024\n"
		    "6 /dev/sda read 8192 512\n6 /dev/sda close\n");
	assert_int_equal(iolog_counts(l.w)->late, 0);
	end(&l);
}

/* nothing that is settled waits, all else does */
static void settled(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, NULL);
	put(&l, (struct io){ .id = 2, .time = 2000, .bytes = 512 });
	put(&l, (struct io){ .id = 1, .time = 1000, .bytes = 512 });
	assert_int_equal(iolog_settle(l.w, 1000), 0);
	assert_text(&l, HEAD);
	assert_int_equal(iolog_settle(l.w, 1001), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda read 0 512\n");
	assert_int_equal(iolog_settle(l.w, UINT64_MAX), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda read 0 512\n"
		    "1 /dev/sda read 0 512\n");
	end(&l);
}

static void syncs(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, NULL);
	put(&l, (struct io){ .id = 1, .op = IO_WRITE, .bytes = 512,
			     .categories = FLAG(FLUSH) });
	put(&l, (struct io){ .id = 2, .op = IO_WRITE, .bytes = 512,
			     .categories = FLAG(FUA) });
	put(&l, (struct io){ .id = 3, .op = IO_FLUSH_OP,
			     .categories = FLAG(FLUSH) });
	/* the kernel's own */
	put(&l, (struct io){ .id = 4, .op = IO_FLUSH_OP, .kind = IO_FLUSH });
	assert_int_equal(iolog_end(l.w), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda datasync 0 0\n"
		    "0 /dev/sda write 0 512\n0 /dev/sda write 0 512\n"
		    "0 /dev/sda datasync 0 0\n0 /dev/sda datasync 0 0\n"
		    "0 /dev/sda close\n");
	end(&l);
}

/* parts are in their whole; an append is where it was written */
static void what_is_an_io(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, NULL);
	put(&l, (struct io){ .id = 1, .bytes = 1024 });
	put(&l, (struct io){ .id = 2, .bytes = 512, .link = IO_SPLIT });
	put(&l, (struct io){ .id = 3, .bytes = 512, .kind = IO_PASS });
	put(&l, (struct io){ .id = 4, .op = IO_RESET, .bytes = 512 });
	put(&l, (struct io){ .id = 5, .op = IO_APPEND, .bytes = 512,
			     .at = 8 });
	put(&l, (struct io){ .id = 6, .bytes = 512, .sector = 1ull << 55 });
	put(&l, (struct io){ .id = 7, .op = IO_WRITE });
	assert_int_equal(iolog_end(l.w), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda read 0 1024\n"
		    "0 /dev/sda write 4096 512\n0 /dev/sda close\n");
	assert_int_equal(iolog_counts(l.w)->foreign, 3);
	end(&l);
}

/* A request is where its first io is, of whichever. */
static void requests(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_ISSUE, NULL);
	put(&l, (struct io){ .id = 3, .rq = 3, .issued = 9000, .sector = 99,
			     .bytes = 512, .rq_bytes = 512 });
	put(&l, (struct io){ .id = 2, .rq = 1, .issued = 4000, .sector = 8,
			     .bytes = 4096 });
	put(&l, (struct io){ .id = 1, .rq = 1, .issued = 4000, .sector = 16,
			     .bytes = 4096, .rq_bytes = 12288 });
	put(&l, (struct io){ .id = 4, .rq = 1, .issued = 4000, .sector = 24,
			     .bytes = 4096 });
	/* never issued, and of a device without requests */
	put(&l, (struct io){ .id = 5, .rq = 5, .issued = IO_NONE,
			     .bytes = 512 });
	put(&l, (struct io){ .id = 6, .issued = IO_NONE, .bytes = 512 });
	assert_int_equal(iolog_end(l.w), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda read 4096 12288\n"
		    "5 /dev/sda read 50688 512\n5 /dev/sda close\n");
	end(&l);
}

static void syncs_of_requests(void **state)
{
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_ISSUE, NULL);
	put(&l, (struct io){ .id = 1, .rq = 1, .kind = IO_FLUSH,
			     .op = IO_FLUSH_OP });
	put(&l, (struct io){ .id = 2, .rq = 2, .op = IO_WRITE, .flush = 1,
			     .flush2 = 3, .bytes = 512, .rq_bytes = 512,
			     .categories = FLAG(FLUSH) | FLAG(FUA) });
	put(&l, (struct io){ .id = 4, .rq = 4, .op = IO_WRITE, .bytes = 512,
			     .rq_bytes = 512, .categories = FLAG(FUA) });
	/* ranges of one request */
	put(&l, (struct io){ .id = 5, .rq = 5, .op = IO_DISCARD, .sector = 80,
			     .bytes = 512, .rq_bytes = 1024 });
	put(&l, (struct io){ .id = 6, .rq = 5, .op = IO_DISCARD, .sector = 8,
			     .bytes = 512 });
	assert_int_equal(iolog_end(l.w), 0);
	assert_text(&l, HEAD OPEN "0 /dev/sda datasync 0 0\n"
		    "0 /dev/sda write 0 512\n0 /dev/sda write 0 512\n"
		    "0 /dev/sda datasync 0 0\n0 /dev/sda trim 40960 512\n"
		    "0 /dev/sda trim 4096 512\n0 /dev/sda close\n");
	end(&l);
}

static void names(void **state)
{
	struct io io = { .id = 1, .bytes = 512, .disk = &sda };
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, "/dev/loop7");
	assert_int_equal(put_on(&l, "sda", &io), 0);
	io.disk = &sdb;
	assert_int_equal(put_on(&l, "sdb", &io), -EXDEV);
	assert_int_equal(iolog_end(l.w), 0);
	assert_true(has(&l, "0 /dev/loop7 read 0 512\n"));
	end(&l);

	begin(&l, IOLOG_AT_QUEUE, NULL);
	assert_int_equal(put_on(&l, "my\ndisk x", &io), 0);
	io.disk = &sda;
	assert_int_equal(put_on(&l, "8:0", &io), 0);
	assert_int_equal(iolog_end(l.w), 0);
	assert_true(has(&l, "0 /dev/my_disk_x add\n"));
	assert_true(has(&l, "0 /dev/block/8:0 open\n"));
	end(&l);
}

static void long_names(void **state)
{
	struct io io = { .id = 1, .bytes = 512, .disk = &sda };
	char name[1000];
	struct log l;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	begin(&l, IOLOG_AT_QUEUE, NULL);
	assert_int_equal(put_on(&l, name, &io), 0);
	assert_int_equal(iolog_end(l.w), 0);
	assert_int_equal(l.b.len, strlen(HEAD) + 4 * IOLOG_NAME_MAX +
			 strlen("0  add\n0  open\n0  read 0 512\n0  close\n"));
	end(&l);
}

/* Io 1 comes when 65,537 have overtaken it: the first of these is written. */
static void too_late(void **state)
{
	const uint64_t ios = IOLOG_HELD + 2;
	struct log l;

	(void)state;
	begin(&l, IOLOG_AT_QUEUE, NULL);
	for (uint64_t id = 2; id <= ios; id++)
		put(&l, (struct io){ .id = id, .time = 1000 * id,
				     .bytes = 512 });
	assert_memory_equal(l.b.data, HEAD OPEN "0 /dev/sda read 0 512\n",
			    l.b.len);
	put(&l, (struct io){ .id = 1, .bytes = 1024 });
	assert_memory_equal(l.b.data, HEAD OPEN "0 /dev/sda read 0 512\n"
			    "0 /dev/sda read 0 1024\n", l.b.len);
	assert_int_equal(iolog_counts(l.w)->late, 1);
	assert_int_equal(iolog_end(l.w), 0);
	assert_int_equal(iolog_counts(l.w)->late, 1);
	end(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_the_order_of_queueing),
		cmocka_unit_test(settled),
		cmocka_unit_test(syncs),
		cmocka_unit_test(what_is_an_io),
		cmocka_unit_test(requests),
		cmocka_unit_test(syncs_of_requests),
		cmocka_unit_test(names),
		cmocka_unit_test(long_names),
		cmocka_unit_test(too_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
