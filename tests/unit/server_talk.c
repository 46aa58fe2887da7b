/* SPDX-License-Identifier: GPL-2.0-only */
/* Conversations with a client, good and bad, from memory to real files. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make.h"
#include "net.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/store.h"
#include "server/talk.h"
#include "server/whole.h"
#include "rounds.h"
#include "server_reporter.h"

/* 2009-02-13 23:31:30 UTC */
enum { WHEN = 1234567890 };
#define DIR "192.0.2.1-2009-02-13-23:31:30"

struct rig {
	char dir[32];
	struct report report;	/* its lines go nowhere */
	struct store *store;
	struct runs *runs;
	struct sender *sender;	/* of all connections, or NULL */
	bool cards;		/* clients may send them */
	unsigned int answers;
	int refuse;		/* what answering says */
};

static int on_answer(void *ctx, const void *raw, size_t len)
{
	struct rig *r = ctx;
	struct net_header h;

	assert_int_equal(len, NET_HEADER);
	assert_null(net_decode(&h, raw));
	assert_int_equal(net_kind(&h), NET_ANSWER);
	assert_int_equal(h.cpu, 0);
	r->answers++;
	return r->refuse;
}

static void rig_open(struct rig *r, uint64_t max_bytes, unsigned int max_runs)
{
	struct store_options o = { r->dir, max_bytes, 4 };

	*r = (struct rig){ .dir = "/tmp/unit.XXXXXX" };
	assert_non_null(mkdtemp(r->dir));
	assert_int_equal(report_open(&r->report, -1, &server_reporter, false), 0);
	assert_int_equal(store_new(&r->store, &o), 0);
	r->runs = runs_new(r->store, &r->report, max_runs);
	assert_non_null(r->runs);
}

/* all runs must have ended by then */
static void rig_close(struct rig *r)
{
	char command[64];

	assert_int_equal(runs_count(r->runs), 0);
	runs_free(r->runs);
	store_free(r->store);
	report_close(&r->report);
	snprintf(command, sizeof(command), "rm -r %s", r->dir);
	assert_int_equal(system(command), 0);
}

static struct talk *talk_to(struct rig *r, const char *host)
{
	struct talk_options o = {
		.runs = r->runs, .report = &r->report,
		.peer = { host, WHEN, r->sender, host },
		.self = { .max_cpus = 1 }, .cards = r->cards,
		.answer = on_answer, .ctx = r,
	};
	struct talk *t = talk_new(&o);

	assert_non_null(t);
	return t;
}

static struct talk *talk(struct rig *r)
{
	return talk_to(r, "192.0.2.1");
}

/* one header, of run 7 and 2 CPUs */
static void add_header(struct bytes *b, const char *name, uint32_t cpu,
		       uint32_t len)
{
	struct net_header h = { .cpu = cpu, .max_cpus = 2, .len = len,
				.run = 7 };
	uint8_t raw[NET_HEADER];

	strcpy(h.name, name);
	net_encode(&h, raw);
	add_bytes(b, raw, sizeof(raw));
}

static void add_data(struct bytes *b, const char *name, uint32_t cpu,
		     const void *data, size_t len)
{
	add_header(b, name, cpu, (uint32_t)len);
	add_bytes(b, data, len);
}

/* says it all, step bytes at a time */
static enum talk_state say(struct talk *t, const struct bytes *b, size_t step)
{
	enum talk_state state = TALK_ON;

	for (size_t at = 0; at < b->len && state == TALK_ON; at += step)
		state = talk_add(t, b->data + at,
				   b->len - at < step ? b->len - at : step);
	return state;
}

/* the file has just these bytes */
static void check_file(const struct rig *r, const char *name, const void *want,
		       size_t len)
{
	struct bytes *b = bytes_new();
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", r->dir, name);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, b->data, sizeof(b->data)), len);
	assert_memory_equal(b->data, want, len);
	close(fd);
	free(b);
}

static void check_absent(const struct rig *r, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", r->dir, name);
	assert_int_equal(access(path, F_OK), -1);
}

/* as many records, each with a payload */
static struct bytes *records(uint32_t n)
{
	struct bytes *b = bytes_new();

	for (uint32_t i = 0; i < n; i++)
		add_record(b, &(struct event){ .magic = BLK_MAGIC | 7,
					       .version = 7, .sequence = i,
					       .payload = (uint8_t *)"note",
					       .pdu_len = 4 });
	return b;
}

/* --- good ones ------------------------------------------------------------ */

/* two devices on one connection, in pieces of any size */
static void check_run(size_t step)
{
	struct bytes *b = bytes_new(), *data = records(20);
	struct rig r;
	struct talk *t;

	rig_open(&r, 0, 0);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_header(b, "sdb", 0, NET_OPEN);
	add_data(b, "sda", 0, data->data, 100);
	add_data(b, "sdb", 0, data->data, data->len);
	add_data(b, "sda", 0, data->data + 100, 3);
	add_data(b, "sda", 0, data->data + 103, data->len - 103);
	add_header(b, "sda", 5, NET_CLOSE);
	assert_int_equal(say(t, b, step), TALK_ON);
	assert_int_equal(r.answers, 3);
	assert_int_equal(talk_lanes(t), 1);
	b->len = 0;
	add_header(b, "sdb", 0, NET_CLOSE);
	assert_int_equal(say(t, b, step), TALK_DONE);
	assert_int_equal(r.answers, 4);
	assert_int_equal(runs_count(r.runs), 0);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.0", data->data, data->len);
	check_file(&r, DIR "/sdb.blktrace.0", data->data, data->len);
	check_file(&r, DIR "/sda.blktrace.1", "", 0);
	rig_close(&r);
	free(data);
	free(b);
}

static void test_run(void **state)
{
	static const size_t steps[] = { 1, 2, 7, 63, 64, 65, 1000, 65536 };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		check_run(steps[i]);
}

/* a connection for each CPU: the run ends with the last of them */
static void test_connections(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *t[2];
	struct rig r;

	(void)state;
	rig_open(&r, 0, 1);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		t[cpu] = talk(&r);
		b->len = 0;
		add_header(b, "sda", cpu, NET_OPEN);
		assert_int_equal(say(t[cpu], b, 64), TALK_ON);
	}
	for (int cpu = 0; cpu < 2; cpu++) {
		b->len = 0;
		add_header(b, "sda", 0, NET_CLOSE);
		assert_int_equal(runs_count(r.runs), 1);
		assert_int_equal(say(t[cpu], b, 64), TALK_DONE);
		talk_free(t[cpu]);
	}
	rig_close(&r);
	free(b);
}

/* same device, same run number, another address: another run */
static void test_addresses(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *one, *two;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	one = talk(&r);
	two = talk_to(&r, "2001:db8::1");
	add_header(b, "sda", 0, NET_OPEN);
	assert_int_equal(say(one, b, 64), TALK_ON);
	assert_int_equal(say(two, b, 64), TALK_ON);
	assert_int_equal(runs_count(r.runs), 2);
	talk_free(one);
	talk_free(two);
	check_file(&r, DIR "/sda.blktrace.0", "", 0);
	check_file(&r, "2001:db8::1-2009-02-13-23:31:30/sda.blktrace.0", "", 0);
	rig_close(&r);
	free(b);
}

/* --- ends ----------------------------------------------------------------- */

/* a client that vanishes: whole records stay, half a one goes */
static void test_vanish(void **state)
{
	struct bytes *b = bytes_new(), *data = records(3);
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	add_header(b, "sda", 1, NET_OPEN);
	add_data(b, "sda", 1, data->data, data->len);
	b->len -= 10;
	assert_int_equal(say(t, b, 64), TALK_ON);
	assert_int_equal(runs_count(r.runs), 1);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.1", data->data, 2 * 52);
	rig_close(&r);
	free(data);
	free(b);
}

/* what is no trace stays as it came */
static void test_no_trace(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_data(b, "sda", 0, "hello, world", 12);
	assert_int_equal(say(t, b, 64), TALK_ON);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.0", "hello, world", 12);
	rig_close(&r);
	free(b);
}

/* --- cards ---------------------------------------------------------------- */

#define CARD "/sda.blktrace.json"

/* each block is a card; the run lasts until it is closed; a CPU's files are as
 * they would be without */
static void check_card(size_t step)
{
	struct bytes *b = bytes_new(), *c = bytes_new(), *data = records(3);
	struct talk *t, *card;
	struct rig r;

	rig_open(&r, 0, 0);
	r.cards = true;
	t = talk(&r);
	card = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_data(b, "sda", 0, data->data, data->len);
	assert_int_equal(say(t, b, step), TALK_ON);
	add_header(c, "sda", NET_CPU_CARD, NET_OPEN);
	add_data(c, "sda", NET_CPU_CARD, "{ \"schema\": 1 }", 15);
	assert_int_equal(say(card, c, step), TALK_ON);
	check_file(&r, DIR CARD, "{ \"schema\": 1 }", 15);
	b->len = c->len = 0;
	add_header(b, "sda", 5, NET_CLOSE);
	assert_int_equal(say(t, b, step), TALK_DONE);
	assert_int_equal(runs_count(r.runs), 1);
	add_data(c, "sda", NET_CPU_CARD, "shorter", 7);
	add_header(c, "sda", 0, NET_CLOSE);
	assert_int_equal(say(card, c, step), TALK_DONE);
	assert_int_equal(runs_count(r.runs), 0);
	assert_int_equal(r.answers, 4);
	check_file(&r, DIR CARD, "shorter", 7);
	check_file(&r, DIR "/sda.blktrace.0", data->data, data->len);
	talk_free(t);
	talk_free(card);
	rig_close(&r);
	free(data);
	free(c);
	free(b);
}

static void test_card(void **state)
{
	(void)state;
	check_card(1);
	check_card(65);
	check_card(65536);
}

/* what was stored stays, half a card is none */
static void test_half_card(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	r.cards = true;
	t = talk(&r);
	add_header(b, "sda", NET_CPU_CARD, NET_OPEN);
	add_data(b, "sda", NET_CPU_CARD, "first", 5);
	add_data(b, "sda", NET_CPU_CARD, "second", 6);
	b->len--;
	assert_int_equal(say(t, b, 64), TALK_ON);
	talk_free(t);
	check_file(&r, DIR CARD, "first", 5);
	check_absent(&r, DIR "/sda.blktrace.0");
	rig_close(&r);
	free(b);
}

/* a conversation that ends so; what it has made is one file of data, or none */
static void check_no_card(bool cards, const struct bytes *b, const char *why,
			  uint64_t max_bytes)
{
	struct talk *t;
	struct rig r;

	rig_open(&r, max_bytes, 0);
	r.cards = cards;
	t = talk(&r);
	assert_int_equal(say(t, b, 64), TALK_BAD);
	assert_string_equal(talk_error(t), why);
	talk_free(t);
	check_absent(&r, DIR CARD);
	rig_close(&r);
}

static void test_bad_cards(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_header(b, "sda", NET_CPU_CARD, NET_OPEN);
	check_no_card(false, b, "bad CPU", 0);
	add_header(b, "sda", 0, NET_OPEN);
	check_no_card(true, b, "cards and traces on one connection", 0);
	b->len = 64;
	add_header(b, "sda", NET_CPU_CARD, NET_OPEN);
	check_no_card(true, b, "sda, card: already open", 0);
	b->len = 64;
	add_header(b, "sda", NET_CPU_CARD, NET_CARD_MAX + 1);
	check_no_card(true, b, "sda, card: 1048577 bytes: File too large", 0);
	b->len = 64;
	add_data(b, "sda", NET_CPU_CARD, "12345", 5);
	check_no_card(true, b, "sda, card: --max-bytes is reached", 4);
	b->len = 0;
	add_data(b, "sda", NET_CPU_CARD, "12345", 5);
	check_no_card(true, b, "data of sda, card, which was not opened", 0);
	b->len = 0;
	add_header(b, "sda", 0, NET_OPEN);
	add_header(b, "sda", NET_CPU_CARD, NET_OPEN);
	check_no_card(true, b, "cards and traces on one connection", 0);
	free(b);
}

/* a sender has a limit for all that waits, and files and bytes count */
static void test_card_limits(void **state)
{
	const struct sender_limits each = { .bytes = 20 };
	struct talk *t[WHOLE_WAITING / NET_CARD_MAX + 1];
	struct bytes *b = bytes_new();
	struct sender sender = { .name = "web1" };
	struct rig r;
	size_t i, n = sizeof(t) / sizeof(*t);

	(void)state;
	rig_open(&r, 0, 0);
	r.cards = true;
	r.sender = &sender;
	for (i = 0; i < n; i++) {
		char name[8];

		snprintf(name, sizeof(name), "sd%zu", i);
		t[i] = talk(&r);
		b->len = 0;
		add_header(b, name, NET_CPU_CARD, NET_OPEN);
		add_header(b, name, NET_CPU_CARD, NET_CARD_MAX);
		assert_int_equal(say(t[i], b, 64), i + 1 < n ? TALK_ON :
							      TALK_BAD);
	}
	assert_string_equal(talk_error(t[n - 1]),
			    "sd16, card: 1048576 bytes: too many wait");
	for (i = 0; i < n; i++)
		talk_free(t[i]);
	assert_int_equal(sender.waiting, 0);
	assert_int_equal(sender.files, 1 + n);

	sender.files = 0;
	runs_limit(r.runs, 0, &each);
	t[0] = talk(&r);
	for (i = 0; i < 4; i++) {
		b->len = 0;
		if (!i)
			add_header(b, "sda", NET_CPU_CARD, NET_OPEN);
		add_data(b, "sda", NET_CPU_CARD, "123456", 6);
		assert_int_equal(say(t[0], b, 64), i < 3 ? TALK_ON : TALK_BAD);
	}
	assert_int_equal(sender.bytes, 18);
	talk_free(t[0]);
	rig_close(&r);
	free(b);
}

/* --- 1.3.0 on today's kernels --------------------------------------------- */

/* data that is announced and never comes does not eat the next header */
static void check_failed_sendfile(uint32_t len, size_t step)
{
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	rig_open(&r, 0, 0);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_header(b, "sda", 0, len);
	add_header(b, "sda", 0, NET_CLOSE);
	assert_int_equal(say(t, b, step), TALK_DONE);
	assert_int_equal(r.answers, 2);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.0", "", 0);
	rig_close(&r);
	free(b);
}

static void test_failed_sendfile(void **state)
{
	static const uint32_t lengths[] = { 3, 56, 64, 65, 32480 };

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		for (size_t step = 1; step < 200; step += 9)
			check_failed_sendfile(lengths[i], step);
}

/* data that only begins like a header is data, and nothing of it is lost */
static void check_like_header(size_t same, size_t len, size_t step)
{
	struct bytes *b = bytes_new(), *data = bytes_new();
	struct talk *t;
	struct rig r;

	rig_open(&r, 0, 0);
	add_header(data, "sda", 9, 3);
	memset(data->data + same, 'x', 200 - same);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_data(b, "sda", 0, data->data, len);
	add_data(b, "sda", 0, "more", 4);
	assert_int_equal(say(t, b, step), TALK_ON);
	talk_free(t);
	memcpy(data->data + len, "more", 4);
	check_file(&r, DIR "/sda.blktrace.0", data->data, len + 4);
	rig_close(&r);
	free(data);
	free(b);
}

static void test_like_header(void **state)
{
	size_t every = (size_t)(25 / rounds(5));

	(void)state;
	for (size_t same = 0; same < NET_HEADER; same += every)
		for (size_t len = 3; len < 140; len += 17)
			for (size_t step = 1; step < 200; step += 37)
				check_like_header(same, len, step);
}

/* --- bad ones ------------------------------------------------------------- */

/* after an open of CPU 0 of sda, that is answered by the end */
static void check_bad(const struct bytes *what, const char *why)
{
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	rig_open(&r, 0, 0);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	assert_int_equal(say(t, b, 64), TALK_ON);
	assert_int_equal(say(t, what, 1000), TALK_BAD);
	assert_string_equal(talk_error(t), why);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.0", "", 0);
	rig_close(&r);
	free(b);
}

static void check_bad_header(const char *name, uint32_t cpu, uint32_t len,
			     const char *why)
{
	struct bytes *b = bytes_new();

	add_header(b, name, cpu, len);
	check_bad(b, why);
	free(b);
}

static void test_bad_headers(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	check_bad_header("sda", 0, NET_ANSWER,
			 "an answer, which only servers send");
	check_bad_header("sdb", 0, NET_CLOSE,
			 "sdb is closed but was not opened");
	check_bad_header("sda", 1, 48,
			 "data of sda, CPU 1, which was not opened");
	check_bad_header("sdb", 0, 48,
			 "data of sdb, CPU 0, which was not opened");
	check_bad_header("sda", 0, NET_OPEN,
			 "sda, CPU 0: already open");
	check_bad_header("sda", 2, NET_OPEN, "bad CPU");
	check_bad_header("../../x", 0, NET_OPEN,
			 "bad device name \"../../x\"");
	add_zeros(b, 64);
	check_bad(b, "bad magic");
	free(b);
}

/* names that a shell, an option parser or a terminal would obey */
static void test_bad_names(void **state)
{
	static const struct {
		const char *name, *why;
	} cases[] = {
		{ " ", "bad device name \" \"" },
		{ "-rf", "bad device name \"-rf\"" },
		{ "$(id)", "bad device name \"$(id)\"" },
		{ "a\033[2J\n", "bad device name \"a\\x1b[2J\\x0a\"" },
		{ "a\\b", "bad device name \"a\\x5cb\"" },
		{ "\303\244", "bad device name \"\\xc3\\xa4\"" },
		{ "", "bad device name \"\"" },
		{ "*", "bad device name \"*\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_bad_header(cases[i].name, 0, NET_OPEN, cases[i].why);
}

/* a name without an end, all of it control characters: no byte is lost */
static void test_long_name(void **state)
{
	struct bytes *b = bytes_new();
	char why[32 + 4 * NET_NAME] = "bad device name \"";

	(void)state;
	add_header(b, "", 0, NET_OPEN);
	memset(b->data + 4, 1, NET_NAME);
	for (int i = 0; i < NET_NAME; i++)
		strcat(why, "\\x01");
	strcat(why, "\"");
	check_bad(b, why);
	free(b);
}

/* what the kernel calls devices */
static void test_good_names(void **state)
{
	static const char *const names[] = { "sda", "nvme0n1", "dm-0",
					     "cciss!c0d0", "md_a.b", "A-Z" };
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_header(b, names[i], 0, NET_OPEN);
	assert_int_equal(say(t, b, 64), TALK_ON);
	assert_int_equal(talk_lanes(t), sizeof(names) / sizeof(*names));
	talk_free(t);
	rig_close(&r);
	free(b);
}

/* without an open there is no run, no directory, nothing */
static void test_no_open(void **state)
{
	static const uint32_t lengths[] = { NET_CLOSE, NET_ANSWER, 48 };
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		t = talk(&r);
		b->len = 0;
		add_header(b, "sda", 0, lengths[i]);
		assert_int_equal(say(t, b, 64), TALK_BAD);
		talk_free(t);
	}
	check_absent(&r, DIR);
	rig_close(&r);
	free(b);
}

/* two connections cannot write to one file */
static void test_same_lane(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *one, *two;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	one = talk(&r);
	two = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	assert_int_equal(say(one, b, 64), TALK_ON);
	assert_int_equal(say(two, b, 64), TALK_BAD);
	talk_free(two);
	assert_int_equal(runs_count(r.runs), 1);
	talk_free(one);
	rig_close(&r);
	free(b);
}

/* a client whose answers cannot be sent is none */
static void test_no_answer(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	r.refuse = -EAGAIN;
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	assert_int_equal(say(t, b, 64), TALK_BAD);
	talk_free(t);
	rig_close(&r);
	free(b);
}

/* --- bounds --------------------------------------------------------------- */

static void test_max_runs(void **state)
{
	struct bytes *b = bytes_new();
	struct talk *one, *two;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 1);
	one = talk(&r);
	two = talk_to(&r, "192.0.2.2");
	add_header(b, "sda", 0, NET_OPEN);
	assert_int_equal(say(one, b, 64), TALK_ON);
	assert_int_equal(say(two, b, 64), TALK_BAD);
	assert_non_null(strstr(talk_error(two), "too many clients"));
	talk_free(two);
	talk_free(one);
	check_absent(&r, "192.0.2.2-2009-02-13-23:31:30");
	rig_close(&r);
	free(b);
}

/* what fits in is kept, in whole records */
static void test_max_bytes(void **state)
{
	struct bytes *b = bytes_new(), *data = records(5);
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 3 * 52 + 10, 0);
	t = talk(&r);
	add_header(b, "sda", 0, NET_OPEN);
	add_data(b, "sda", 0, data->data, data->len);
	assert_int_equal(say(t, b, 1000), TALK_BAD);
	assert_string_equal(talk_error(t),
			    "sda, CPU 0: --max-bytes is reached");
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.0", data->data, 3 * 52);
	rig_close(&r);
	free(data);
	free(b);
}

/* opens the device name with max CPUs, CPU cpu; what comes of it */
static enum talk_state open_many(struct talk *t, const char *name,
				 uint32_t cpu, uint32_t max)
{
	struct net_header h = { .cpu = cpu, .max_cpus = max, .run = 7 };
	uint8_t raw[NET_HEADER];

	strcpy(h.name, name);
	net_encode(&h, raw);
	return talk_add(t, raw, sizeof(raw));
}

/* connections that do not agree about the number of CPUs: the largest */
static void test_grow(void **state)
{
	struct talk *t;
	struct rig r;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	assert_int_equal(open_many(t, "sda", 0, 2), TALK_ON);
	assert_int_equal(open_many(t, "sda", 3, 4), TALK_ON);
	assert_int_equal(open_many(t, "sda", 1, 2), TALK_ON);
	assert_int_equal(open_many(t, "sda", 8191, 8192), TALK_ON);
	talk_free(t);
	check_file(&r, DIR "/sda.blktrace.2", "", 0);
	check_file(&r, DIR "/sda.blktrace.1023", "", 0);
	check_absent(&r, DIR "/sda.blktrace.1024");
	check_file(&r, DIR "/sda.blktrace.8191", "", 0);
	check_absent(&r, DIR "/sda.blktrace.8192");
	rig_close(&r);
}

/* what a connection can open is bounded */
static void test_too_many(void **state)
{
	enum talk_state s = TALK_ON;
	struct talk *t;
	struct rig r;
	uint32_t n = 0;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	while (s == TALK_ON)
		s = open_many(t, "sda", n++, 8192);
	assert_string_equal(talk_error(t),
			    "too many opens on one connection");
	assert_int_equal(n, TALK_LANES_MAX + 1);
	talk_free(t);
	rig_close(&r);
}

/* and so are the files of a run */
static void test_too_many_files(void **state)
{
	enum talk_state s = TALK_ON;
	struct talk *t;
	struct rig r;
	char name[16];
	int n;

	(void)state;
	rig_open(&r, 0, 0);
	t = talk(&r);
	for (n = 0; s == TALK_ON; n++) {
		snprintf(name, sizeof(name), "sd%d", n);
		s = open_many(t, name, 0, 8192);
	}
	assert_string_equal(talk_error(t), "sd8, CPU 0: too many devices and"
			    " CPUs");
	talk_free(t);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_vanish),
		cmocka_unit_test(test_no_trace),
		cmocka_unit_test(test_card),
		cmocka_unit_test(test_half_card),
		cmocka_unit_test(test_bad_cards),
		cmocka_unit_test(test_card_limits),
		cmocka_unit_test(test_failed_sendfile),
		cmocka_unit_test(test_like_header),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_good_names),
		cmocka_unit_test(test_no_open),
		cmocka_unit_test(test_same_lane),
		cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_max_runs),
		cmocka_unit_test(test_max_bytes),
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_too_many_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
