/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that no kernel writes, so many that work which grows with what is
 * open would be seen.
 *
 *	hostile PATTERN COUNT
 *	hostile --list
 *
 * prints how many events there were, ns of CPU time for each, and the most
 * memory in KiB.  The pattern "ordinary" is what others are compared with.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/msg.h"
#include "blktrace.h"
#include "record/record.h"
#include "request/joiner.h"
#include "run/device.h"
#include "tests/requests/dice.h"

enum {
	DISK = 8 << 20,
	ABOVE = 253 << 20,
	PID = 100,
	SIZE = 4096,		/* bytes of an io */
	SECTORS = SIZE / 512,
	DEPTH = 32,		/* of the ordinary */
	STEP = 1000		/* ns between events */
};

#define FS BLK_TC_ACT(BLK_TC_FS)
#define PC BLK_TC_ACT(BLK_TC_PC)
#define WRITE BLK_TC_ACT(BLK_TC_WRITE)
#define READ BLK_TC_ACT(BLK_TC_READ)
#define FLUSH BLK_TC_ACT(BLK_TC_FLUSH)
#define DISCARD (WRITE | BLK_TC_ACT(BLK_TC_DISCARD))

/* what gets the events */
struct sink {
	struct joiner *joiner;
	struct device device;
	struct lane lane;
	uint64_t events, records;
	struct event ev;	/* the next, but for what a pattern sets */
};

static void put(struct sink *s, uint32_t action)
{
	const struct io *io;

	s->ev.action = action;
	s->ev.time += STEP;
	joiner_event(s->joiner, &s->ev);
	s->events++;
	while (joiner_next(s->joiner, &io))
		s->records++;
}

static void at(struct sink *s, uint32_t action, uint64_t sector)
{
	s->ev.sector = sector;
	put(s, action);
}

static void big_endian(uint8_t *to, uint64_t n, int bytes)
{
	for (int i = bytes; i-- > 0; n >>= 8)
		to[i] = (uint8_t)n;
}

/* a payload of one number (0 bytes: none), or a remap's */
static void put_number(struct sink *s, uint32_t action, uint64_t n)
{
	uint8_t payload[8];

	big_endian(payload, n, 8);
	s->ev.payload = payload;
	s->ev.pdu_len = sizeof(payload);
	put(s, action);
	s->ev.pdu_len = 0;
}

static void put_remap(struct sink *s, uint64_t from)
{
	uint8_t payload[16];

	big_endian(payload, ABOVE, 4);
	big_endian(payload + 4, DISK, 4);
	big_endian(payload + 8, from, 8);
	s->ev.payload = payload;
	s->ev.pdu_len = sizeof(payload);
	put(s, BLK_TA_REMAP | READ);
	s->ev.pdu_len = 0;
}

static void get_issue(struct sink *s, uint32_t way)
{
	put(s, BLK_TA_GETRQ | way);
	put(s, BLK_TA_INSERT | FS | way);
	put(s, BLK_TA_ISSUE | FS | way);
}

/* --- what happens on a busy disk ----------------------------------------- */

static void ordinary(struct sink *s, uint64_t count)
{
	uint64_t at_work[DEPTH] = { 0 };
	struct dice d = { 1 };

	for (uint64_t i = 0; i < count + DEPTH; i++) {
		uint64_t *slot = &at_work[i % DEPTH];

		if (i >= DEPTH)
			at(s, BLK_TA_COMPLETE | FS | READ, *slot);
		if (i >= count)
			continue;
		*slot = dice_below(&d, 1 << 24) * SECTORS;
		at(s, BLK_TA_QUEUE | READ, *slot);
		get_issue(s, READ);
	}
}

/* --- one place ----------------------------------------------------------- */

static void many(struct sink *s, uint32_t action, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		put(s, action);
}

/* all at one sector; each step for all, before the next */
static void one_sector(struct sink *s, uint64_t count)
{
	many(s, BLK_TA_QUEUE | READ, count);
	many(s, BLK_TA_GETRQ | READ, count);
	many(s, BLK_TA_INSERT | FS | READ, count);
	many(s, BLK_TA_ISSUE | FS | READ, count);
	many(s, BLK_TA_COMPLETE | FS | READ, count);
}

/* another process goes on with them */
static void one_sector_others(struct sink *s, uint64_t count)
{
	many(s, BLK_TA_QUEUE | READ, count);
	s->ev.pid++;
	many(s, BLK_TA_GETRQ | READ, count);
	s->ev.pid++;
	many(s, BLK_TA_ISSUE | FS | READ, count);
	s->ev.cpu++;
	many(s, BLK_TA_COMPLETE | FS | READ, count);
}

/* nothing there has the size that is looked for */
static void one_sector_misses(struct sink *s, uint64_t count)
{
	many(s, BLK_TA_QUEUE | READ, count);
	s->ev.bytes /= 2;
	many(s, BLK_TA_GETRQ | READ, count);
	s->ev.bytes = 3 * SIZE;
	many(s, BLK_TA_COMPLETE | FS | READ, count);
}

/* each is doubtful when the next comes */
static void one_sector_doubts(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		put(s, BLK_TA_QUEUE | READ);
		get_issue(s, READ);
		joiner_gap(s->joiner, 0, DISK, i % 2);
	}
	many(s, BLK_TA_COMPLETE | FS | READ, count);
}

/* --- keys ---------------------------------------------------------------- */

static void keys(struct sink *s, uint64_t count, int shift)
{
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_QUEUE | READ, i << shift);
	for (uint64_t i = 0; i < count; i++) {
		s->ev.sector = i << shift;
		get_issue(s, READ);
	}
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_COMPLETE | FS | READ, i << shift);
}

static void keys_3(struct sink *s, uint64_t count)
{
	keys(s, count, 3);
}

static void keys_20(struct sink *s, uint64_t count)
{
	keys(s, count, 20);
}

static void keys_32(struct sink *s, uint64_t count)
{
	keys(s, count, 32);
}

static void keys_44(struct sink *s, uint64_t count)
{
	keys(s, count, 44);
}

/* --- other devices ------------------------------------------------------- */

static void remaps(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		s->ev.sector = i * SECTORS;
		put_remap(s, i * SECTORS + 1);
	}
}

static void remaps_at_one_sector(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		s->ev.pid++;
		put_remap(s, 1);
	}
}

/* the io above is looked for, and does not wait there */
static void remaps_from_nowhere(struct sink *s, uint64_t count)
{
	s->ev.device = ABOVE;
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_QUEUE | READ, i * SECTORS);
	s->ev.device = DISK;
	for (uint64_t i = 0; i < count; i++)
		put_remap(s, (count + i) * SECTORS + 1);
}

/* all of them children of one */
static void children(struct sink *s, uint64_t count)
{
	s->ev.device = ABOVE;
	s->ev.bytes = UINT32_MAX - 511;
	put(s, BLK_TA_QUEUE | READ);
	s->ev.device = DISK;
	s->ev.bytes = SIZE;
	for (uint64_t i = 0; i < count; i++) {
		s->ev.sector = i * SECTORS;
		put_remap(s, i * SECTORS % (1 << 20));
		put(s, BLK_TA_QUEUE | READ);
	}
}

static void processes(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		s->ev.pid = (uint32_t)i;
		at(s, BLK_TA_QUEUE | READ, i * SECTORS);
		put(s, BLK_TA_GETRQ | READ);
		put(s, BLK_TA_PLUG);
	}
}

/* --- splits, merges ------------------------------------------------------ */

static void splits_in_front(struct sink *s, uint64_t count)
{
	s->ev.bytes = (uint32_t)(count + 1) * 512;
	put(s, BLK_TA_QUEUE | READ);
	for (uint64_t i = 0; i < count; i++)
		put_number(s, BLK_TA_SPLIT | READ, count - i);
}

static void splits_of_rests(struct sink *s, uint64_t count)
{
	s->ev.bytes = (uint32_t)(count + 1) * 512;
	put(s, BLK_TA_QUEUE | READ);
	for (uint64_t i = 0; i < count; i++) {
		s->ev.sector = i;
		put_number(s, BLK_TA_SPLIT | READ, i + 1);
	}
}

static void grow(struct sink *s, uint64_t count, uint32_t action)
{
	const bool front = action == BLK_TA_FRONTMERGE;

	for (uint64_t i = 0; i < count; i++) {
		s->ev.sector = (front ? count - i : i) * SECTORS;
		put(s, BLK_TA_QUEUE | READ);
		put(s, (i ? action : (uint32_t)BLK_TA_GETRQ) | READ);
	}
}

static void merges_back(struct sink *s, uint64_t count)
{
	grow(s, count, BLK_TA_BACKMERGE);
}

static void merges_front(struct sink *s, uint64_t count)
{
	grow(s, count, BLK_TA_FRONTMERGE);
}

static void merges_of_requests(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		at(s, BLK_TA_QUEUE | READ, i * SECTORS);
		put(s, BLK_TA_GETRQ | READ);
		if (i)
			put(s, BLK_TA_BACKMERGE | FS | READ);
	}
}

/* a large request completes by a sector at a time */
static void drips(struct sink *s, uint64_t count)
{
	s->ev.bytes = 512;
	for (uint64_t i = 0; i < count; i++) {
		at(s, BLK_TA_QUEUE | READ, i);
		put(s, (i ? BLK_TA_BACKMERGE : BLK_TA_GETRQ) | READ);
	}
	s->ev.bytes = (uint32_t)count * 512;
	at(s, BLK_TA_ISSUE | FS | READ, 0);
	s->ev.bytes = 512;
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_COMPLETE | FS | READ, i);
}

/* the same ios are in a request and out of it, time and again */
static void tides(struct sink *s, uint64_t count)
{
	s->ev.bytes = 512;
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_QUEUE | READ, i);
	s->ev.sector = 0;
	for (uint64_t i = 0; i < count; i++) {
		s->ev.bytes = i % 2 ? 512 : (uint32_t)count * 512;
		put(s, BLK_TA_INSERT | FS | READ);
	}
}

/* --- what has a list of its own ------------------------------------------ */

static void plugged(struct sink *s, uint64_t count)
{
	put(s, BLK_TA_PLUG);
	for (uint64_t i = 0; i < count; i++) {
		at(s, BLK_TA_QUEUE | READ, i * SECTORS);
		put(s, BLK_TA_GETRQ | READ);
	}
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_INSERT | FS | READ, i * SECTORS);
	put(s, BLK_TA_UNPLUG_IO);
}

static void empty_flush(struct sink *s, uint32_t pid, uint32_t cpu)
{
	s->ev.pid = pid;
	s->ev.cpu = cpu;
	put(s, BLK_TA_QUEUE | WRITE | FLUSH);
	put(s, BLK_TA_GETRQ | WRITE | FLUSH);
}

/* empty flushes wait, and a flush request of another CPU ends none of them */
static void flushes(struct sink *s, uint64_t count)
{
	s->ev.bytes = 0;
	for (uint64_t i = 0; i < count; i++)
		empty_flush(s, (uint32_t)(PID + i), 2);
	for (uint64_t i = 0; i < count; i++) {
		s->ev.cpu = i % 2;
		put(s, BLK_TA_ISSUE | FS | FLUSH);
		put(s, BLK_TA_ISSUE | FS | FLUSH);
		put(s, BLK_TA_COMPLETE | FS | FLUSH);
	}
}

/* a flush request under way on every CPU */
static void flush_cpus(struct sink *s, uint64_t count)
{
	s->ev.bytes = 0;
	for (uint64_t i = 0; i < count; i++) {
		s->ev.cpu = (uint32_t)i % BLK_CPU_MAX;
		put(s, BLK_TA_ISSUE | FS | FLUSH);
	}
}

/* no size and way is there a second time */
static void commands(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		s->ev.bytes = (uint32_t)i;
		put(s, BLK_TA_ISSUE | PC | READ);
	}
	for (uint64_t i = 0; i < count; i++) {
		s->ev.bytes = (uint32_t)(count - i);
		put(s, BLK_TA_COMPLETE | PC | READ);
	}
}

static void discards(struct sink *s, uint64_t count)
{
	s->ev.bytes = 1 << 20;
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_QUEUE | DISCARD, i << 12);
	s->ev.bytes = 1024;
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_ISSUE | FS | DISCARD, i << 12);
}

/* writes at the beginnings of zones, and none has the size looked for */
static void appends(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		at(s, BLK_TA_QUEUE | WRITE, (i + 1) << 15);
	s->ev.bytes = 512;
	for (uint64_t i = 0; i < count; i++) {
		at(s, BLK_TA_GETRQ | WRITE, ((i + 1) << 15) + 8);
		at(s, BLK_TA_COMPLETE | FS | WRITE, ((i + 1) << 15) + 9);
	}
}

/* nothing ever completes: the oldest must go */
static void evictions(struct sink *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		at(s, BLK_TA_QUEUE | READ, i * SECTORS);
		s->ev.pid = (uint32_t)i;
		put(s, BLK_TA_GETRQ | READ);
	}
}

static const struct {
	const char *name;
	void (*run)(struct sink *s, uint64_t count);
} patterns[] = {
	{ "ordinary", ordinary },
	{ "one-sector", one_sector },
	{ "one-sector-others", one_sector_others },
	{ "one-sector-misses", one_sector_misses },
	{ "one-sector-doubts", one_sector_doubts },
	{ "keys-3", keys_3 },
	{ "keys-20", keys_20 },
	{ "keys-32", keys_32 },
	{ "keys-44", keys_44 },
	{ "remaps", remaps },
	{ "remaps-at-one-sector", remaps_at_one_sector },
	{ "remaps-from-nowhere", remaps_from_nowhere },
	{ "children", children },
	{ "processes", processes },
	{ "splits-in-front", splits_in_front },
	{ "splits-of-rests", splits_of_rests },
	{ "merges-back", merges_back },
	{ "merges-front", merges_front },
	{ "merges-of-requests", merges_of_requests },
	{ "drips", drips },
	{ "tides", tides },
	{ "plugged", plugged },
	{ "flushes", flushes },
	{ "flush-cpus", flush_cpus },
	{ "commands", commands },
	{ "discards", discards },
	{ "appends", appends },
	{ "evictions", evictions },
};

enum { PATTERNS = sizeof(patterns) / sizeof(*patterns) };

static int64_t cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * (int64_t)1000000000 + ts.tv_nsec;
}

static long peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void run(void (*pattern)(struct sink *s, uint64_t count),
		uint64_t count)
{
	struct sink s = { .ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7, .version = BLK_VERSION_7,
		.payload = (const uint8_t *)"", .device = DISK, .pid = PID,
		.bytes = SIZE,
	} };
	const struct io *io;
	int64_t begun = cpu_time();

	s.lane.device = &s.device;
	s.ev.lane = &s.lane;
	if (joiner_new(&s.joiner, &JOINER_BOUNDS))
		msg_die("no memory");
	pattern(&s, count);
	joiner_end(s.joiner, s.ev.time, false);
	while (joiner_next(s.joiner, &io))
		s.records++;
	printf("%" PRIu64 "\t%.0f\t%ld\n", s.events,
	       (double)(cpu_time() - begun) / (double)s.events, peak());
	joiner_free(s.joiner);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < PATTERNS; i++) {
		if (argc == 2 && !strcmp(argv[1], "--list"))
			puts(patterns[i].name);
		if (argc == 3 && !strcmp(argv[1], patterns[i].name)) {
			run(patterns[i].run, strtoull(argv[2], NULL, 10));
			return 0;
		}
	}
	if (argc == 2)
		return 0;
	fputs("usage: hostile PATTERN COUNT | --list\n", stderr);
	return 2;
}
