/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs, devices and lanes, from real files to the lines at their end. */
#include <errno.h>

#include "heard.h"
#include "net.h"
#include "pack/frame.h"
#include "server_reporter.h"
#include "server/runs.h"
#include "server/senders.h"
#include "server/store.h"
#include "unpacked.h"

/* 2009-02-13 23:31:30 UTC */
enum { WHEN = 1234567890, RUN = 7 };
#define FOLDER "192.0.2.1-2009-02-13-23:31:30"

struct rig {
	struct report report;
	int lines;		/* where its lines go */
	struct store *store;
	struct runs *runs;
	void *scratch;
};

static void rig_limits(struct rig *r, uint64_t max_bytes, unsigned int max)
{
	struct store_options o = { "store", max_bytes, 4 };

	assert_int_equal(store_new(&r->store, &o), 0);
	r->runs = runs_new(r->store, &r->report, max);
	assert_non_null(r->runs);
}

static int enter(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	if (!r || scratch_enter(&r->scratch))
		return 1;
	hear(STDERR_FILENO);
	r->lines = open("lines", O_WRONLY | O_CREAT, 0600);
	return report_open(&r->report, r->lines, &server_reporter, false);
}

/* all runs have ended by then */
static int leave(void **state)
{
	struct rig *r = *state;

	assert_int_equal(runs_count(r->runs), 0);
	runs_free(r->runs);
	store_free(r->store);
	report_close(&r->report);
	close(r->lines);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

static struct net_header header(const char *name, uint32_t cpu, uint32_t run)
{
	struct net_header h = { .cpu = cpu, .max_cpus = 2, .run = run };

	snprintf(h.name, sizeof(h.name), "%s", name);
	return h;
}

static const struct peer peer = { "192.0.2.1", WHEN, NULL, "192.0.2.1" };

static const char *try(struct rig *r, const struct net_header *h,
		       struct run_lane **p)
{
	return run_lane_open(r->runs, &peer, h, p);
}

/* a lane of run 7 */
static struct run_lane *open_lane(struct rig *r, const char *name, uint32_t cpu)
{
	struct net_header h = header(name, cpu, RUN);
	struct run_lane *p;

	assert_null(try(r, &h, &p));
	return p;
}

static void write_records(struct run_lane *p, uint32_t n)
{
	struct bytes *b = bytes_new();

	for (uint32_t i = 0; i < n; i++)
		add_simple(b, i);
	assert_int_equal(run_lane_write(p, b->data, b->len), 0);
	free(b);
}

/* so many lines on standard output are these words, spaces apart */
static void check_line(const char *pattern, int times)
{
	char line[256];
	FILE *f = fopen("lines", "r");
	int found = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		found += !fnmatch(pattern, line, 0);
	fclose(f);
	assert_int_equal(found, times);
}

static off_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* --- runs ----------------------------------------------------------------- */

/* two devices and two CPUs; it ends with the last of them, and then tells */
static void test_run(void **state)
{
	struct rig *r = *state;
	struct run_lane *a, *b, *c;

	rig_limits(r, 0, 0);
	a = open_lane(r, "sda", 0);
	b = open_lane(r, "sda", 1);
	c = open_lane(r, "sdb", 0);
	assert_int_equal(runs_count(r->runs), 1);
	assert_string_equal(run_lane_device(a), "sda");
	assert_int_equal(run_lane_cpu(b), 1);
	assert_string_equal(run_lane_device(c), "sdb");
	write_records(a, 5);
	write_records(b, 3);
	run_lane_set_drops(b, 9);
	run_lane_close(a);
	run_lane_close(c);
	check_line("*", 0);
	run_lane_close(b);
	check_line("server: end of run for 192.0.2.1:sda\n", 1);
	check_line("=== sda ===\n", 1);
	check_line("*Total: * 8 events (dropped 9), *\n", 1);
	check_line("=== sdb ===\n", 1);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.0"), 240);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.1"), 144);
	/* a CPU that never came has its file all the same */
	assert_int_equal(size_of("store/" FOLDER "/sdb.blktrace.1"), 0);
	check_heard("*You have 9 ( 52.9%) dropped events\n*");
}

/* sender, address and number make a run: others have their own directory */
static void test_apart(void **state)
{
	static const struct peer other = { "192.0.2.2", WHEN, NULL,
					   "192.0.2.2" };
	/* machines with one identity */
	static const struct peer shared[] = {
		{ "web", WHEN, NULL, "192.0.2.1" },
		{ "web", WHEN, NULL, "192.0.2.2" },
	};
	struct net_header h = header("sda", 0, RUN), second;
	struct rig *r = *state;
	struct run_lane *p[5];

	rig_limits(r, 0, 0);
	second = header("sda", 0, RUN + 1);
	assert_null(try(r, &h, &p[0]));
	assert_null(try(r, &second, &p[1]));
	assert_null(run_lane_open(r->runs, &other, &h, &p[2]));
	assert_null(run_lane_open(r->runs, &shared[0], &h, &p[3]));
	assert_null(run_lane_open(r->runs, &shared[1], &h, &p[4]));
	assert_int_equal(runs_count(r->runs), 5);
	for (int i = 0; i < 5; i++)
		run_lane_close(p[i]);
	assert_int_equal(access("store/" FOLDER "/sda.blktrace.0", F_OK), 0);
	assert_int_equal(access("store/192.0.2.2-2009-02-13-23:31:30", F_OK),
			 0);
	assert_int_equal(access("store/web-2009-02-13-23:31:30-2", F_OK), 0);
	check_heard("");
}

/* two writers of one file would make a trace of neither */
static void test_twice(void **state)
{
	struct net_header h = header("sda", 1, RUN);
	struct run_lane *p, *none = NULL;
	struct rig *r = *state;

	rig_limits(r, 0, 0);
	p = open_lane(r, "sda", 1);
	assert_string_equal(try(r, &h, &none),
			    "already open");
	assert_null(none);
	run_lane_close(p);
	check_heard("");
}

/* no more than max at a time, and a place is free when one has ended */
static void test_limit(void **state)
{
	struct net_header h = header("sda", 0, RUN + 1);
	struct rig *r = *state;
	struct run_lane *p, *q;

	rig_limits(r, 0, 1);
	p = open_lane(r, "sda", 0);
	assert_string_equal(try(r, &h, &q), "too many clients");
	/* the same run may still grow */
	q = open_lane(r, "sda", 1);
	run_lane_close(q);
	run_lane_close(p);
	assert_null(try(r, &h, &p));
	run_lane_close(p);
	check_heard("");
}

/* more files than a run may have: refused, and no run is left of it */
static void test_too_many(void **state)
{
	struct net_header h = header("sda", 0, RUN);
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 0, 0);
	h.max_cpus = RUN_FILES_MAX + 1;
	assert_string_equal(try(r, &h, &p), "too many devices and CPUs");
	assert_int_equal(runs_count(r->runs), 0);
	check_heard("");
	assert_int_equal(access("store/" FOLDER, F_OK), -1);
}

/* a directory and two files are one too many: none of them is made */
static void test_all_or_none(void **state)
{
	const struct sender_limits each = { 0 };
	struct net_header h = header("sda", 0, RUN);
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 0, 0);
	runs_limit(r->runs, 2, &each);
	assert_string_equal(try(r, &h, &p), "--max-files is reached");
	assert_int_equal(access("store/" FOLDER, F_OK), -1);
	runs_limit(r->runs, 3, &each);
	p = open_lane(r, "sda", 0);
	/* which needs no other file */
	run_lane_close(open_lane(r, "sda", 1));
	run_lane_close(p);
	assert_int_equal(access("store/" FOLDER, F_OK), 0);
	check_heard("");
}

/* connections that disagree about the number of CPUs: the largest holds */
static void test_grow(void **state)
{
	struct net_header h = header("sda", 2, RUN);
	struct rig *r = *state;
	struct run_lane *p, *q;

	rig_limits(r, 0, 0);
	p = open_lane(r, "sda", 0);
	h.max_cpus = 4;
	assert_null(try(r, &h, &q));
	write_records(q, 2);
	run_lane_close(q);
	run_lane_close(p);
	check_line("*CPU  2: * 2 events*\n", 1);
	check_line("*CPU  3: * 0 events*\n", 1);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.3"), 0);
	check_heard("");
}

/* so many lines of CPUs are printed for one CPU that has been opened */
static void check_lines(struct rig *r, uint32_t max_cpus, uint32_t cpu,
			int lines)
{
	struct net_header h = header("sda", cpu, RUN);
	struct run_lane *l;

	assert_int_equal(truncate("lines", 0), 0);
	lseek(r->lines, 0, SEEK_SET);
	h.max_cpus = max_cpus;
	assert_null(try(r, &h, &l));
	write_records(l, 3);
	run_lane_close(l);
	check_line("*CPU*", lines);
	check_line("*Total: * 3 events *\n", 1);
}

/* max_cpus is believed as far as a machine may have CPUs that are offline */
static void test_max_cpus(void **state)
{
	struct rig *r = *state;

	rig_limits(r, 0, 0);
	check_lines(r, 80, 79, 80);
	check_lines(r, 81, 79, 1);
	check_line("  CPU 79: * 3 events*", 1);
	check_lines(r, 8192, 0, 1);
	check_heard("server_runs: 192.0.2.1: run 7: no lines for 80 CPUs that"
		    " were not opened\nserver_runs: 192.0.2.1: run 7: no lines"
		    " for 8191 CPUs that were not opened\n");
}

/* a file that cannot be made is told at once; the run is not there either */
static void test_no_dir(void **state)
{
	struct net_header h = header("sda", 0, RUN);
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 0, 0);
	assert_int_equal(rmdir("store"), 0);
	assert_string_equal(try(r, &h, &p), strerror(ENOENT));
	assert_int_equal(runs_count(r->runs), 0);
	check_heard("");
}

/* --- the end of a lane ---------------------------------------------------- */

/* half a record at the end is cut off, and neither counted nor kept */
static void test_half(void **state)
{
	struct bytes *b = bytes_new();
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 0, 0);
	p = open_lane(r, "sda", 0);
	for (uint32_t i = 0; i < 3; i++)
		add_simple(b, i);
	assert_int_equal(run_lane_write(p, b->data, b->len - 20), 0);
	run_lane_close(p);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.0"), 96);
	check_line("*CPU  0: * 2 events,*\n", 1);
	check_heard("server_runs: " FOLDER "/sda.blktrace.0: byte 96: half a"
		    " record at the end, 28 bytes cut off\n");
	free(b);
}

/* what is no trace is kept as it came, and that is said */
static void test_rubbish(void **state)
{
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 0, 0);
	p = open_lane(r, "sda", 0);
	write_records(p, 1);
	assert_int_equal(run_lane_write(p, (const uint8_t *)"rubbish", 7), 0);
	run_lane_close(p);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.0"), 55);
	check_heard("server_runs: " FOLDER "/sda.blktrace.0: no trace records"
		    " from byte 48 on; kept as received\n");
}

/* beyond the quota the writer is told; what is kept is whole records */
static void test_quota(void **state)
{
	struct bytes *b = bytes_new();
	struct rig *r = *state;
	struct run_lane *p;

	rig_limits(r, 100, 0);
	p = open_lane(r, "sda", 0);
	for (uint32_t i = 0; i < 5; i++)
		add_simple(b, i);
	assert_int_equal(run_lane_write(p, b->data, b->len), -EDQUOT);
	run_lane_close(p);
	assert_int_equal(size_of("store/" FOLDER "/sda.blktrace.0"), 96);
	check_line("*CPU  0: * 2 events,*\n", 1);
	check_heard("*: byte 96: half a record at the end, 4 bytes cut off\n");
	free(b);
}

/* --- packed --------------------------------------------------------------- */

/* what the run's file has of a device and CPU */
static void check_packed(const char *file, const char *name, const void *want,
			 size_t len)
{
	struct pack_list l;
	struct bytes *b = unpack_member(file, name, &l);

	assert_non_null(b);
	assert_true(l.indexed);
	assert_int_equal(b->len, len);
	assert_memory_equal(b->data, want, len);
	pack_list_free(&l);
	free(b);
}

/* All is in one file, which counts as one; half a record is cut off, and what is
 * none stays. */
static void test_packed(void **state)
{
	static const uint8_t rubbish[100] = "rubbish";
	static const char file[] = "store/" FOLDER "/blktrace.btz";
	const struct sender_limits none = { .files = 0 };
	struct rig *r = *state;
	struct run_lane *a, *b, *c;
	struct bytes *want = bytes_new();

	rig_limits(r, 0, 0);
	runs_pack(r->runs);
	runs_limit(r->runs, 2, &none);
	a = open_lane(r, "sda", 0);
	b = open_lane(r, "sda", 1);
	c = open_lane(r, "sdb", 0);
	write_records(a, 5);
	assert_int_equal(run_lane_write(a, (const uint8_t *)"\7", 1), 0);
	assert_int_equal(run_lane_write(b, rubbish, sizeof(rubbish)), 0);
	assert_int_equal(run_lane_close(a), 0);
	assert_int_equal(run_lane_close(b), 0);
	assert_int_equal(run_lane_close(c), 0);
	for (uint32_t i = 0; i < 5; i++)
		add_simple(want, i);
	check_packed(file, "sda.blktrace.0", want->data, want->len);
	check_packed(file, "sda.blktrace.1", rubbish, sizeof(rubbish));
	check_packed(file, "sdb.blktrace.1", NULL, 0);
	check_line("*Total: * 5 events (dropped 0), *\n", 1);
	check_heard("*sda.blktrace.0: byte 240: half a record at the end, 1"
		    " bytes cut off\n*sda.blktrace.1: no trace records from"
		    " byte 0 on; kept as received\n");
	free(want);
}

/* What a sender may store is known when it is put. */
static void test_packed_quota(void **state)
{
	const struct sender_limits some = { .bytes = 100 };
	struct sender sender = { .clients = 1 };
	const struct peer limited = { "192.0.2.1", WHEN, &sender,
				      "192.0.2.1" };
	struct net_header h = header("sda", 0, RUN);
	struct rig *r = *state;
	struct run_lane *l;

	rig_limits(r, 0, 0);
	runs_pack(r->runs);
	runs_limit(r->runs, 0, &some);
	assert_null(run_lane_open(r->runs, &limited, &h, &l));
	write_records(l, 100);
	assert_int_equal(sender.bytes, 0);
	assert_int_equal(run_lane_close(l), -EDQUOT);
	assert_int_equal(sender.bytes, 0);
	check_heard("*192.0.2.1: run 7: its packed file has no end:"
		    " Disk quota exceeded\n");
}

#define RUN_IN_RIG(f) cmocka_unit_test_setup_teardown(f, enter, leave)

/* skipped without libzstd */
static void not_built(void **state)
{
	rig_limits(*state, 0, 0);
	check_heard("");
	skip();
}

#define RUN_PACKED(f) { #f, frame_built() ? f : not_built, enter, leave, NULL }

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_IN_RIG(test_run),
		RUN_IN_RIG(test_apart),
		RUN_IN_RIG(test_twice),
		RUN_IN_RIG(test_limit),
		RUN_IN_RIG(test_too_many),
		RUN_IN_RIG(test_all_or_none),
		RUN_IN_RIG(test_grow),
		RUN_IN_RIG(test_max_cpus),
		RUN_IN_RIG(test_no_dir),
		RUN_IN_RIG(test_half),
		RUN_IN_RIG(test_rubbish),
		RUN_IN_RIG(test_quota),
		RUN_PACKED(test_packed),
		RUN_PACKED(test_packed_quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
