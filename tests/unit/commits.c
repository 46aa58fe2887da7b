/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of commit/: scripted calls, each with the parts that it must have, and a
 * simulated journal, which knows what every call has waited for.
 *
 * A script has lines "PROCESS FROM-TO WHAT...", in us:
 *
 *	call		a call of the process; the last line
 *	write, flush, kflush, read	an I/O; kflush is the kernel's request
 *	M S F U		categories META, SYNC, FLUSH, FUA
 *	pre=N post=N	us of its flush before and after
 *	at=SECTOR bytes=N	(0, 4096)
 *	on=DEVICE	(1)
 *	lost		its events may be another's
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blktrace.h"
#include "commit/commit_sums.h"
#include "commit/commits.h"
#include "record/record.h"
#include "request/io.h"

enum { PROCESSES = 64, IOS = 64, US = 1000, EXTERNAL = 1 };

/* --- processes ------------------------------------------------------------ */

struct world {
	char names[PROCESSES][32];
	unsigned int count;
	struct commit got;	/* the latest */
	unsigned int taken;
};

/* ids are numbers from 100 on */
static uint32_t pid_of(struct world *w, const char *name)
{
	for (unsigned int i = 0; i < w->count; i++)
		if (!strcmp(w->names[i], name))
			return 100 + i;
	assert_true(w->count < PROCESSES);
	snprintf(w->names[w->count], sizeof(w->names[0]), "%s", name);
	return 100 + w->count++;
}

static const char *name_of(const void *ctx, uint16_t origin, uint32_t pid)
{
	const struct world *w = ctx;

	(void)origin;
	return pid >= 100 && pid - 100 < w->count ? w->names[pid - 100] : NULL;
}

static int take(void *ctx, const struct commit *c)
{
	struct world *w = ctx;

	w->got = *c;
	w->taken++;
	return 0;
}

static struct commits *commits_of(struct world *w)
{
	const struct commits_options o = { name_of, w, take, w };
	struct commits *c;

	assert_int_equal(commits_new(&c, &o), 0);
	return c;
}

static void tell(struct commits *c, uint64_t time, uint32_t pid,
		 uint32_t device, const char *text)
{
	const struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7, .version = 7,
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_MESSAGE,
		.time = time, .pid = pid, .device = device,
		.payload = (const uint8_t *)text,
		.pdu_len = (uint16_t)strlen(text),
	};

	assert_int_equal(commits_message(c, &ev), 0);
}

static void call(struct commits *c, uint64_t from, uint64_t to, uint32_t pid,
		 uint32_t device)
{
	char text[SYNC_CALL_TEXT];

	sync_call_text(text, &(struct sync_call){
		SYNC_CALL_FSYNC, to - from, pid, 7 });
	tell(c, to, pid, device, text);
}

/* --- scripts -------------------------------------------------------------- */

static struct io blank(uint64_t from, uint64_t to)
{
	return (struct io){
		.kind = IO_BIO, .op = IO_WRITE, .ended = IO_ENDED_C,
		.sure = true, .time = from, .total = to - from,
		.bytes = 4096, .device = 1, .issued = IO_NONE,
		.categories = BLK_TC_BIT(BLK_TC_WRITE),
	};
}

static void put_phase(struct io *io, enum io_phase phase, uint64_t ns)
{
	io->has |= 1u << phase;
	io->phase[phase] = ns;
}

static void put_what(struct io *io, const char *what)
{
	static const struct {
		const char *word;
		enum blk_category category;
	} letters[] = {
		{ "M", BLK_TC_META }, { "S", BLK_TC_SYNC },
		{ "F", BLK_TC_FLUSH }, { "U", BLK_TC_FUA },
	};
	unsigned long n;

	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (!strcmp(what, letters[i].word))
			io->categories |= BLK_TC_BIT(letters[i].category);
	if (sscanf(what, "pre=%lu", &n) == 1)
		put_phase(io, IO_PREFLUSH, n * US);
	if (sscanf(what, "post=%lu", &n) == 1)
		put_phase(io, IO_POSTFLUSH, n * US);
	if (sscanf(what, "at=%lu", &n) == 1)
		io->sector = n;
	if (sscanf(what, "bytes=%lu", &n) == 1)
		io->bytes = n;
	if (sscanf(what, "on=%lu", &n) == 1)
		io->device = (uint32_t)n;
	if (!strcmp(what, "lost"))
		io->sure = false;
	if (!strcmp(what, "read"))
		io->op = IO_READ;
	if (!strcmp(what, "flush") || !strcmp(what, "kflush")) {
		io->op = IO_FLUSH_OP;
		io->bytes = 0;
		io->categories = BLK_TC_BIT(BLK_TC_FLUSH);
	}
	if (!strcmp(what, "kflush")) {
		io->kind = IO_FLUSH;
		io->issued = io->time;
	}
}

static void run_line(struct world *w, struct commits *c, char *line)
{
	char *rest, *name = strtok_r(line, " ", &rest), *what;
	char *span = strtok_r(NULL, " ", &rest);
	unsigned long from, to;
	uint32_t pid = pid_of(w, name);
	struct io io;

	assert_non_null(span);
	assert_int_equal(sscanf(span, "%lu-%lu", &from, &to), 2);
	io = blank(from * US, to * US);
	io.pid = pid;
	while ((what = strtok_r(NULL, " ", &rest))) {
		if (!strcmp(what, "call")) {
			call(c, from * US, to * US, pid, 1);
			return;
		}
		put_what(&io, what);
	}
	assert_int_equal(commits_io(c, &io), 0);
}

static void run_script(struct world *w, const char *script)
{
	struct commits *c = commits_of(w);
	char *text = strdup(script), *rest, *line;

	assert_non_null(text);
	for (line = strtok_r(text, ";", &rest); line;
	     line = strtok_r(NULL, ";", &rest))
		run_line(w, c, line + strspn(line, " "));
	assert_int_equal(commits_end(c), 0);
	commits_free(c);
	free(text);
}

struct script {
	const char *what, *lines;
	uint64_t parts[COMMIT_PARTS];	/* us */
	const char *other;	/* who had the other commit, or NULL */
	uint64_t other_blocks;
};

#define PARTS(data, journal, flush, other, back, idle) \
	{ data, journal, flush, other, back, idle }

static const struct script scripts[] = {
	/* one writer */
	{ "nothing to do", "db 10-12 call", PARTS(0, 0, 0, 0, 0, 2), NULL, 0 },
	{ "own data only", "db 1-5 write S; db 0-6 call",
	  PARTS(4, 0, 0, 0, 0, 2), NULL, 0 },
	{ "two writes after each other",
	  "db 1-5 write S; db 7-9 write S; db 0-10 call",
	  PARTS(6, 0, 0, 0, 0, 4), NULL, 0 },
	{ "two writes at a time",
	  "db 1-5 write S; db 2-9 write S; db 0-10 call",
	  PARTS(8, 0, 0, 0, 0, 2), NULL, 0 },
	{ "a write from before the call", "db 1-8 write S; db 5-10 call",
	  PARTS(3, 0, 0, 0, 0, 2), NULL, 0 },
	{ "a write that ends after the call is not waited for",
	  "db 5-10 call; db 7-12 write S",
	  PARTS(0, 0, 0, 0, 0, 5), NULL, 0 },
	{ "a flush of the caller", "db 1-5 write S; db 5-9 flush; db 0-10 call",
	  PARTS(4, 0, 4, 0, 0, 2), NULL, 0 },
	{ "a write with FUA", "db 1-5 write S U; db 0-6 call",
	  PARTS(4, 0, 0, 0, 0, 2), NULL, 0 },
	{ "a write with FUA of a device that has none",
	  "db 1-9 write S U post=3; db 0-10 call",
	  PARTS(5, 0, 3, 0, 0, 2), NULL, 0 },
	{ "a write with a flush before",
	  "db 1-9 write S F U pre=5; db 0-10 call",
	  PARTS(3, 0, 5, 0, 0, 2), NULL, 0 },
	{ "a write with flushes before and after",
	  "db 1-9 write S F U pre=2 post=3; db 0-10 call",
	  PARTS(3, 0, 5, 0, 0, 2), NULL, 0 },
	{ "a read of metadata", "db 1-4 read M; db 0-5 call",
	  PARTS(3, 0, 0, 0, 0, 2), NULL, 0 },
	{ "a read is none of its waits", "db 1-4 read; db 0-5 call",
	  PARTS(0, 0, 0, 0, 0, 5), NULL, 0 },
	{ "data on another device of the filesystem",
	  "db 1-5 write S on=2; db 0-6 call",
	  PARTS(4, 0, 0, 0, 0, 2), NULL, 0 },

	/* ext4 */
	{ "data, then a journal commit",
	  "db 1-5 write S; jbd2/sda1-8 6-9 write S bytes=8192;"
	  "jbd2/sda1-8 10-20 write S F U pre=6; db 0-21 call",
	  PARTS(4, 7, 6, 0, 0, 4), NULL, 0 },
	{ "a journal commit without flags: the device has no cache",
	  "db 1-5 write S; jbd2/sda1-8 6-9 write S bytes=8192;"
	  "jbd2/sda1-8 10-20 write S at=16; db 0-21 call",
	  PARTS(4, 13, 0, 0, 0, 4), NULL, 0 },
	{ "a journal commit, then a flush of the caller",
	  "db 1-5 write S; jbd2/sda1-8 6-9 write S at=0 bytes=8192;"
	  "jbd2/sda1-8 10-20 write S at=16; db 21-29 flush; db 0-30 call",
	  PARTS(4, 13, 8, 0, 0, 5), NULL, 0 },
	{ "another commit before its own",
	  "jbd2/sda1-8 2-8 write S bytes=8192; db 1-5 write S;"
	  "jbd2/sda1-8 8-20 write S F U; jbd2/sda1-8 22-25 write S bytes=8192;"
	  "jbd2/sda1-8 25-30 write S F U pre=3; db 0-31 call",
	  /* 5 to 20 the other one */
	  PARTS(4, 5, 3, 15, 0, 4), "jbd2/sda1-8", 3 },
	{ "a commit under way has what the call needs",
	  "jbd2/sda1-8 2-8 write S bytes=8192; db 4-5 write S;"
	  "jbd2/sda1-8 8-20 write S F U pre=10; db 3-21 call",
	  PARTS(1, 6, 10, 0, 0, 1), NULL, 0 },
	{ "a long journal commit",
	  "jbd2/sda1-8 2-500 write S bytes=1048576;"
	  "jbd2/sda1-8 500-900 write S F U pre=390;"
	  "jbd2/sda1-8 905-910 write S bytes=8192;"
	  "jbd2/sda1-8 911-950 write S F U pre=30; db 100-951 call",
	  PARTS(0, 14, 30, 800, 0, 7), "jbd2/sda1-8", 257 },
	{ "a commit that ended before the call",
	  "jbd2/sda1-8 2-4 write S bytes=8192; jbd2/sda1-8 4-9 write S F U;"
	  "db 10-12 call", PARTS(0, 0, 0, 0, 0, 2), NULL, 0 },
	{ "a commit that begins later", "db 1-5 write S; db 0-6 call;"
	  "jbd2/sda1-8 7-9 write S F U", PARTS(4, 0, 0, 0, 0, 2), NULL, 0 },
	{ "the next commit begins while the call returns",
	  "jbd2/sda1-8 1-5 write S F U; jbd2/sda1-8 5-6 write S bytes=8192;"
	  "db 0-7 call", PARTS(0, 4, 0, 0, 0, 3), NULL, 0 },
	{ "the commit of another filesystem",
	  "db 1-5 write S; jbd2/sdb1-8 6-9 write S F U on=2; db 0-10 call",
	  PARTS(4, 0, 0, 0, 0, 6), NULL, 0 },
	{ "a commit with idle time in it",
	  "jbd2/sda1-8 2-4 write S bytes=8192; jbd2/sda1-8 8-9 write S F U;"
	  "db 0-10 call", PARTS(0, 3, 0, 0, 0, 7), NULL, 0 },
	{ "data while a commit runs", "jbd2/sda1-8 2-9 write S F U;"
	  "db 3-12 write S; db 1-13 call", PARTS(9, 1, 0, 0, 0, 2), NULL, 0 },
	{ "three commits: the last one served",
	  "jbd2/sda1-8 1-10 write S F U; jbd2/sda1-8 10-20 write S F U;"
	  "jbd2/sda1-8 20-30 write S F U; db 5-30 call",
	  PARTS(0, 10, 0, 15, 0, 0), "jbd2/sda1-8", 2 },
	{ "a checkpoint is no commit",
	  "kworker/0:1 1-5 write M; db 0-6 call",
	  PARTS(0, 0, 0, 0, 4, 2), NULL, 0 },

	/* flushes */
	{ "a flush already under way",
	  "kworker/0:1H 0-8 kflush; kworker/0:1H 8-14 kflush;"
	  "db 4-14 flush; db 3-15 call",
	  PARTS(0, 0, 6, 4, 0, 2), NULL, 0 },
	{ "a flush under way before a commit's flush",
	  "jbd2/sda1-8 1-4 write S bytes=8192; fio 0-9 kflush;"
	  "kworker/0:1H 9-14 kflush; jbd2/sda1-8 4-16 write S F U pre=10;"
	  "db 1-17 call",
	  PARTS(0, 5, 5, 5, 0, 1), NULL, 0 },
	{ "its own flush request blocks nothing",
	  "kworker/0:1H 5-14 kflush; db 4-14 flush; db 3-15 call",
	  PARTS(0, 0, 10, 0, 0, 2), NULL, 0 },
	{ "a flush of another device",
	  "kworker/0:1H 0-8 kflush on=2; db 4-14 flush; db 3-15 call",
	  PARTS(0, 0, 10, 0, 0, 2), NULL, 0 },
	{ "another process's flush is not waited for",
	  "pg 2-9 flush; db 0-10 call", PARTS(0, 0, 0, 0, 0, 10), NULL, 0 },

	/* two writers */
	{ "the other writer's data are none of its waits",
	  "pg 1-9 write S; db 2-4 write S; db 0-10 call",
	  PARTS(2, 0, 0, 0, 0, 8), NULL, 0 },
	{ "both are served by one commit",
	  "pg 1-2 write S; db 1-3 write S; jbd2/sda1-8 4-6 write S bytes=8192;"
	  "jbd2/sda1-8 6-9 write S F U; pg 0-10 call; db 0-11 call",
	  PARTS(2, 5, 0, 0, 0, 4), NULL, 0 },
	{ "the first one's commit, then the second one's",
	  "jbd2/sda1-8 1-5 write S F U; pg 0-6 call; db 2-4 write S;"
	  "jbd2/sda1-8 6-9 write S F U; db 1-10 call",
	  PARTS(2, 3, 0, 2, 0, 2), "jbd2/sda1-8", 1 },

	/* XFS */
	{ "a log write of a worker", "db 1-4 write S;"
	  "kworker/u4:2 5-9 write M S F U pre=3; db 0-10 call",
	  PARTS(3, 1, 3, 0, 0, 3), NULL, 0 },
	{ "a log write of the caller", "db 1-4 write S;"
	  "db 5-9 write M S F U pre=3; db 0-10 call",
	  PARTS(3, 1, 3, 0, 0, 3), NULL, 0 },
	{ "a log write of another process serves it",
	  "db 1-4 write S; pg 5-9 write M S F U pre=3; db 0-10 call",
	  PARTS(3, 1, 3, 0, 0, 3), NULL, 0 },
	{ "another's log write, then its own",
	  "pg 1-5 write M S F U; db 6-9 write M S F U; db 0-10 call",
	  PARTS(0, 3, 0, 4, 0, 3), "pg", 1 },
	{ "another's log write, then a worker's for it",
	  "pg 1-5 write M S F U; kworker/u4:2 6-9 write M S F U;"
	  "db 0-10 call", PARTS(0, 3, 0, 4, 0, 3), "pg", 1 },
	{ "inodes that xfsaild writes are no commit",
	  "xfsaild/sda1 1-5 write M S; db 0-6 call",
	  PARTS(0, 0, 0, 0, 4, 2), NULL, 0 },
	{ "log writes at a time: the last one serves",
	  "pg 1-6 write M S F U; kworker/u4:2 2-8 write M S F U;"
	  "db 0-9 call", PARTS(0, 6, 0, 1, 0, 2), "pg", 1 },

	/* btrfs */
	{ "a log tree: data, tree, superblock",
	  "db 1-4 write S; db 4-6 write M S; db 6-9 flush;"
	  "db 9-12 write M S U; db 0-13 call",
	  PARTS(3, 5, 3, 0, 0, 2), NULL, 0 },
	{ "another's log tree, with its flush",
	  "pg 1-3 write M S; pg 4-14 flush; pg 15-18 write M S U;"
	  "db 18-20 write M S; db 20-29 flush; db 29-31 write M S U;"
	  "db 0-32 call", PARTS(0, 4, 9, 17, 0, 2), "pg", 2 },
	{ "another's log tree serves it",
	  "pg 1-3 write M S; pg 4-14 flush; pg 15-18 write M S U;"
	  "db 0-20 call", PARTS(0, 5, 10, 0, 0, 5), NULL, 0 },
	{ "data by a worker", "kworker/u4:1 1-4 write S; db 4-6 write M S;"
	  "db 6-9 write M S U; db 0-10 call",
	  PARTS(0, 5, 0, 0, 3, 2), NULL, 0 },
	{ "a transaction's commit",
	  "btrfs-transacti 1-4 write M S; btrfs-transacti 4-8 write M S U pre=2;"
	  "db 0-9 call", PARTS(0, 5, 2, 0, 0, 2), NULL, 0 },
	{ "its data, with flags, are the transaction's",
	  "btrfs-transacti 1-4 write; btrfs-transacti 4-8 write S U;"
	  "db 0-9 call", PARTS(0, 7, 0, 0, 0, 2), NULL, 0 },

	/* others */
	{ "writeback under way", "kworker/u4:1 1-8 write; db 4-10 call",
	  PARTS(0, 0, 0, 0, 4, 2), NULL, 0 },
	{ "writeback, and own data", "kworker/u4:1 1-8 write;"
	  "db 5-9 write S; db 4-10 call", PARTS(4, 0, 0, 0, 1, 1), NULL, 0 },
	{ "an I/O of an unknown process", "? 2-5 write S; db 0-6 call",
	  PARTS(0, 0, 0, 0, 0, 6), NULL, 0 },
	{ "a completion at the call's very end", "db 1-6 write S; db 0-6 call",
	  PARTS(5, 0, 0, 0, 0, 1), NULL, 0 },
	{ "a call without time", "db 1-6 write S; db 5-5 call",
	  PARTS(0, 0, 0, 0, 0, 0), NULL, 0 },
};

static void check_script(const struct script *s)
{
	struct world w = { .count = 0 };
	uint64_t sum = 0;

	run_script(&w, s->lines);
	assert_int_equal(w.got.kind, COMMIT_CALL);
	for (int i = 0; i < COMMIT_PARTS; i++) {
		if (w.got.parts[i] != s->parts[i] * US)
			fail_msg("%s: %s %llu ns, not %llu us", s->what,
				 commit_part_name((enum commit_part)i),
				 (unsigned long long)w.got.parts[i],
				 (unsigned long long)s->parts[i]);
		sum += w.got.parts[i];
	}
	assert_int_equal(sum, w.got.duration);
	if (w.got.other_bytes != s->other_blocks * 4096)
		fail_msg("%s: %llu other bytes", s->what,
			 (unsigned long long)w.got.other_bytes);
	if (s->other)
		assert_string_equal(name_of(&w, 0, w.got.other), s->other);
	else
		assert_int_equal(w.got.other, 0);
}

static void test_scripts(void **state)
{
	(void)state;
	assert_true(sizeof(scripts) / sizeof(*scripts) >= 50);
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		check_script(&scripts[i]);
}

static void test_unsure(void **state)
{
	struct world w = { .count = 0 };

	(void)state;
	run_script(&w, "db 1-5 write S lost; db 0-6 call");
	assert_true(w.got.unsure);
	run_script(&w, "db 1-5 write S lost; db 6-9 call");
	assert_false(w.got.unsure);
	run_script(&w, "db 1-5 flush lost; db 0-6 call");
	assert_false(w.got.unsure);
}

static void test_uring(void **state)
{
	struct world w = { .count = 0 };
	char script[128];

	(void)state;
	snprintf(script, sizeof(script), "iou-wrk-%u 2-5 write S; db 0-6 call",
		 pid_of(&w, "db"));
	run_script(&w, script);
	assert_int_equal(w.got.parts[COMMIT_DATA], 3 * US);
}

/* --- without calls -------------------------------------------------------- */

static void test_uncalled(void **state)
{
	struct world w = { .count = 0 };

	(void)state;
	run_script(&w, "jbd2/sda1-8 2-5 write S bytes=8192");
	assert_int_equal(w.taken, 0);
	run_script(&w, "jbd2/sda1-8 2-5 write S bytes=8192;"
		   "jbd2/sda1-8 6-20 write S F U pre=8 post=2");
	assert_int_equal(w.taken, 1);
	assert_int_equal(w.got.kind, COMMIT_OF_JOURNAL);
	assert_int_equal(w.got.duration, 18 * US);
	assert_int_equal(w.got.parts[COMMIT_JOURNAL], 7 * US);
	assert_int_equal(w.got.parts[COMMIT_FLUSH], 10 * US);
	assert_int_equal(w.got.parts[COMMIT_IDLE], 1 * US);
	run_script(&w, "db 2-9 write S U post=3; db 10-12 write S");
	assert_int_equal(w.taken, 2);
	assert_int_equal(w.got.kind, COMMIT_OF_FLUSH);
	assert_int_equal(w.got.parts[COMMIT_DATA], 4 * US);
	assert_int_equal(w.got.parts[COMMIT_FLUSH], 3 * US);
}

/* --- a simulated journal -------------------------------------------------- */

enum { WRITERS = 8, ROUNDS = 400, RUNS = 20 };

static uint64_t seed;

static uint64_t chance(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* what ends when, to be told in that order */
struct told {
	uint64_t end;
	bool is_call;
	struct io io;
	uint64_t from;
	uint32_t pid;
	uint64_t parts[COMMIT_PARTS];
};

struct journal {
	struct world world;
	struct told list[WRITERS * ROUNDS * 8];
	size_t count;
	uint64_t free;		/* when the commit under way has ended */
	uint64_t begun;		/* and began; both 0: none yet */
	uint32_t thread;
};

static struct told *told(struct journal *j, uint64_t from, uint64_t to,
			 uint32_t pid)
{
	struct told *t = &j->list[j->count++];

	assert_true(j->count < sizeof(j->list) / sizeof(*j->list));
	*t = (struct told){ .end = to, .from = from, .pid = pid,
			    .io = blank(from, to) };
	t->io.pid = pid;
	return t;
}

/* a commit from then on; when it ends, and what its parts are from `since` */
static uint64_t commit_from(struct journal *j, uint64_t start,
			    uint64_t parts[COMMIT_PARTS])
{
	uint64_t blocks = start + 1 + chance(5000), wait = chance(300);
	uint64_t flush = 1 + chance(9000), write = 1 + chance(2000);
	uint64_t record = blocks + wait, end = record + flush + write;
	struct told *t = told(j, start, blocks, j->thread);

	t->io.bytes = 4096 * (2 + chance(100));
	t = told(j, record, end, j->thread);
	t->io.categories |= BLK_TC_BIT(BLK_TC_FLUSH) | BLK_TC_BIT(BLK_TC_FUA);
	put_phase(&t->io, IO_PREFLUSH, flush);
	parts[COMMIT_JOURNAL] += blocks - start + write;
	parts[COMMIT_FLUSH] += flush;
	parts[COMMIT_IDLE] += wait;
	j->begun = start;
	j->free = end;
	return end;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * A writer's fsync: own data, maybe the end of a commit under way, its own.  No
 * trace shows whether it has waited for that commit before its data, too: it
 * counts as if it had.
 */
static uint64_t sync_once(struct journal *j, uint64_t now, uint32_t pid)
{
	uint64_t think = chance(200), data = now + think + chance(4000);
	uint64_t wake = chance(100), start = data, end;
	uint64_t parts[COMMIT_PARTS] = { [COMMIT_DATA] = data - now - think,
					 [COMMIT_IDLE] = think + wake };
	struct told *t;

	if (j->free > now) {
		uint64_t before = smaller(j->free, now + think) - now;

		parts[COMMIT_OTHER] += before;
		parts[COMMIT_IDLE] -= before;
	}
	if (data > now + think)
		told(j, now + think, data, pid);
	if (j->free > start) {
		uint64_t seen = j->begun > start ? j->begun : start;

		parts[COMMIT_OTHER] += j->free - seen;
		parts[COMMIT_IDLE] += seen - start;
		start = j->free;
	}
	end = commit_from(j, start, parts) + wake;
	t = told(j, now, end, pid);
	t->is_call = true;
	memcpy(t->parts, parts, sizeof(parts));
	return end;
}

static int by_end(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (int)x->is_call - (int)y->is_call;
}

static void check_told(struct journal *j, struct commits *c,
		       const struct told *t)
{
	unsigned int taken = j->world.taken;

	if (!t->is_call) {
		assert_int_equal(commits_io(c, &t->io), 0);
		return;
	}
	call(c, t->from, t->end, t->pid, 1);
	assert_int_equal(commits_until(c, t->end), 0);
	assert_int_equal(j->world.taken, taken + 1);
	assert_memory_equal(j->world.got.parts, t->parts, sizeof(t->parts));
}

/* Writers take turns, so that a call that starts while a commit of another one is
 * under way waits for its end. */
static void test_simulated(void **state)
{
	struct journal *j = calloc(1, sizeof(*j));

	(void)state;
	assert_non_null(j);
	for (seed = 1; seed <= RUNS; seed++) {
		uint64_t kept = seed, now = US;
		struct commits *c;

		memset(j, 0, sizeof(*j));
		j->thread = pid_of(&j->world, "jbd2/sda1-8");
		for (int i = 0; i < ROUNDS; i++) {
			char name[16];
			uint64_t end;

			snprintf(name, sizeof(name), "db%d", i % WRITERS);
			end = sync_once(j, now, pid_of(&j->world, name));
			/* the next one maybe begins before this one ends */
			now = chance(2) ? end + chance(3000) :
					  j->begun + chance(j->free - j->begun);
			if (now < j->begun)
				now = j->begun;
		}
		qsort(j->list, j->count, sizeof(*j->list), by_end);
		c = commits_of(&j->world);
		for (size_t i = 0; i < j->count; i++)
			check_told(j, c, &j->list[i]);
		commits_free(c);
		seed = kept;
	}
	free(j);
}

/* --- names and sums ------------------------------------------------------- */

static void test_paths(void **state)
{
	struct world w = { .count = 0 };
	struct commits *c = commits_of(&w);

	(void)state;
	assert_false(commits_has_calls(c));
	tell(c, 1, 0, 1, "iotracer: file 7: /wal/0001");
	assert_string_equal(commits_path(c, 0, 7), "/wal/0001");
	tell(c, 2, 0, 1, "iotracer: file 7: /wal/0002");
	assert_string_equal(commits_path(c, 0, 7), "/wal/0002");
	assert_null(commits_path(c, 0, 8));
	assert_null(commits_path(c, 1, 7));
	assert_true(commits_has_calls(c));
	tell(c, 3, 5, 1, "iotracer: fsync of file 7 by 5: 2 ns");
	/* a call from before the trace begins with it */
	tell(c, 4, 5, 1, "iotracer: fsync of file 7 by 5: 9000 ns");
	assert_int_equal(commits_end(c), 0);
	assert_int_equal(w.got.duration, 4);
	assert_true(w.got.unsure);
	commits_free(c);
}

static void test_sums(void **state)
{
	struct commit_sums *s = calloc(1, sizeof(*s));
	struct commit c = { .kind = COMMIT_CALL };
	char file[32];

	(void)state;
	assert_non_null(s);
	for (unsigned int i = 1; i <= 3 * COMMIT_ROWS; i++) {
		snprintf(file, sizeof(file), "f%u", i);
		c.duration = i;
		c.parts[COMMIT_FLUSH] = i;
		assert_int_equal(commit_sums_add(s, &c, &(struct commit_names){
			file, "db", NULL }), 0);
	}
	commit_sums_sort(s);
	assert_int_equal(s->files.count, COMMIT_ROWS);
	assert_string_equal(s->files.rows[0].name, "(other)");
	assert_int_equal(s->processes.count, 1);
	assert_int_equal(s->all.count, 3 * COMMIT_ROWS);
	assert_int_equal(s->all.parts[COMMIT_FLUSH], s->all.time);
	assert_int_equal(s->slow_count, COMMIT_SLOWEST);
	for (unsigned int i = 0; i < COMMIT_SLOWEST; i++)
		assert_int_equal(s->slowest[i].is.duration,
				 3 * COMMIT_ROWS - i);
	commit_sums_free(s);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_unsure),
		cmocka_unit_test(test_uring),
		cmocka_unit_test(test_uncalled),
		cmocka_unit_test(test_simulated),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
