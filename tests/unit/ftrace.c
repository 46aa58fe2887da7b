/*
 * The way in by tracefs, on a make-believe tracefs and sysfs: plain files in
 * a directory made for each test.  What a real kernel does: tests/live.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/ftrace.h"
#include "capture/ftrace_cpu.h"
#include "capture/tap.h"
#include "make.h"

enum { DISK = 8 << 20, PART = 8 << 20 | 17, FOREIGN = 8 << 20 | 32 };

/* --- the make-believe kernel ---------------------------------------------- */

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void check_text(const char *path, const char *text)
{
	char got[256] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, text);
}

static const struct {
	const char *path, *text;
} kernel[] = {
	{ "available_tracers", "blk function nop\n" },
	{ "current_tracer", "nop" },
	{ "tracing_on", "1" },
	{ "trace_clock", "[local] global mono\n" },
	{ "buffer_size_kb", "7 (expanded: 1408)\n" },
	{ "buffer_percent", "50" },
	{ "trace", "old things" },
	{ "saved_cmdlines", "12 dd\n7 a name\n107 other\n" },
	{ "options/bin", "0" },
	{ "options/context-info", "1" },
	{ "options/overwrite", "1" },
	{ "options/blk_classic", "1" },
	{ "events/enable", "0\n" },
	{ "per_cpu/cpu0/stats", "entries: 1\noverrun: 5\ncommit overrun: 1\n"
				"dropped events: 2\n" },
	{ "per_cpu/cpu0/trace_pipe", "" },
	{ "per_cpu/cpu0/buffer_size_kb", "16" },
	{ "per_cpu/cpu1/buffer_size_kb", "9000" },
	{ "dev/block/8:0/trace/enable", "0\n" },
	{ "dev/block/8:0/trace/act_mask", "all\n" },
	{ "dev/block/8:17/trace/enable", "0\n" },
	{ "dev/block/8:17/trace/act_mask", "all\n" },
	{ "dev/block/8:32/trace/enable", "0\n" },
};

static void make_folders(const char *path)
{
	char part[256];

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0755);
	}
}

static int enter(void **state)
{
	char *dir = strdup("/tmp/unit.XXXXXX");

	*state = dir;
	if (!dir || !mkdtemp(dir) || chdir(dir))
		return 1;
	for (size_t i = 0; i < sizeof(kernel) / sizeof(*kernel); i++) {
		make_folders(kernel[i].path);
		put(kernel[i].path, kernel[i].text);
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int leave(void **state)
{
	int err = chdir("/") ||
		  nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return err;
}

/* --- set up and taken down ------------------------------------------------ */

static const uint32_t both[] = { DISK, PART };

static struct ftrace_plan plan(uint32_t mask, size_t kib)
{
	return (struct ftrace_plan){ .tracefs = ".", .sysfs = ".",
				     .devices = both, .count = 2,
				     .mask = mask, .buffer = kib * 1024 };
}

static struct ftrace *make(uint32_t mask, size_t kib)
{
	struct ftrace_plan p = plan(mask, kib);
	char why[FTRACE_WHY];
	struct ftrace *f;

	assert_int_equal(ftrace_new(&f, &p, why), 0);
	return f;
}

static void drop(struct ftrace *f)
{
	char why[FTRACE_WHY];

	assert_int_equal(ftrace_free(f, why), 0);
	assert_string_equal(why, "");
}

/* all is as the kernel had it, whatever was tried */
static void check_untouched(void)
{
	check_text("current_tracer", "nop");
	check_text("tracing_on", "1");
	check_text("buffer_percent", "50");
	check_text("options/bin", "0");
	check_text("options/context-info", "1");
	check_text("options/overwrite", "1");
	check_text("options/blk_classic", "1");
}

/* what is set, in the order of a capture's life */
static void test_life(void **state)
{
	struct ftrace *f = make(0x41, 4096);
	struct ftrace_stamp stamp;

	(void)state;
	check_text("current_tracer", "blk");
	check_text("trace_clock", "mono");
	check_text("tracing_on", "0");
	check_text("buffer_size_kb", "4096");
	check_text("options/bin", "1");
	check_text("options/context-info", "0");
	check_text("options/blk_classic", "0");
	check_text("trace", "");
	check_text("dev/block/8:0/trace/enable", "1");
	check_text("dev/block/8:17/trace/act_mask", "0x41");
	assert_false(ftrace_started(f, &stamp));
	assert_int_equal(ftrace_start(f), 0);
	check_text("tracing_on", "1");
	assert_true(ftrace_started(f, &stamp));
	assert_int_equal(ftrace_stop(f), 0);
	check_text("dev/block/8:0/trace/enable", "0");
	check_text("dev/block/8:17/trace/enable", "0");
	check_text("tracing_on", "1");
	drop(f);
	check_untouched();
	check_text("trace_clock", "local");
	/* 7 would be less than any user finds */
	check_text("buffer_size_kb", "1408");
}

/* without a mask the kernel's own stays; a large buffer stays large */
static void test_modest(void **state)
{
	struct ftrace *f = make(0, 1000);

	(void)state;
	check_text("buffer_size_kb", "7 (expanded: 1408)\n");
	check_text("dev/block/8:0/trace/act_mask", "all\n");
	drop(f);
	check_untouched();
}

/* buffers of different sizes are raised, and put back, one by one */
static void test_buffers(void **state)
{
	struct ftrace *f;

	(void)state;
	put("buffer_size_kb", "X\n");
	f = make(0, 2048);
	check_text("per_cpu/cpu0/buffer_size_kb", "2048");
	check_text("per_cpu/cpu1/buffer_size_kb", "9000");
	check_text("buffer_size_kb", "X\n");
	drop(f);
	check_text("per_cpu/cpu0/buffer_size_kb", "16");
}

/* --- refused -------------------------------------------------------------- */

static void check_refused(int err, const char *reason)
{
	struct ftrace_plan p = plan(0x41, 4096);
	char why[FTRACE_WHY];
	struct ftrace *f;

	assert_int_equal(ftrace_new(&f, &p, why), err);
	assert_null(f);
	assert_non_null(strstr(why, reason));
}

/* whoever traces already goes on, and is named */
static void test_refused(void **state)
{
	(void)state;
	put("dev/block/8:32/trace/enable", "1\n");
	check_refused(-EBUSY, "8:32/trace/enable: it is traced already");
	put("dev/block/8:32/trace/enable", "0\n");
	put("events/enable", "X\n");
	check_refused(-EBUSY, "events are switched on");
	put("events/enable", "0\n");
	check_untouched();
	check_text("trace", "old things");
	put("current_tracer", "function\n");
	check_refused(-EBUSY, "a tracer is in use");
	check_text("current_tracer", "function\n");
	put("available_tracers", "function nop\n");
	check_refused(-EOPNOTSUPP, "no blk tracer");
}

/* one capture at a time, and after the first the next */
static void test_lock(void **state)
{
	struct ftrace *f = make(0, 0);

	(void)state;
	check_refused(-EBUSY, "another capture");
	check_text("current_tracer", "blk");
	drop(f);
	drop(make(0, 0));
}

/* what has been set is put back when the last step fails */
static void test_halfway(void **state)
{
	(void)state;
	assert_int_equal(remove("dev/block/8:17/trace/enable"), 0);
	check_refused(-ENOENT, "8:17/trace/enable: No such file");
	check_untouched();
	check_text("buffer_size_kb", "1408");
	check_text("dev/block/8:0/trace/enable", "0");
}

/* a device that is gone is no error, a switch that cannot be set is */
static void test_gone(void **state)
{
	struct ftrace *f = make(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	assert_int_equal(remove("dev/block/8:0/trace/enable"), 0);
	assert_int_equal(remove("options/bin"), 0);
	assert_int_equal(mkdir("options/bin", 0755), 0);
	assert_int_equal(ftrace_free(f, why), -EISDIR);
	assert_string_equal(why, "./options/bin: Is a directory");
	check_text("options/context-info", "1");
	check_text("tracing_on", "1");
	assert_int_equal(rmdir("options/bin"), 0);
}

/* after one that was killed the kernel's own settings are there again */
static void test_kill(void **state)
{
	struct ftrace_plan p = plan(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	put("current_tracer", "blk\n");
	put("dev/block/8:17/trace/enable", "1");
	put("options/bin", "1");
	put("trace_clock", "local [mono]\n");
	assert_int_equal(ftrace_kill(&p, why), 0);
	check_text("current_tracer", "nop");
	check_text("dev/block/8:17/trace/enable", "0");
	check_text("options/bin", "0");
	check_text("trace_clock", "local");
}

/* other people's tracer is not ours to stop */
static void test_kill_other(void **state)
{
	struct ftrace_plan p = plan(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	put("current_tracer", "function\n");
	put("options/bin", "1");
	assert_int_equal(ftrace_kill(&p, why), 0);
	check_text("current_tracer", "function\n");
	check_text("options/bin", "1");
}

/* --- the pipe ------------------------------------------------------------- */

struct run {
	struct ftrace *ftrace;
	struct tap *tap;
	struct bytes *pipe;
	char text[2048];	/* what was delivered */
};

static void run_start(struct run *r, bool stamps)
{
	memset(r, 0, sizeof(*r));
	r->ftrace = make(0, 0);
	r->pipe = bytes_new();
	assert_int_equal(ftrace_open(&r->tap, r->ftrace, 0, stamps), 0);
}

static void run_end(struct run *r)
{
	r->tap->ops->close(r->tap);
	free(r->pipe);
	drop(r->ftrace);
}

static void say(struct run *r, const char *fmt, ...)
{
	size_t len = strlen(r->text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->text + len, sizeof(r->text) - len, fmt, args);
	va_end(args);
}

/* "a3" event 3 of device a, "a12:dd" a name, "a@" a stamp, "a!" a message */
static void say_record(struct run *r, unsigned int device,
		       const struct event *ev, const char *payload)
{
	say(r, " %c", 'a' + (int)device);
	if (!event_is_note(ev))
		say(r, "%u", ev->sequence);
	else if (event_number(ev) == BLK_TN_PROCESS)
		say(r, "%u:%s", ev->pid, payload);
	else
		say(r, "%s", event_number(ev) == BLK_TN_MESSAGE ? "!" : "@");
}

static int deliver(void *ctx, unsigned int device, const void *records,
		   size_t len, unsigned int count)
{
	const uint8_t *at = records, *end = at + len;
	char payload[64];
	struct run *r = ctx;
	struct event ev;

	for (; at < end; at += BLK_HEADER_7 + ev.pdu_len, count--) {
		assert_true(end - at >= BLK_HEADER_7);
		memcpy(&ev, at, BLK_HEADER_7);
		assert_int_equal(ev.magic, BLK_MAGIC | 7);
		assert_int_equal(ev.device, both[device]);
		assert_true(ev.pdu_len <= sizeof(payload));
		memcpy(payload, at + BLK_HEADER_7, ev.pdu_len);
		say_record(r, device, &ev, payload);
	}
	assert_ptr_equal(at, end);
	assert_int_equal(count, 0);
	return 0;
}

/* appends what was made to the pipe, and drains it */
static void check_pipe(struct run *r, const char *story)
{
	FILE *f = fopen("per_cpu/cpu0/trace_pipe", "a");

	assert_non_null(f);
	fwrite(r->pipe->data, 1, r->pipe->len, f);
	fclose(f);
	assert_true(r->tap->ops->drain(r->tap, deliver, r) >= 0);
	assert_int_equal(r->tap->ops->drain(r->tap, deliver, r), 0);
	assert_string_equal(r->text, story);
	r->text[0] = '\0';
	r->pipe->len = 0;
}

static void add_event(struct run *r, uint32_t device, uint32_t pid)
{
	add_record(r->pipe, &EVENT(.device = device, .pid = pid, .time = 9,
				   .action = ACT(BLK_TA_QUEUE, CAT(WRITE))));
}

static void add_text(struct run *r, const char *text)
{
	add_bytes(r->pipe, text, strlen(text));
}

/* apart by device, numbered by device, named by device */
static void test_split(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, false);
	add_event(&r, DISK, 12);
	add_event(&r, PART, 7);
	add_event(&r, FOREIGN, 12);
	add_event(&r, DISK, 7);
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1 a7:a name a2 a3 b7:a name b1");
	add_event(&r, PART, 7);
	add_event(&r, PART, 12);
	check_pipe(&r, " b2 b12:dd b3");
	run_end(&r);
}

/* the kernel's messages keep their place and have no number */
static void test_message(void **state)
{
	struct event ev = EVENT(.device = DISK, .pid = 12,
				.action = NOTE(BLK_TN_MESSAGE));
	struct run r;

	(void)state;
	run_start(&r, false);
	add_event(&r, DISK, 12);
	ev = with_payload(ev, "cfq", 3);
	add_record(r.pipe, &ev);
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1 a! a2");
	run_end(&r);
}

/* a hole for what was lost, with the device that speaks next */
static void test_lost(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, false);
	add_event(&r, DISK, 12);
	add_text(&r, "CPU:0 [LOST 6 EVENTS]\n");
	add_event(&r, PART, 12);
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1 a2 b12:dd b7");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 0);
	assert_int_equal(ftrace_lost(r.ftrace, 1), 6);
	/* eight by the kernel's counters, six are told */
	assert_int_equal(ftrace_overrun(r.ftrace, 0), 8);
	add_text(&r, "CPU:0 [LOST EVENTS]\n");
	add_event(&r, DISK, 12);
	check_pipe(&r, " a5");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 2);
	assert_int_equal(ftrace_overrun(r.ftrace, 1), 0);
	run_end(&r);
}

/* text of other people's making is passed over, and what is no text is told */
static void test_noise(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, false);
	add_text(&r, "type: 5\n");
	add_event(&r, DISK, 12);
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	add_text(&r, "CPU:0 hello\ntype: five\nrubbish ");
	add_record(r.pipe, &EVENT(.device = DISK, .cpu = 3));
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1 a2");
	assert_int_equal(ftrace_skipped(r.ftrace), 31 + BLK_HEADER_7);
	run_end(&r);
}

/* a length that no entry has is no record, and nothing waits for its end */
static void test_length(void **state)
{
	struct event ev = EVENT(.device = DISK);
	struct run r;

	(void)state;
	run_start(&r, false);
	ev.pdu_len = 60000;
	add_bytes(r.pipe, &ev, BLK_HEADER_7);
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1");
	run_end(&r);
}

/* whatever a read cuts, in records and remarks, waits for the rest */
static void test_cut(void **state)
{
	struct bytes *all = bytes_new();
	struct run r;

	(void)state;
	run_start(&r, false);
	add_event(&r, DISK, 12);
	add_text(&r, "CPU:0 [LOST 1 EVENTS]\n");
	add_event(&r, DISK, 12);
	*all = *r.pipe;
	for (size_t i = 0; i < all->len; i++) {
		r.pipe->len = 0;
		add_bytes(r.pipe, all->data + i, 1);
		check_pipe(&r, i == BLK_HEADER_7 - 1 ? " a12:dd a1" :
			       i == all->len - 1 ? " a3" : "");
	}
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	free(all);
	run_end(&r);
}

/* more than a batch, and a batch's end in the middle of a record */
static void test_many(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, false);
	for (int i = 0; i < 5000; i++)
		add_event(&r, FOREIGN, 12);
	add_event(&r, DISK, 12);
	check_pipe(&r, " a12:dd a1");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	run_end(&r);
}

/* one CPU tells when tracing began, and nothing before that */
static void test_stamp(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, true);
	add_event(&r, DISK, 12);
	check_pipe(&r, "");
	assert_int_equal(ftrace_start(r.ftrace), 0);
	check_pipe(&r, " a@ a12:dd a1 b@");
	add_event(&r, DISK, 12);
	check_pipe(&r, " a2");
	run_end(&r);
}

/* --- names ---------------------------------------------------------------- */

/* those the list lacks: of /proc, without what a kworker works at, or none */
static void test_names(void **state)
{
	uint32_t me = (uint32_t)getpid();
	char story[80];
	struct run r;

	(void)state;
	run_start(&r, false);
	assert_int_equal(prctl(PR_SET_NAME, "kworker/9:9-x"), 0);
	add_event(&r, DISK, 0);
	add_event(&r, DISK, me);
	add_event(&r, DISK, 1u << 30);
	snprintf(story, sizeof(story),
		 " a0:swapper/0 a1 a%u:kworker/9:9 a2 a%u:<...> a3", me,
		 1u << 30);
	check_pipe(&r, story);
	assert_int_equal(prctl(PR_SET_NAME, "kworker/R-x"), 0);
	add_event(&r, PART, me);
	snprintf(story, sizeof(story), " b%u:kworker/R-x b1", me);
	check_pipe(&r, story);
	run_end(&r);
}

/* a list that says nothing, or too much, is no list; lines may be hostile */
static void test_list(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, false);
	put("saved_cmdlines", "2147483000");
	add_event(&r, DISK, 2147483000);
	check_pipe(&r, " a2147483000:<...> a1");
	put("saved_cmdlines", "2147483001 a name longer than the kernel's\n");
	add_event(&r, DISK, 2147483001);
	check_pipe(&r, " a2147483001:a name longer t a2");
	assert_int_equal(remove("saved_cmdlines"), 0);
	add_event(&r, DISK, 2147483002);
	check_pipe(&r, " a2147483002:<...> a3");
	run_end(&r);
}

#define IN_DIRECTORY(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(test_life),
		IN_DIRECTORY(test_modest),
		IN_DIRECTORY(test_buffers),
		IN_DIRECTORY(test_refused),
		IN_DIRECTORY(test_lock),
		IN_DIRECTORY(test_halfway),
		IN_DIRECTORY(test_gone),
		IN_DIRECTORY(test_kill),
		IN_DIRECTORY(test_kill_other),
		IN_DIRECTORY(test_split),
		IN_DIRECTORY(test_message),
		IN_DIRECTORY(test_lost),
		IN_DIRECTORY(test_noise),
		IN_DIRECTORY(test_length),
		IN_DIRECTORY(test_cut),
		IN_DIRECTORY(test_many),
		IN_DIRECTORY(test_stamp),
		IN_DIRECTORY(test_names),
		IN_DIRECTORY(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
