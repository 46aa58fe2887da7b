/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios as a trace of Perfetto's: its packets, as fields with their numbers. */
#include "emit/perfetto.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/named_io.h"
#include "make.h"
#include "request/io.h"
#include "run/device.h"

/* --- a reader ------------------------------------------------------------- */

struct text {
	char *at, *end;
};

static __attribute__((format(printf, 2, 3))) void put(struct text *t,
						      const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	t->at += vsnprintf(t->at, (size_t)(t->end - t->at), fmt, args);
	va_end(args);
	assert_true(t->at < t->end);
}

static uint64_t varint(const uint8_t **p)
{
	uint64_t v = 0;

	for (int shift = 0;; shift += 7) {
		uint8_t byte = *(*p)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
}

/* which are messages, as numbers from the outside to the inside */
static bool is_message(unsigned int path, unsigned int field)
{
	static const unsigned int messages[] = {
		6, 601, 11, 1104, 12, 1202, 1203, 1229, 60, 6008
	};

	for (size_t i = 0; i < sizeof(messages) / sizeof(*messages); i++)
		if (messages[i] == path * 100 + field)
			return true;
	return false;
}

/* "8:5 11{9:1}", texts as they are */
static void render(struct text *t, const uint8_t *p, const uint8_t *end,
		   unsigned int path)
{
	for (const char *between = ""; p < end; between = " ") {
		uint64_t key = varint(&p), v;
		unsigned int field = (unsigned int)key >> 3;

		put(t, "%s%u", between, field);
		if ((key & 7) == 1) {
			memcpy(&v, p, 8);
			v = le64toh(v);
			p += 8;
			put(t, ":%" PRIu64, v);
			continue;
		}
		v = varint(&p);
		if ((key & 7) == 0) {
			put(t, ":%" PRIu64, v);
			continue;
		}
		assert_int_equal(key & 7, 2);
		if (is_message(path, field)) {
			put(t, "{");
			render(t, p, p + v, path * 100 + field);
			put(t, "}");
		} else {
			put(t, ":%.*s", (int)v, (const char *)p);
		}
		p += v;
	}
	assert_true(p == end);
}

/* a line a packet */
static void render_packets(char *to, size_t size, const struct buf *b)
{
	struct text t = { to, to + size };
	const uint8_t *p = (const uint8_t *)b->data, *end = p + b->len;

	while (p < end) {
		uint64_t len;

		assert_int_equal(*p++, 1 << 3 | 2);
		len = varint(&p);
		render(&t, p, p + len, 0);
		put(&t, "\n");
		p += len;
	}
}

/* --- what is written ------------------------------------------------------ */

static struct device sda = { .id = 0 }, dm = { .id = 1 };
static struct device other = { .id = 2, .host = "of several" };

static void add(struct perfetto *p, const struct device *disk, struct io io)
{
	struct named_io named = {
		.io = &io, .host = "h",
		.disk = disk == &sda ? "sda" : "dm-0",
		.dev = disk == &sda ? "8:0" : "252:0",
		.process = io.pid ? "fio" : NULL,
		.has_start = true, .start = 1700000000000000000,
	};

	io.disk = disk;
	io.device = disk->id;
	if (!io.issued)
		io.issued = io.served = IO_NONE;
	assert_int_equal(perfetto_add(p, &named), 0);
}

static struct perfetto *open_on(struct buf *b)
{
	struct perfetto *p = NULL;

	assert_int_equal(buf_init(b, -1, 1 << 20), 0);
	assert_int_equal(perfetto_open(&p, b), 0);
	assert_non_null(p);
	return p;
}

/* ends p, and frees it and b; all packets but the first, which has the words */
static const char *finish(struct perfetto *p, struct buf *b)
{
	static char text[1 << 16];

	assert_int_equal(perfetto_end(p), 0);
	perfetto_free(p);
	render_packets(text, sizeof(text), b);
	buf_free(b);
	return strchr(text, '\n') + 1;
}

#define CLOCK "8:0 6{1{1:6 2:0} 1{1:1 2:1700000000000000000}} 10:1\n"
#define EVENT_AT(time, fields) \
	"8:" #time " 10:1 13:2 11{" fields "}\n"

/* one that is remapped: the lower one comes first, and is shown last */
static void test_remapped(void **state)
{
	struct buf b;
	struct perfetto *p = open_on(&b);

	(void)state;
	add(p, &sda, (struct io){ .id = 2, .parent = 1, .rq = 2,
		.op = IO_WRITE, .sector = 99, .bytes = 512, .pid = 7,
		.error = 5, .time = 10, .total = 80,
		.has = 1 << IO_Q2G | 1 << IO_G2D | 1 << IO_D2C,
		.phase = { [IO_Q2G] = 0, [IO_G2D] = 30, [IO_D2C] = 50 },
		.issued = 40, .served = 90 });
	add(p, &dm, (struct io){ .id = 1, .op = IO_WRITE, .sector = 8,
		.bytes = 512, .time = 0, .total = 100, .has = 1 << IO_REST,
		.phase = { [IO_REST] = 100 } });
	assert_string_equal(finish(p, &b),
		CLOCK
		"10:1 12{29{1:1 2:R}} 13:2\n"
		"10:1 12{29{1:2 2:fio}} 13:2\n"
		"60{1:5 2:dm-0 (252:0) 11:3 12:0 15:2}\n"
		"60{1:6 2:dm-0 depth 5:5 8{3:2} 12:0 15:2}\n"
		"60{1:7 2:dm-0 read 5:5 8{6:bytes/s} 12:1 15:2}\n"
		"60{1:8 2:dm-0 written 5:5 8{6:bytes/s} 12:2 15:2}\n"
		"60{1:9 2:dm-0 slot 0 5:5 12:10 15:2}\n"
		EVENT_AT(0, "9:1 11:9 10:2 4{1:1 4:1} 4{1:2 4:8} 4{1:3 4:512}"
			    " 4{1:4 17:1} 4{1:5 4:0} 47:2")
		EVENT_AT(0, "9:1 11:9 10:28")
		EVENT_AT(100, "9:2 11:9")
		EVENT_AT(100, "9:2 11:9")
		"60{1:1 2:sda (8:0) 11:3 12:1 15:2}\n"
		"60{1:2 2:sda depth 5:1 8{3:2} 12:0 15:2}\n"
		"60{1:3 2:sda read 5:1 8{6:bytes/s} 12:1 15:2}\n"
		"60{1:4 2:sda written 5:1 8{6:bytes/s} 12:2 15:2}\n"
		"60{1:10 2:sda slot 0 5:1 12:10 15:2}\n"
		EVENT_AT(10, "9:1 11:10 10:2 4{1:1 4:2} 4{1:2 4:99}"
			     " 4{1:3 4:512} 4{1:4 17:1} 4{1:5 4:7} 4{1:6 17:2}"
			     " 4{1:7 4:5} 47:2")
		EVENT_AT(10, "9:1 11:10 10:17")
		EVENT_AT(10, "9:2 11:10")
		EVENT_AT(10, "9:1 11:10 10:22")
		EVENT_AT(40, "9:2 11:10")
		EVENT_AT(40, "9:1 11:10 10:26")
		EVENT_AT(90, "9:2 11:10")
		EVENT_AT(90, "9:2 11:10")
		/* the end: what happened to the devices */
		EVENT_AT(40, "9:4 11:2 30:1")
		EVENT_AT(90, "9:4 11:2 30:0")
		EVENT_AT(0, "9:4 11:4 30:51200")
		EVENT_AT(10000000, "9:4 11:4 30:0")
		EVENT_AT(0, "9:4 11:8 30:51200")
		EVENT_AT(10000000, "9:4 11:8 30:0"));
}

/* how often a text is in another */
static unsigned int count(const char *in, const char *what)
{
	unsigned int n = 0;

	while ((in = strstr(in, what))) {
		in += strlen(what);
		n++;
	}
	return n;
}

/* lanes are given out in the order of begins, whatever the order of ends */
static void test_lanes(void **state)
{
	struct buf b;
	struct perfetto *p = open_on(&b);
	const char *text, *end;

	(void)state;
	add(p, &sda, (struct io){ .id = 3, .time = 3, .total = 2 });
	add(p, &sda, (struct io){ .id = 2, .time = 2, .total = 8 });
	assert_int_equal(perfetto_leave_out(p, 4), 0);
	add(p, &sda, (struct io){ .id = 5, .time = 5, .total = IO_NONE,
				   .ended = IO_ENDED_LOST });
	add(p, &sda, (struct io){ .id = 6, .time = 10, .total = 0 });
	add(p, &sda, (struct io){ .id = 1, .time = 1, .total = 20 });
	add(p, &other, (struct io){ .id = 7, .time = 10, .total = 5 });
	text = finish(p, &b);
	assert_int_equal(count(text, "2:sda slot "), 3);
	/* devices of two hosts can have one name */
	assert_int_equal(count(text, "2:h/dm-0 (252:0)"), 1);
	assert_int_equal(count(text, "2:h/dm-0 slot 0"), 1);
	assert_non_null(strstr(text, "8:1 10:1 13:2 11{9:1 11:5 "));
	assert_non_null(strstr(text, "8:2 10:1 13:2 11{9:1 11:6 "));
	assert_non_null(strstr(text, "8:3 10:1 13:2 11{9:1 11:7 "));
	/* begins when another ends, and lasts for no time */
	end = strstr(text, "8:10 10:1 13:2 11{9:2 11:6}\n");
	assert_non_null(end);
	assert_non_null(strstr(end, "8:10 10:1 13:2 11{9:1 11:6 "));
	assert_int_equal(count(text, "11{9:1 "), 5);
	assert_int_equal(count(text, "11{9:2 "), 5);
}

/* one that is open lasts until the trace ends; one that was lost has what phases
 * it has */
static void test_open(void **state)
{
	struct buf b;
	struct perfetto *p = open_on(&b);
	const char *text;

	(void)state;
	add(p, &sda, (struct io){ .id = 1, .bytes = 512, .time = 10,
		.total = IO_NONE, .age = 30, .ended = IO_ENDED_OPEN,
		.has = 1 << IO_Q2G | 1 << IO_G2I,
		.phase = { [IO_Q2G] = 5, [IO_G2I] = 6 } });
	add(p, &sda, (struct io){ .id = 2, .bytes = 512, .time = 21,
		.total = IO_NONE, .ended = IO_ENDED_LOST,
		.has = 1 << IO_Q2G });
	text = finish(p, &b);
	assert_non_null(strstr(text,
		EVENT_AT(10, "9:1 11:5 10:1 4{1:1 4:1} 4{1:2 4:0} 4{1:3 4:512}"
			     " 4{1:4 17:1} 4{1:5 4:0} 4{1:8 17:2}")
		EVENT_AT(10, "9:1 11:5 10:17")
		EVENT_AT(15, "9:2 11:5")
		EVENT_AT(15, "9:1 11:5 10:21")
		EVENT_AT(21, "9:2 11:5")
		EVENT_AT(40, "9:2 11:5")
		"10:1 12{29{1:3 2:lost}} 13:2\n"));
	assert_non_null(strstr(text,
		EVENT_AT(21, "9:1 11:6 10:17 4{1:1 4:2} 4{1:2 4:0} 4{1:3 4:512}"
			     " 4{1:4 17:1} 4{1:5 4:0} 4{1:8 17:3}")
		EVENT_AT(21, "9:2 11:6")));
	assert_int_equal(count(text, "11{9:4 "), 0);
}

/* so many that their arrows make a long packet */
static void test_children(void **state)
{
	enum { CHILDREN = 3000 };
	struct buf b;
	struct perfetto *p = open_on(&b);
	static char text[1 << 21];

	(void)state;
	for (uint64_t i = CHILDREN; i; i--)
		add(p, &sda, (struct io){ .id = 1 + i, .parent = 1,
					  .time = i, .total = 1 });
	add(p, &sda, (struct io){ .id = 1, .time = 0, .total = 9000 });
	assert_int_equal(perfetto_end(p), 0);
	perfetto_free(p);
	render_packets(text, sizeof(text), &b);
	buf_free(&b);
	assert_int_equal(count(text, " 47:"), 2 * CHILDREN);
	assert_int_equal(count(text, "slot"), 2);
}

/* a full disk is the buffer's to tell; ios may go on coming */
static void test_full(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct perfetto *p;
	struct buf b;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 512), 0);
	assert_int_equal(perfetto_open(&p, &b), 0);
	for (uint64_t id = 1; id < 100; id++)
		add(p, &sda, (struct io){ .id = id, .total = 1, .issued = 1,
					  .served = 2, .rq = id });
	assert_int_equal(perfetto_end(p), 0);
	assert_int_equal(b.error, ENOSPC);
	perfetto_free(p);
	buf_free(&b);
	close(fd);
}

/* given up while some wait, or before anything came */
static void test_given_up(void **state)
{
	struct buf b;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct perfetto *p = open_on(&b);

		if (i)
			add(p, &dm, (struct io){ .id = 9, .total = 1 });
		perfetto_free(p);
		buf_free(&b);
	}
	perfetto_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_remapped),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
