/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder without a kernel: made records go into a ring, and what
 * becomes of triggers is looked at.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

#include "base/time.h"
#include "capture/sink.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_ring.h"
#include "capture_reports.h"
#include "cli/reason.h"
#include "expr/error.h"
#include "file/source.h"
#include "pack/frame.h"
#include "scratch.h"
#include "stat/trigger.h"
#include "tools/blktrace/dumps.h"
#include "tools/blktrace/watch.h"

enum { CPUS = 2, SDA = 8 << 20, TRIGGERS_MAX = 4, PATIENCE = 1000 };

#define MS NS_PER_MS
#define BEGIN (1000 * NS_PER_SECOND)

static atomic_ullong passed;	/* ns since a test began */

/* 2026-11-20 06:07:10 when it began */
static struct notes_stamp now(void)
{
	uint64_t ns = atomic_load(&passed);

	return (struct notes_stamp){
		BEGIN + ns, 1795154830 + (uint32_t)(ns / NS_PER_SECOND),
		(uint32_t)(ns % NS_PER_SECOND) };
}

struct made {
	struct sink *ring;
	struct sink_lane lanes[CPUS];
	uint32_t numbers[CPUS];
	struct trigger *triggers[TRIGGERS_MAX];
	size_t count;
	struct watch *watch;
	struct dumps *dumps;
	int signals;
	uint64_t dropped;
};

static void fired(void *ctx, const struct watch_event *e)
{
	dumps_fire(((struct made *)ctx)->dumps, e);
}

static void seen(void *ctx, uint64_t time)
{
	dumps_seen(((struct made *)ctx)->dumps, time);
}

static uint64_t dropped(void *ctx)
{
	return ((struct made *)ctx)->dropped;
}

static void open_ring(struct made *m)
{
	const struct sink_ring_options o = {
		.size = 4 << 20, .lanes = CPUS, .now = now,
		.reporter = &keeper };

	passed = 0;
	setenv("TZ", "UTC", 1);
	*m = (struct made){ .signals = eventfd(0, EFD_NONBLOCK) };
	assert_int_equal(sink_ring_new(&m->ring, &o), 0);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		m->lanes[cpu] = (struct sink_lane){ .name = "sda", .cpu = cpu };
		assert_int_equal(m->ring->ops->open(m->ring, &m->lanes[cpu]),
				 0);
	}
}

/* with one trigger, a second before and after, and others as they are given */
static void start(struct made *m, const char *trigger,
		  const struct dumps_options *more)
{
	struct dumps_options o = *more;
	struct expr_error why;
	struct watch_options wo = { .signals = m->signals, .begin = BEGIN,
				    .fired = fired, .seen = seen, .ctx = m };

	open_ring(m);
	wo.signals = m->signals;
	assert_int_equal(trigger_compile(&m->triggers[m->count++], trigger,
					 &why), 0);
	o.ring = m->ring;
	o.directory = o.directory ? o.directory : "dumps";
	o.before = o.after = NS_PER_SECOND;
	o.now = now;
	o.dropped = dropped;
	o.ctx = m;
	o.reporter = &keeper;
	assert_int_equal(dumps_start(&m->dumps, &o), 0);
	wo.chunks = sink_ring_chunks(m->ring);
	wo.triggers = m->triggers;
	wo.count = m->count;
	assert_int_equal(watch_start(&m->watch, &wo), 0);
}

/* the last of it; what dumps_end() says */
static int end(struct made *m)
{
	int err;

	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		m->ring->ops->close(m->ring, &m->lanes[cpu], 0);
	watch_end(m->watch);
	err = dumps_end(m->dumps, 5000);
	m->ring->ops->free(m->ring);
	for (size_t i = 0; i < m->count; i++)
		trigger_free(m->triggers[i]);
	close(m->signals);
	return err;
}

/* --- records -------------------------------------------------------------- */

static void put_event(struct made *m, uint32_t cpu, enum blk_action what,
		      uint64_t ms, uint64_t sector, int error)
{
	uint8_t raw[BLK_HEADER_MAX];
	const struct event ev = EVENT(.time = BEGIN + ms * MS, .cpu = cpu,
		.device = SDA, .sector = sector, .bytes = 4096, .pid = 7,
		.error = (uint16_t)-error, .sequence = ++m->numbers[cpu],
		.action = ACT(what, CAT(READ) | CAT(FS)));

	assert_int_equal(m->ring->ops->write(m->ring, &m->lanes[cpu], raw,
			 record_encode(&ev, 7, raw)), 0);
}

/* one that takes a ms, on either CPU; error: its errno */
static void put_io(struct made *m, uint64_t ms, int error)
{
	put_event(m, 0, BLK_TA_QUEUE, ms, ms * 8, 0);
	put_event(m, 0, BLK_TA_GETRQ, ms, ms * 8, 0);
	put_event(m, 0, BLK_TA_ISSUE, ms, ms * 8, 0);
	put_event(m, 1, BLK_TA_COMPLETE, ms + 1, ms * 8, error);
}

/* it is that late, and all that is older has come */
static void pass(struct made *m, uint64_t ms)
{
	for (int times = 0; times < 2; times++) {
		passed = (ms + 20) * MS;
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			m->ring->ops->flush(m->ring, &m->lanes[cpu]);
	}
}

/* ios every 100 ms until then */
static void healthy(struct made *m, uint64_t from, uint64_t to)
{
	for (uint64_t ms = from; ms < to; ms += 100)
		put_io(m, ms, 0);
	pass(m, to);
}

static void wait_for(const char *path)
{
	for (int i = 0; i < PATIENCE && access(path, F_OK); i++)
		usleep(10000);
	assert_int_equal(access(path, F_OK), 0);
}

/* cause.json of a dump has this somewhere */
static void check_cause(const char *dump, const char *text)
{
	char path[128], content[32768];
	FILE *f;
	size_t len;

	snprintf(path, sizeof(path), "dumps/%s/cause.json", dump);
	f = fopen(path, "r");
	assert_non_null(f);
	len = fread(content, 1, sizeof(content) - 1, f);
	content[len] = '\0';
	fclose(f);
	if (!strstr(content, text))
		fail_msg("no %s in %s", text, content);
}

static long records_in(const char *dump, unsigned int cpu)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "dumps/%s/sda.blktrace.%u", dump, cpu);
	assert_int_equal(stat(path, &st), 0);
	/* a head without names has 56 bytes */
	return ((long)st.st_size - 56) / BLK_HEADER_7;
}

#define FIRST "0001-2026-11-20-06:07:12"
#define FIRST_TEXT "dumps/" FIRST ": error: errno 5 at 2026-11-20" \
		   " 06:07:13.001000\n"

/* --- tests ---------------------------------------------------------------- */

/* a second on both sides, not more; nothing else in the directory */
static void test_one(void **state)
{
	struct made m;

	(void)state;
	start(&m, "error", &(struct dumps_options){ .every = 1 });
	healthy(&m, 1000, 3000);
	put_io(&m, 3000, 5);
	healthy(&m, 3100, 6000);
	wait_for("dumps/" FIRST);
	assert_int_equal(end(&m), 0);
	check_reports(FIRST_TEXT);
	/* three of each of 19 ios, and the C of the one that began before */
	assert_int_equal(records_in(FIRST, 0), 3 * 20);
	assert_int_equal(records_in(FIRST, 1), 21);
	check_cause(FIRST, "\"text\":\"error: errno 5 at 2026-11-20"
		    " 06:07:13.001000\"");
	check_cause(FIRST, "\"device\":\"sda\"");
	check_cause(FIRST, "\"sector\":24000");
	check_cause(FIRST, "\"from\":1002001000000,\"to\":1004001000000,"
		    "\"whole_from\":1002001000000,\"ring_reach\":null,"
		    "\"also\":[],\"also_count\":0,\"suppressed\":0,"
		    "\"blind_ms\":0,\"dropped\":0,\"incomplete\":null}");
}

static size_t bytes_in(const char *path)
{
	static uint8_t bytes[65536];
	struct source *s;
	ssize_t n;

	assert_int_equal(source_open(&s, path), 0);
	n = source_fill(s, bytes, sizeof(bytes));
	assert_true(n >= 0);
	source_close(s);
	return (size_t)n;
}

/* the same in one file, with its cause */
static void test_packed(void **state)
{
	const char dump[] = "dumps/" FIRST ".btz";
	char why[REASON_TEXT];
	struct made m;

	(void)state;
	if (!frame_built())
		skip();
	start(&m, "error", &(struct dumps_options){ .every = 1,
						    .pack = true });
	healthy(&m, 1000, 3000);
	put_io(&m, 3000, 5);
	healthy(&m, 3100, 6000);
	wait_for(dump);
	assert_int_equal(end(&m), 0);
	check_reports("dumps/" FIRST ".btz: error: errno 5 at 2026-11-20"
		      " 06:07:13.001000\n");
	assert_int_equal(bytes_in("dumps/" FIRST ".btz/sda.blktrace.0"),
			 56 + 3 * 20 * BLK_HEADER_7);
	assert_int_equal(bytes_in("dumps/" FIRST ".btz/sda.blktrace.1"),
			 56 + 21 * BLK_HEADER_7);
	assert_true(reason_read(dump, why));
	assert_string_equal(why, "error: errno 5 at 2026-11-20"
			    " 06:07:13.001000");
}

/* inside of the window they are listed; behind it counted, and told next */
static void test_more(void **state)
{
	struct made m;

	(void)state;
	start(&m, "error", &(struct dumps_options){
		.every = 10 * NS_PER_SECOND });
	m.dropped = 77;
	put_io(&m, 3000, 5);
	put_io(&m, 3500, 28);
	healthy(&m, 3600, 6000);
	wait_for("dumps/" FIRST);
	put_io(&m, 7000, 5);
	put_io(&m, 8000, 5);
	healthy(&m, 9000, 13000);
	put_io(&m, 13100, 5);
	healthy(&m, 13200, 15000);
	wait_for("dumps/0002-2026-11-20-06:07:22");
	assert_int_equal(end(&m), 0);
	check_cause(FIRST, "\"also\":[{\"trigger\":\"error\",\"value\":"
		    "\"errno 28\",\"time\":1003501000000}],\"also_count\":1,"
		    "\"suppressed\":0");
	check_cause("0002-2026-11-20-06:07:22", "\"suppressed\":2,"
		    "\"blind_ms\":0,\"dropped\":77");
	check_reports(FIRST_TEXT "dumps/0002-2026-11-20-06:07:22: error: errno"
		      " 5 at 2026-11-20 06:07:23.101000\n"
		      "2 triggers were only counted\n");
}

/* so many dumps and no more, which is said once */
static void test_most(void **state)
{
	struct made m;

	(void)state;
	start(&m, "error", &(struct dumps_options){ .every = 1, .most = 1 });
	put_io(&m, 3000, 5);
	healthy(&m, 3600, 6000);
	wait_for("dumps/" FIRST);
	put_io(&m, 7000, 5);
	put_io(&m, 17000, 5);
	assert_int_equal(end(&m), 0);
	check_reports(FIRST_TEXT
		      "no more dumps: there are 1 (--max-dumps)\n"
		      "2 triggers were only counted\n");
}

/* of several the newest are left; numbers go on behind those of other runs */
static void test_keep(void **state)
{
	struct made m;

	(void)state;
	mkdir("dumps", 0755);
	mkdir("dumps/0007-2026-11-19-06:07:12", 0755);
	start(&m, "error", &(struct dumps_options){ .every = 1, .keep = 2 });
	for (uint64_t n = 0; n < 4; n++) {
		char path[64];

		put_io(&m, 5000 * n + 3000, 5);
		healthy(&m, 5000 * n + 4000, 5000 * n + 7000);
		snprintf(path, sizeof(path), "dumps/%04u-2026-11-20-06:07:%02u",
			 (unsigned int)n + 8, (unsigned int)n * 5 + 12);
		wait_for(path);
	}
	assert_int_equal(end(&m), 0);
	forget_reports();
	assert_int_equal(access("dumps/0007-2026-11-19-06:07:12", F_OK), 0);
	assert_int_equal(access("dumps/0009-2026-11-20-06:07:17", F_OK), -1);
	assert_int_equal(access("dumps/0010-2026-11-20-06:07:22", F_OK), 0);
	assert_int_equal(access("dumps/0011-2026-11-20-06:07:27", F_OK), 0);
}

/* what does not end makes one dump, though nothing else happens */
static void test_age(void **state)
{
	struct made m;

	(void)state;
	start(&m, "age>5s", &(struct dumps_options){ .every = 1 });
	put_event(&m, 0, BLK_TA_QUEUE, 1000, 8, 0);
	put_event(&m, 0, BLK_TA_GETRQ, 1000, 8, 0);
	put_event(&m, 0, BLK_TA_ISSUE, 1000, 8, 0);
	for (uint64_t ms = 1000; ms <= 6500; ms += 500)
		pass(&m, ms);
	/* the watcher looks ten times a second */
	usleep(300000);
	pass(&m, 9000);
	wait_for("dumps/0001-2026-11-20-06:07:15");
	put_event(&m, 1, BLK_TA_COMPLETE, 9500, 8, 0);
	pass(&m, 12000);
	assert_int_equal(end(&m), 0);
	check_cause("0001-2026-11-20-06:07:15", "\"ended\":\"open\"");
	assert_non_null(strstr(reports.text, "age>5s: age 5."));
	assert_null(strstr(reports.text, "0002"));
	forget_reports();
}

/* the end does not wait for the seconds behind a trigger */
static void test_end(void **state)
{
	struct made m;

	(void)state;
	start(&m, "error", &(struct dumps_options){ .every = 1 });
	put_io(&m, 3000, 5);
	assert_int_equal(end(&m), 0);
	check_reports(FIRST_TEXT);
	assert_int_equal(records_in(FIRST, 0), 3);
	assert_int_equal(records_in(FIRST, 1), 1);
}

/* what cannot be written is told, and recording goes on */
static void test_unwritable(void **state)
{
	struct made m;

	(void)state;
	start(&m, "error", &(struct dumps_options){ .every = 1 });
	assert_int_equal(rmdir("dumps"), 0);
	put_io(&m, 3000, 5);
	healthy(&m, 3100, 6000);
	assert_int_equal(end(&m), -ENOENT);
	check_reports("cannot make dumps/" FIRST ".partial: No such file or"
		      " directory\n"
		      "dumps/" FIRST ".partial is not whole: No such file or"
		      " directory\n");
}

/* records that are missing do not make ios old */
static void test_lost(void **state)
{
	struct made m;

	(void)state;
	start(&m, "age>5s", &(struct dumps_options){ .every = 1 });
	put_event(&m, 0, BLK_TA_QUEUE, 1000, 8, 0);
	put_event(&m, 0, BLK_TA_GETRQ, 1000, 8, 0);
	m.numbers[0] += 10;
	healthy(&m, 2000, 20000);
	usleep(300000);
	assert_int_equal(end(&m), 0);
	check_reports("");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_one),
		IN_SCRATCH(test_packed),
		IN_SCRATCH(test_more),
		IN_SCRATCH(test_most),
		IN_SCRATCH(test_keep),
		IN_SCRATCH(test_age),
		IN_SCRATCH(test_end),
		IN_SCRATCH(test_unwritable),
		IN_SCRATCH(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
