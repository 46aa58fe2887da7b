/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Made-up disks on which one thing is wrong, and healthy ones.  Ten seconds
 * each, unless it says otherwise; chance differs with the seed.
 */
#ifndef TESTS_UNIT_MADE_RECIPES_H
#define TESTS_UNIT_MADE_RECIPES_H

#include "findings/finding.h"
#include "findings/findings.h"
#include "made_disk.h"

enum {
	POSTGRES = 100, RSYNC = 200, JOURNAL = 300, KWORKER = 400,
	CHECKPOINTER = 500, BACKUP = 600,
	SPAN = 1 << 24,		/* sectors that are used */
};

static const uint64_t LENGTH = 10 * SECOND;

static inline const char *made_name(const void *names, uint16_t origin,
				    uint32_t pid)
{
	(void)names;
	(void)origin;
	return pid == POSTGRES ? "postgres" : pid == RSYNC ? "rsync" :
	       pid == JOURNAL ? "jbd2/sda-8" :
	       pid == KWORKER ? "kworker/u8:2" :
	       pid == CHECKPOINTER ? "checkpointer" :
	       pid == BACKUP ? "backup" : NULL;
}

static inline struct made_disk made_plain(uint64_t seed)
{
	return (struct made_disk){
		.seed = seed, .first_seed = seed, .servers = 8, .tags = 32, .requests = 128,
		.cpus = 4, .complete_on = UINT32_MAX,
	};
}

static inline struct made one(struct made_disk *d, uint64_t time, enum io_op op,
			      uint64_t sector, uint64_t bytes, uint32_t pid)
{
	return (struct made){ .queued = time, .op = op, .sector = sector,
			      .bytes = bytes, .pid = pid,
			      .cpu = chance(&d->seed) % d->cpus };
}

/* rate ios a second, reads among them, of all sizes, from both */
static inline void mix_of(struct made_disk *d, double rate, double reads,
			  uint64_t length)
{
	static const uint64_t sizes[] = { 4096, 8192, 16384, 65536 };

	for (uint64_t t = made_gap(d, rate); t < length;
	     t += made_gap(d, rate))
		made_add(d, one(d, t, made_chance(d) < reads ? IO_READ
							      : IO_WRITE,
				chance(&d->seed) % (SPAN / 8) * 8,
				sizes[chance(&d->seed) % 4],
				chance(&d->seed) % 2 ? POSTGRES : RSYNC));
}

static inline void mix(struct made_disk *d, double rate)
{
	mix_of(d, rate, 0.6, LENGTH);
}

/* 4 KiB reads of one process, which does nothing else */
static inline void lone_reads(struct made_disk *d, double rate)
{
	for (uint64_t t = made_gap(d, rate); t < LENGTH; t += made_gap(d, rate))
		made_add(d, one(d, t, IO_READ,
				chance(&d->seed) % (SPAN / 8) * 8, 8192,
				POSTGRES));
}

/* count writes of 4 KiB at once, 20 times a second */
static inline void bursts(struct made_disk *d, uint32_t count)
{
	for (uint64_t t = 50 * MS; t < LENGTH; t += 50 * MS)
		for (uint32_t i = 0; i < count; i++)
			made_add(d, one(d, t + i * 2 * US, IO_WRITE,
					chance(&d->seed) % (1 << 20) * 8, 4096,
					RSYNC));
	mix(d, 100);
}

/* --- healthy ------------------------------------------------------------- */

static void make_clean(struct made_disk *d)
{
	mix(d, 600);
}

static void make_busy(struct made_disk *d)
{
	mix_of(d, 4000, 0.6, 4 * SECOND);
}

static void make_bare(struct made_disk *d)
{
	d->no_scheduler = true;
	mix_of(d, 1500, 0.6, 5 * SECOND);
}

static bool next_think(struct made_disk *d, const struct made *m, uint64_t now,
		       struct made *next)
{
	*next = one(d, now + (uint64_t)made_between(d, 1e6, 4e6), IO_READ,
		    chance(&d->seed) % (1 << 21) * 8, 4096, m->pid);
	return now < LENGTH;
}

/* one at a time, but the program is busy with something else in between */
static void make_think(struct made_disk *d)
{
	d->next = next_think;
	made_add(d, one(d, MS, IO_READ, 8, 4096, POSTGRES));
}

/* --- what goes wrong ----------------------------------------------------- */

static void make_errors(struct made_disk *d)
{
	mix(d, 600);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].sector >= 0x200000 &&
		    d->list[i].sector < 0x210000)
			d->list[i].error = 5;
}

/* five completions are missing */
static void spoil_stuck(struct made_disk *d)
{
	int left = 5;

	for (size_t i = 0; i < d->count; i++)
		if (left && d->list[i].done > 3 * SECOND &&
		    d->list[i].done < 3 * SECOND + 20 * MS) {
			d->list[i].open = true;
			left--;
		}
}

/* From 6 s on nothing completes, and soon no caller has anything to send. */
static void make_hang(struct made_disk *d)
{
	d->ends = LENGTH;
	mix_of(d, 600, 0.6, 6 * SECOND + 60 * MS);
}

static void make_hang_on_stacked(struct made_disk *d)
{
	d->stacked = true;
	make_hang(d);
}

/* the same from the first I/O on */
static void make_dead(struct made_disk *d)
{
	d->ends = LENGTH;
	mix_of(d, 600, 0.6, 20 * MS);
}

static void spoil_hang(struct made_disk *d)
{
	for (size_t i = 0; i < d->count; i++)
		d->list[i].open = d->list[i].done > 6 * SECOND;
}

static void spoil_dead(struct made_disk *d)
{
	for (size_t i = 0; i < d->count; i++)
		d->list[i].open = true;
}

/* a trace that ends while all is well */
static inline void make_cut(struct made_disk *d)
{
	d->ends = 3 * SECOND;
	mix_of(d, 4000, 0.6, 3 * SECOND);
}

static inline void spoil_cut(struct made_disk *d)
{
	for (size_t i = 0; i < d->count; i++)
		d->list[i].open = d->list[i].done > d->ends;
}

static uint64_t service_stall(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	uint64_t until = 5 * SECOND + 300 * MS;

	(void)m;
	return made_around(d, 400 * US) +
	       (now >= 5 * SECOND && now < until ? until - now : 0);
}

static void make_stall(struct made_disk *d)
{
	d->service = service_stall;
	mix(d, 600);
}

static uint64_t service_periodic(struct made_disk *d, const struct made *m,
				 uint64_t now)
{
	uint64_t at = now % SECOND;

	(void)m;
	return made_around(d, 400 * US) + (at < 60 * MS ? 60 * MS - at : 0);
}

static void make_periodic(struct made_disk *d)
{
	d->service = service_periodic;
	mix(d, 600);
}

/* the same, and 3 of 100 requests are slow at any time */
static uint64_t service_noisy(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	return service_periodic(d, m, now) +
	       (made_chance(d) < 0.03 ? (uint64_t)made_between(d, 6e6, 15e6)
				      : 0);
}

static void make_periodic_in_noise(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_noisy;
	mix(d, 600);
}

static uint64_t service_noise(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	(void)m;
	(void)now;
	return made_around(d, 400 * US) +
	       (made_chance(d) < 0.03 ? (uint64_t)made_between(d, 6e6, 15e6)
				      : 0);
}

/* noise alone has no period */
static inline void make_noise(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_noise;
	mix(d, 600);
}

static uint64_t service_region(struct made_disk *d, const struct made *m,
			       uint64_t now)
{
	bool slow = m->sector >= 1 << 23 &&
		    m->sector < (1 << 23) + (1 << 19);

	(void)now;
	return made_around(d, 400 * US) * (slow ? 12 : 1);
}

static void make_region(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_region;
	mix(d, 600);
}

static void spoil_requeued(struct made_disk *d)
{
	for (size_t i = 0; i < d->count; i++)
		d->list[i].requeued = chance(&d->seed) % 20 == 0 &&
				      d->list[i].done - d->list[i].issued >
				      100 * US;
}

static uint64_t service_flushes(struct made_disk *d, const struct made *m,
				uint64_t now)
{
	(void)now;
	return made_around(d, m->op == IO_FLUSH_OP ? 9 * MS : 400 * US);
}

static void make_flushes(struct made_disk *d)
{
	d->service = service_flushes;
	mix(d, 300);
	for (uint64_t t = made_gap(d, 40); t < LENGTH; t += made_gap(d, 40))
		made_add(d, one(d, t, IO_FLUSH_OP, 0, 0, JOURNAL));
}

static void make_starved(struct made_disk *d)
{
	d->servers = 2;
	d->tags = d->requests = 8;
	bursts(d, 40);
}

static void make_queue_full(struct made_disk *d)
{
	d->servers = d->tags = 4;
	d->requests = 1024;
	bursts(d, 60);
}

static bool holds_idle(struct made_disk *d, const struct made *m, uint64_t now)
{
	if (now < d->until)
		return true;
	if (m->op == IO_READ)
		d->until = now + 4 * MS;
	return false;
}

static void make_scheduler(struct made_disk *d)
{
	d->holds = holds_idle;
	mix_of(d, 400, 0.3, LENGTH);
}

static void make_plugged(struct made_disk *d)
{
	mix(d, 600);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].op == IO_WRITE)
			d->list[i].plug = (uint64_t)made_between(d, 2e6, 6e6);
}

static uint64_t service_large(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	(void)now;
	return m->bytes > 100000 ? 4 * MS : made_around(d, 300 * US);
}

/* 24 large ones at once, two or three times a second */
static void large_ones(struct made_disk *d, enum io_op op, uint64_t bytes)
{
	d->servers = 2;
	d->service = service_large;
	lone_reads(d, 300);
	for (uint64_t t = 0; t < LENGTH;
	     t += (uint64_t)made_between(d, 3e8, 5e8))
		for (uint32_t i = 0; i < 24; i++)
			made_add(d, one(d, t + i * 10 * US, op,
					chance(&d->seed) % (1 << 14) * 1024,
					bytes, RSYNC));
}

static void make_behind_writes(struct made_disk *d)
{
	large_ones(d, IO_WRITE, 1 << 19);
}

static void make_behind_discards(struct made_disk *d)
{
	large_ones(d, IO_DISCARD, 1 << 20);
}

static uint64_t service_neighbour(struct made_disk *d, const struct made *m,
				  uint64_t now)
{
	(void)m;
	(void)now;
	return made_around(d, 380 * US);
}

/* rsync reads much from 1.5 to 3.0 s of each 3.3 s */
static void make_neighbour(struct made_disk *d)
{
	d->servers = 1;
	d->tags = 8;
	d->service = service_neighbour;
	lone_reads(d, 200);
	for (uint64_t t = 0; t < LENGTH; t += made_gap(d, 2200))
		if (t % (3300 * MS) > 1500 * MS && t % (3300 * MS) < 3 * SECOND)
			made_add(d, one(d, t, IO_READ,
					chance(&d->seed) % (1 << 21) * 8,
					65536, RSYNC));
}

/* the same, and its neighbours are many */
static void make_crowd(struct made_disk *d)
{
	make_neighbour(d);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].pid == POSTGRES)
			d->list[i].pid += chance(&d->seed) % 6;
}

static bool next_flood(struct made_disk *d, const struct made *m, uint64_t now,
		       struct made *next)
{
	if (m->pid != RSYNC)
		return false;
	*next = one(d, now + (uint64_t)made_between(d, 5e3, 2e4), IO_READ,
		    chance(&d->seed) % (1 << 21) * 8, 8192, RSYNC);
	return now < LENGTH;
}

/* rsync keeps 32 reads in flight, which is 16 times what the disk can use */
static void make_flood(struct made_disk *d)
{
	d->servers = 2;
	d->tags = 64;
	d->next = next_flood;
	lone_reads(d, 100);
	for (int i = 0; i < 32; i++)
		made_add(d, one(d, SECOND + i * 2 * US, IO_READ, i * 8000,
				8192, RSYNC));
}

static inline uint64_t service_slow(struct made_disk *d, const struct made *m,
				    uint64_t now)
{
	(void)m;
	(void)now;
	return made_around(d, 8 * MS);
}

/* the same depth on a disk that has use for it */
static inline void make_deep(struct made_disk *d)
{
	make_flood(d);
	d->servers = 64;
	d->service = service_slow;
}

static bool next_closed(struct made_disk *d, const struct made *m, uint64_t now,
			struct made *next)
{
	*next = one(d, now + (uint64_t)made_between(d, 1e4, 3e4), IO_READ,
		    chance(&d->seed) % (1 << 21) * 8, 4096, m->pid);
	return now < LENGTH;
}

static void make_alone(struct made_disk *d)
{
	d->next = next_closed;
	made_add(d, one(d, MS, IO_READ, 8, 4096, POSTGRES));
}

static void make_sequential(struct made_disk *d)
{
	uint64_t sector = 1 << 26;

	mix(d, 60);
	for (uint64_t t = 0; t < LENGTH; t += made_gap(d, 800), sector += 8)
		made_add(d, one(d, t, IO_WRITE, sector, 4096, RSYNC));
}

/* writes of 1 MiB come as 8 parts; the wholes are made by who tests */
static void make_split(struct made_disk *d)
{
	mix(d, 200);
	for (uint64_t t = 0; t < LENGTH; t += made_gap(d, 30)) {
		uint64_t sector = chance(&d->seed) % 4096 * 2048 + (1 << 25);

		for (uint32_t i = 0; i < 8; i++) {
			struct made m = one(d, t + i * 4 * US, IO_WRITE,
					    sector + i * 256, 128 << 10,
					    RSYNC);
			m.part = true;
			made_add(d, m);
		}
	}
}

static inline uint64_t service_bandwidth(struct made_disk *d,
					 const struct made *m, uint64_t now)
{
	(void)now;
	return made_around(d, 30 * US + m->bytes * 8);
}

/* a disk on which time goes with the bytes: to split costs nothing */
static inline void make_split_freely(struct made_disk *d)
{
	d->service = service_bandwidth;
	make_split(d);
}

/* what a kworker writes from the page cache: nobody waits for it */
static inline void make_split_cache(struct made_disk *d)
{
	make_split(d);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].part)
			d->list[i].pid = KWORKER;
}

static void make_on_cpu_3(struct made_disk *d, uint32_t cpus)
{
	d->cpus = cpus;
	d->servers = 32;
	d->tags = 64;
	d->complete_on = 3;
	mix_of(d, 26000, 0.6, 600 * MS);
}

static void make_one_cpu(struct made_disk *d)
{
	make_on_cpu_3(d, 8);
}

/* two CPUs are too few to spread completions over */
static inline void make_two_cpus(struct made_disk *d)
{
	make_on_cpu_3(d, 2);
}

static uint64_t service_tail(struct made_disk *d, const struct made *m,
			     uint64_t now)
{
	(void)m;
	(void)now;
	return made_around(d, 400 * US) * (made_chance(d) < 0.004 ? 300 : 1);
}

static void make_tail(struct made_disk *d)
{
	d->servers = 64;
	d->service = service_tail;
	mix(d, 600);
}

static void make_misaligned(struct made_disk *d)
{
	mix(d, 600);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].op == IO_WRITE && d->list[i].pid == RSYNC)
			d->list[i].sector++;
}

static uint64_t service_wide(struct made_disk *d, const struct made *m,
			     uint64_t now)
{
	(void)now;
	return made_around(d, 400 * US) * (m->sector < SPAN / 8 * 3 ? 8 : 1);
}

/* three eighths of the disk are slow */
static void make_wide_region(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_wide;
	mix(d, 600);
}

static inline uint64_t service_scattered(struct made_disk *d,
					 const struct made *m, uint64_t now)
{
	(void)now;
	return made_around(d, 400 * US) * (m->sector >> 18 & 1 ? 8 : 1);
}

/* slow here and there all over the disk: no place of it */
static inline void make_scattered(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_scattered;
	mix(d, 600);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].sector >> 18 & 1 && chance(&d->seed) % 3 == 0)
			d->list[i].sector -= 1 << 18;
}

/* what was written into the page cache leaves it by a kworker */
static void make_writeback(struct made_disk *d)
{
	mix(d, 600);
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].op == IO_WRITE && chance(&d->seed) % 10 < 7)
			d->list[i].pid = KWORKER;
}

/* a twelfth of the ios in the middle is not there */
static void spoil_lost(struct made_disk *d)
{
	for (size_t i = d->count * 4 / 10; i < d->count * 48 / 100; i++)
		d->list[i].gone = true;
}

/* --- the table ----------------------------------------------------------- */

struct made_recipe {
	enum finding_rule rule;
	void (*make)(struct made_disk *d);
	void (*spoil)(struct made_disk *d);	/* what was served, or NULL */
	uint32_t also;		/* what else is true of it: 1 << rule */
};

static const struct made_recipe made_recipes[] = {
	{ FINDING_LOST, make_clean, spoil_lost, 0 },
	{ FINDING_ERRORS, make_errors, NULL, 0 },
	{ FINDING_STUCK, make_clean, spoil_stuck, 0 },
	{ FINDING_STUCK, make_hang, spoil_hang, 1U << FINDING_STALL },
	{ FINDING_STUCK, make_hang_on_stacked, spoil_hang,
	  1U << FINDING_STALL },
	{ FINDING_STUCK, make_dead, spoil_dead, 0 },
	{ FINDING_STALL, make_stall, NULL, 0 },
	{ FINDING_STALL, make_hang, spoil_hang, 1U << FINDING_STUCK },
	{ FINDING_STALL, make_hang_on_stacked, spoil_hang,
	  1U << FINDING_STUCK },
	{ FINDING_SLOW_REGION, make_region, NULL, 0 },
	{ FINDING_SLOW_REGION, make_wide_region, NULL, 0 },
	{ FINDING_REQUEUED, make_clean, spoil_requeued, 0 },
	{ FINDING_PERIODIC, make_periodic, NULL, 1U << FINDING_STALL },
	{ FINDING_PERIODIC, make_periodic_in_noise, NULL,
	  1U << FINDING_STALL },
	{ FINDING_FLUSHES, make_flushes, NULL, 0 },
	{ FINDING_STARVED, make_starved, NULL, 0 },
	{ FINDING_QUEUE_FULL, make_queue_full, NULL, 0 },
	{ FINDING_SCHEDULER_HOLDS, make_scheduler, NULL, 0 },
	{ FINDING_PLUG_HELD, make_plugged, NULL, 0 },
	{ FINDING_BEHIND_WRITES, make_behind_writes, NULL,
	  1U << FINDING_BURST },
	{ FINDING_BEHIND_DISCARDS, make_behind_discards, NULL,
	  1U << FINDING_BURST },
	{ FINDING_NEIGHBOUR, make_neighbour, NULL, 1U << FINDING_BURST },
	{ FINDING_NEIGHBOUR, make_crowd, NULL, 1U << FINDING_BURST },
	{ FINDING_SATURATION, make_flood, NULL, 1U << FINDING_NEIGHBOUR },
	{ FINDING_ONE_AT_A_TIME, make_alone, NULL, 0 },
	{ FINDING_SMALL_SEQUENTIAL, make_sequential, NULL, 0 },
	{ FINDING_SPLIT, make_split, NULL, 0 },
	{ FINDING_ONE_CPU, make_one_cpu, NULL, 0 },
	{ FINDING_TAIL, make_tail, NULL, 0 },
	{ FINDING_MISALIGNED, make_misaligned, NULL, 0 },
	{ FINDING_WRITEBACK, make_writeback, NULL, 0 },
};

static void (*const made_healthy[])(struct made_disk *d) = {
	make_clean, make_busy, make_bare, make_think,
};

/* --- what rules see of it ------------------------------------------------- */

/* what is found in the ios of a disk that has run, which is freed */
static inline struct findings *made_findings(struct made_disk *d,
					     const struct device *disk)
{
	struct findings *f;

	assert_int_equal(findings_new(&f, made_name, NULL), 0);
	for (size_t i = 0; i < d->count; i++) {
		struct io io = made_io(d, disk, i);

		assert_int_equal(findings_io(f, &io), 0);
	}
	assert_int_equal(findings_end(f, 0, LENGTH), 0);
	made_free(d);
	return f;
}

#endif
