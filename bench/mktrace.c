/*
 * mktrace makes big block traces that look like real ones: version 7 files
 * NAME.blktrace.CPU, or with -p the one stream `blktrace -o -` writes.
 *
 * It is a small simulation.  An agenda holds what happens next: a CPU submits
 * a request, a request completes, a CPU's buffer is written out.  Submitting
 * runs one of the scripts below (plain, plugged with merges, split, ...),
 * whose events are a few microseconds apart; the completion comes later and
 * often elsewhere.  So every file is in time order, the files overlap, and
 * nothing else is promised, as with the kernel.
 *
 * The same options give the same bytes, except with -p -r: then trace time is
 * the monotonic clock, so that a reader can tell how old a line is.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "blktrace.h"

/* the parts of an action word: categories, and the event's number */
#define CAT(name) BLK_TC_ACT(BLK_TC_##name)
#define ACTION(name) BLK_TA_##name
#define BIO(name) (ACTION(name) | CAT(QUEUE))
#define NOTE(name) (BLK_TN_##name | CAT(NOTIFY))

/* what an operation says about itself; the rest of a word is the event */
#define READ_OP CAT(READ)
#define WRITE_OP CAT(WRITE)

enum {
	CPUS_MAX = 512,
	DEVICES_MAX = 16,
	USERS = 32,		/* tasks that submit; kworkers come on top */
	COMM_SIZE = 16,
	PAGE = 4096,
	SECTOR = 512,
	REQUEST_MAX = 512 * 1024,
	BUFFER = 64 * 1024,
	PARTITION_START = 2048,	/* first sector of a device's partition */
	DEVICE_PAGES = 1 << 24,	/* 64 GiB, so sectors have realistic widths */
	EVENT_GAP = 5000,	/* mean ns between two events, without -r */
	STEP_MAX = 1500,	/* ns between two events of one script */
	INTERRUPT_GAP = 64000,	/* ns: a disk reports completions together */
};

#define SECOND UINT64_C(1000000000)	/* in ns, as all times */
#define MILLISECOND UINT64_C(1000000)

/* A kind of program: how it reads and writes. */
struct program {
	const char *comm;
	unsigned reads;		/* percent of requests */
	unsigned sequential;	/* percent that go on where the last ended */
	unsigned doublings;	/* sizes are 4 KiB << 0..doublings */
	uint32_t read_flags, write_flags;
};

/* Several tasks share a program: the same name under many pids. */
static const struct program programs[] = {
	{"fio", 60, 20, 3, 0, CAT(SYNC)},
	{"postgres", 75, 10, 1, 0, CAT(SYNC)},
	{"rsync", 90, 90, 6, CAT(AHEAD), 0},
	{"fio", 60, 20, 5, 0, CAT(SYNC)},
	{"kworker/u16:3", 0, 70, 7, 0, 0},
	{"dd", 40, 100, 7, 0, CAT(SYNC)},
	{"jbd2/sda1-8", 0, 90, 1, 0, CAT(SYNC) | CAT(META)},
	{"mysqld", 65, 10, 2, 0, CAT(SYNC)},
	{"find", 100, 30, 0, CAT(META), 0},
	{"systemd-journal", 5, 60, 2, 0, CAT(SYNC)},
	{"git", 90, 40, 5, CAT(AHEAD), 0},
	{"cc1", 100, 80, 5, CAT(AHEAD), 0},
	{"xfsaild/sda2", 0, 20, 3, 0, CAT(META)},
	{"qemu-system-x86", 55, 30, 5, 0, CAT(SYNC)},
};

/* Where names of disks lead; the last entry takes everything else. */
static const struct major {
	const char *prefix;
	unsigned major;
	unsigned minors;	/* from one disk to the next */
} majors[] = {
	{"nvme", 259, 8}, {"vd", 254, 16}, {"dm-", 253, 1},
	{"nullb", 252, 1}, {"md", 9, 1}, {"", 8, 16},
};

/* A record's header as it lies in a file of this machine's byte order. */
struct record {
	uint32_t magic;
	uint32_t sequence;
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint32_t action;
	uint32_t pid;
	uint32_t device;
	uint32_t cpu;
	uint16_t error;
	uint16_t payload_size;
};
static_assert(sizeof(struct record) == BLK_HEADER_7, "no padding");

/* Who submits, and what it is about to do. */
struct task {
	uint32_t pid;
	char comm[COMM_SIZE];
	bool noted;		/* its process note is written */
	bool in_partition;	/* its requests are remapped first */
	const struct program *program;
	unsigned disk;
	uint64_t next;		/* where a sequential request would start */
};

/* One CPU; swapper and a kworker are its own, other tasks wander. */
struct cpu {
	unsigned number;
	uint64_t now;		/* its latest event; the next one is later */
	struct task *current;
	struct task idle, kworker;
};

/* What travels from Q to C, growing by merges on its way. */
struct request {
	uint64_t sector;
	uint32_t bytes;
	uint32_t flags;		/* operation and its modifiers */
	unsigned disk;
};

/* What one CPU wrote about one disk. */
struct stream {
	int fd;
	uint32_t sequence;
	size_t used;
	uint8_t data[BUFFER];
};

/* What can be on the agenda, and one such thing. */
enum deed { SUBMIT, COMPLETE, WRITE_OUT };

struct item {
	uint64_t when;
	enum deed deed;
	unsigned cpu;
	struct request request;	/* of a COMPLETE */
};

/* The command line, complete with defaults. */
struct options {
	unsigned cpus;
	uint64_t events;
	const char *directory;
	char *names[DEVICES_MAX];
	unsigned disks;
	uint64_t seed;
	bool pipe;
	uint64_t rate;		/* events per second, 0: as EVENT_GAP says */
	uint64_t lag;		/* ns */
	uint64_t drop;
	int silent_cpu;		/* -1: none */
	double silent_start, silent_length;
};

/* Everything else: the simulated machine and its trace. */
struct maker {
	struct options opt;
	uint64_t random;
	uint64_t start;		/* trace time of the beginning */
	uint64_t left, drops_left;
	uint64_t charged;	/* events, and completions still to come */
	bool begun;		/* the first event is written */
	uint64_t mean_gap;	/* between two events of one CPU */
	uint64_t silent_from, silent_to;
	uint32_t devices[DEVICES_MAX];
	struct task users[USERS];
	struct cpu *cpus;
	struct stream *streams;	/* disks of CPU 0, of CPU 1, ... */
	struct item *agenda;	/* a binary heap, earliest first */
	size_t agenda_used, agenda_size;
};

/* --- small helpers ---------------------------------------------------- */

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "mktrace: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* reallocarray() that does not return without memory */
static void *allocate(void *old, size_t count, size_t size)
{
	void *p = reallocarray(old, count, size);

	if (!p)
		die("memory");
	return p;
}

/* xorshift64*: fast, and the same on every machine, unlike rand(3) */
static uint32_t random_bits(struct maker *m)
{
	uint64_t x = m->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	m->random = x;
	return (x * 0x2545f4914f6cdd1d) >> 32;
}

/* 0 to below - 1; the tiny bias of the multiplication does not matter here */
static uint32_t pick(struct maker *m, uint32_t below)
{
	return (uint64_t)random_bits(m) * below >> 32;
}

/* true in that many of a hundred cases */
static bool chance(struct maker *m, unsigned percent)
{
	return pick(m, 100) < percent;
}

/* Payloads are big-endian whatever the machine; headers are its own. */
static void put_be32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = value >> (24 - 8 * i);
}

static void put_be64(uint8_t *p, uint64_t value)
{
	put_be32(p, value >> 32);
	put_be32(p + 4, value);
}

static uint64_t clock_now(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

/* --- the agenda ------------------------------------------------------- */

/* Moves parents down until the new item's place is found. */
static void agenda_add(struct maker *m, struct item item)
{
	size_t i = m->agenda_used++;

	if (i == m->agenda_size) {
		m->agenda_size = i ? 2 * i : 1024;
		m->agenda = allocate(m->agenda, m->agenda_size, sizeof(item));
	}
	for (; i > 0; i = (i - 1) / 2) {
		struct item *parent = &m->agenda[(i - 1) / 2];

		if (parent->when <= item.when)
			break;
		m->agenda[i] = *parent;
	}
	m->agenda[i] = item;
}

/*
 * The earliest item; the last one takes its place and sinks to its own.
 * Never called on an empty agenda: every CPU always has its next SUBMIT.
 */
static struct item agenda_take(struct maker *m)
{
	struct item first = m->agenda[0];
	struct item last = m->agenda[--m->agenda_used];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < m->agenda_used) {
		struct item *a = m->agenda;

		if (child + 1 < m->agenda_used &&
		    a[child + 1].when < a[child].when)
			child++;
		if (last.when <= a[child].when)
			break;
		a[i] = a[child];
		i = child;
	}
	m->agenda[i] = last;
	return first;
}

/* --- records ---------------------------------------------------------- */

/*
 * All that is buffered, at once when the pipe or file takes it.  A reader that
 * goes away ends us by SIGPIPE, as it should.
 */
static void stream_write(struct stream *s)
{
	size_t done = 0;

	while (done < s->used) {
		ssize_t n = write(s->fd, s->data + done, s->used - done);

		if (n < 0 && errno != EINTR)
			die("write");
		if (n > 0)
			done += n;
	}
	s->used = 0;
}

/* Only whole records go into a buffer, so every write is whole records. */
static void stream_add(struct stream *s, const struct record *r,
		       const void *payload)
{
	if (s->used + sizeof(*r) + r->payload_size > sizeof(s->data))
		stream_write(s);
	memcpy(s->data + s->used, r, sizeof(*r));
	s->used += sizeof(*r);
	if (r->payload_size)
		memcpy(s->data + s->used, payload, r->payload_size);
	s->used += r->payload_size;
}

static struct stream *stream_of(struct maker *m, const struct cpu *c,
				unsigned disk)
{
	return &m->streams[c->number * m->opt.disks + disk];
}

/* Notes have no sequence number and are not counted by -n. */
static void add_note(struct maker *m, struct cpu *c, unsigned disk,
		     uint32_t action, const void *payload, size_t size)
{
	struct record r = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = c->now,
		.action = action,
		.pid = action == NOTE(TIMESTAMP) ? 0 : c->current->pid,
		.device = m->devices[disk],
		.cpu = c->number,
		.payload_size = size,
	};

	stream_add(stream_of(m, c, disk), &r, payload);
}

/* A task's name goes to every running trace, before its first event. */
static void introduce(struct maker *m, struct cpu *c)
{
	struct task *t = c->current;

	for (unsigned d = 0; d < m->opt.disks; d++)
		add_note(m, c, d, NOTE(PROCESS), t->comm, sizeof(t->comm));
	t->noted = true;
}

/* Chooses so that exactly --drop of all events are lost. */
static bool dropped(struct maker *m)
{
	if (!m->drops_left || pick(m, m->left) >= m->drops_left)
		return false;
	m->drops_left--;
	return true;
}

/* The reader of a paced stream measures against this. */
static void tell_genesis(struct maker *m, uint64_t time)
{
	m->begun = true;
	if (m->opt.pipe && m->opt.rate)
		fprintf(stderr, "genesis %" PRIu64 "\n", time);
}

/*
 * One event of the current task.  Does nothing once -n are written: a trace
 * ends in the middle of requests.  A dropped event still takes a sequence
 * number, which is the hole that readers see.
 */
static void add_event(struct maker *m, struct cpu *c, const struct request *rq,
		      uint32_t action, const void *payload, size_t size)
{
	struct stream *s = stream_of(m, c, rq->disk);
	struct record r = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = c->now,
		.sector = rq->sector,
		.bytes = rq->bytes,
		.action = action | rq->flags,
		.pid = c->current->pid,
		.device = m->devices[rq->disk],
		.cpu = c->number,
		.payload_size = size,
	};

	if (!m->left)
		return;
	if (!c->current->noted)
		introduce(m, c);
	r.sequence = ++s->sequence;
	m->charged++;
	if (!dropped(m)) {
		stream_add(s, &r, payload);
		if (!m->begun)
			tell_genesis(m, r.time);
	}
	m->left--;
}

/* Time passes on this CPU; less of it when many events are asked for. */
static void pass(struct maker *m, struct cpu *c)
{
	c->now += 1 + pick(m, m->mean_gap < STEP_MAX ? m->mean_gap : STEP_MAX);
}

/* The usual event: nothing to say beyond its header. */
static void event(struct maker *m, struct cpu *c, const struct request *rq,
		  uint32_t action)
{
	add_event(m, c, rq, action, NULL, 0);
	pass(m, c);
}

/* --- the life of a request -------------------------------------------- */

/* A request that reaches the disk as its task means it: A, Q. */
static void queue(struct maker *m, struct cpu *c, const struct request *rq)
{
	uint32_t device = m->devices[rq->disk];
	uint8_t from[16];

	if (c->current->in_partition) {
		put_be32(from, device + 1);
		put_be32(from + 4, device);
		put_be64(from + 8, rq->sector - PARTITION_START);
		add_event(m, c, rq, BIO(REMAP), from, sizeof(from));
		pass(m, c);
	}
	event(m, c, rq, BIO(QUEUE));
}

/* Interrupts of one CPU come together, those of two CPUs do not. */
static uint64_t interrupt_after(unsigned cpu, uint64_t when)
{
	return when - when % INTERRUPT_GAP + INTERRUPT_GAP +
	       cpu * 1009 % INTERRUPT_GAP;
}

/* Mostly on the CPU that submitted, for a third on any other. */
static void complete_later(struct maker *m, struct cpu *c,
			   const struct request *rq)
{
	uint64_t latency = 30000 + pick(m, 150000);
	unsigned elsewhere = 1 + pick(m, m->opt.cpus - 1);
	unsigned cpu = c->number;

	if (chance(m, 3))	/* a busy disk now and then */
		latency *= 16;
	if (chance(m, 33))
		cpu = (cpu + elsewhere) % m->opt.cpus;
	agenda_add(m, (struct item){
		.when = interrupt_after(cpu, c->now + latency),
		.deed = COMPLETE,
		.cpu = cpu,
		.request = *rq,
	});
	m->charged++;
}

/* To the driver, for a quarter of the requests by the CPU's worker. */
static void issue(struct maker *m, struct cpu *c, const struct request *rq)
{
	struct task *submitter = c->current;

	if (chance(m, 25))
		c->current = &c->kworker;
	event(m, c, rq, ACTION(ISSUE) | CAT(ISSUE) | CAT(FS));
	c->current = submitter;
}

/* To the scheduler: from here on it is a request, category FS. */
static void insert(struct maker *m, struct cpu *c, const struct request *rq)
{
	event(m, c, rq, BIO(INSERT) | CAT(FS));
}

/* The common end of all scripts. */
static void insert_and_issue(struct maker *m, struct cpu *c,
			     const struct request *rq)
{
	insert(m, c, rq);
	issue(m, c, rq);
	complete_later(m, c, rq);
}

/* P and U are about no sector; the kernel marks them as reads. */
static void plug(struct maker *m, struct cpu *c, unsigned disk)
{
	struct request none = {.disk = disk, .flags = READ_OP};

	event(m, c, &none, BIO(PLUG));
}

static void unplug(struct maker *m, struct cpu *c, unsigned disk,
		   uint64_t depth)
{
	struct request none = {.disk = disk, .flags = READ_OP};
	uint8_t payload[8];

	put_be64(payload, depth);
	add_event(m, c, &none,
		  chance(m, 70) ? BIO(UNPLUG_TIMER) : BIO(UNPLUG_IO),
		  payload, sizeof(payload));
	pass(m, c);
}

/* A neighbour joins rq, behind it or in front, and rq grows. */
static void merge(struct maker *m, struct cpu *c, struct request *rq)
{
	struct request bio = *rq;
	bool front = chance(m, 10) && rq->sector > 2 * REQUEST_MAX / SECTOR;

	bio.bytes = PAGE << pick(m, 3);
	if (rq->bytes + bio.bytes > REQUEST_MAX)
		return;
	if (front)
		bio.sector -= bio.bytes / SECTOR;
	else
		bio.sector += rq->bytes / SECTOR;
	queue(m, c, &bio);
	event(m, c, &bio, front ? BIO(FRONTMERGE) : BIO(BACKMERGE));
	rq->bytes += bio.bytes;
	if (front)
		rq->sector = bio.sector;
}

/* --- scripts ---------------------------------------------------------- */

/* Direct IO on an idle disk: nothing is held back. */
static void script_plain(struct maker *m, struct cpu *c, struct request *rq)
{
	queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	insert_and_issue(m, c, rq);
}

/* A task holds its requests back for a moment, for neighbours to join. */
static void script_plugged(struct maker *m, struct cpu *c, struct request *rq)
{
	queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	plug(m, c, rq->disk);
	for (unsigned merges = pick(m, 4); merges > 1; merges--)
		merge(m, c, rq);
	unplug(m, c, rq->disk, 1);
	insert_and_issue(m, c, rq);
}

/* The driver has no room and takes the request at the second attempt. */
static void script_requeue(struct maker *m, struct cpu *c, struct request *rq)
{
	queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	insert(m, c, rq);
	issue(m, c, rq);
	event(m, c, rq, ACTION(REQUEUE) | CAT(REQUEUE) | CAT(FS));
	issue(m, c, rq);
	complete_later(m, c, rq);
}

/* Longer than the disk takes at once: two requests, completing apart. */
static void script_split(struct maker *m, struct cpu *c, struct request *rq)
{
	struct request half = *rq;
	uint8_t payload[8];

	rq->bytes = half.bytes = 2 * PAGE << pick(m, 5);
	queue(m, c, rq);
	half.bytes /= 2;
	put_be64(payload, rq->sector + half.bytes / SECTOR);
	add_event(m, c, &half, ACTION(SPLIT), payload, sizeof(payload));
	pass(m, c);
	event(m, c, &half, BIO(GETRQ));
	insert_and_issue(m, c, &half);
	half.sector += half.bytes / SECTOR;
	event(m, c, &half, BIO(GETRQ));
	insert_and_issue(m, c, &half);
}

/* Trimming: a write without data. */
static void script_discard(struct maker *m, struct cpu *c, struct request *rq)
{
	rq->flags = WRITE_OP | CAT(DISCARD) | CAT(SYNC);
	script_plain(m, c, rq);
}

/* A journal's commit: flush the disk's cache first, then write through. */
static void script_commit(struct maker *m, struct cpu *c, struct request *rq)
{
	struct request flush = {
		.disk = rq->disk,
		.flags = READ_OP | CAT(FLUSH),
	};

	rq->flags = WRITE_OP | CAT(FLUSH) | CAT(FUA) | CAT(SYNC) | CAT(META);
	queue(m, c, rq);
	event(m, c, rq, BIO(GETRQ));
	issue(m, c, &flush);
	event(m, c, &flush, ACTION(COMPLETE) | CAT(COMPLETE) | CAT(FS));
	rq->flags &= ~CAT(FLUSH);
	insert_and_issue(m, c, rq);
}

/* A scheduler's remark: always flagged with a cgroup id by real kernels. */
static void script_message(struct maker *m, struct cpu *c, struct request *rq)
{
	const uint32_t cgroup[2] = {1, 0};
	char text[64];
	int n;

	memcpy(text, cgroup, sizeof(cgroup));
	n = snprintf(text + sizeof(cgroup), sizeof(text) - sizeof(cgroup),
		     "bfq%" PRIu32 "S add_request 1", c->current->pid);
	script_plain(m, c, rq);
	add_note(m, c, rq->disk, NOTE(MESSAGE) | BLK_CGROUP_FLAG,
		 text, sizeof(cgroup) + n);
}

/* How often each happens; the first two make up most of a real trace. */
static const struct script {
	unsigned weight;	/* of 1000 */
	void (*run)(struct maker *, struct cpu *, struct request *);
} scripts[] = {
	{580, script_plain}, {388, script_plugged}, {15, script_commit},
	{6, script_discard}, {6, script_split}, {3, script_requeue},
	{2, script_message},
};

/* --- deeds ------------------------------------------------------------ */

/* Aligned to a page, and inside the partition. */
static uint64_t random_sector(struct maker *m)
{
	return PARTITION_START +
	       (uint64_t)pick(m, DEVICE_PAGES) * (PAGE / SECTOR);
}

/* What the task's kind of program would do next. */
static struct request new_request(struct maker *m, const struct task *t)
{
	const struct program *p = t->program;
	struct request rq = {.disk = t->disk};

	rq.bytes = PAGE << pick(m, p->doublings + 1);
	rq.flags = chance(m, p->reads) ? READ_OP | p->read_flags :
					 WRITE_OP | p->write_flags;
	rq.sector = chance(m, p->sequential) ? t->next : random_sector(m);
	return rq;
}

static const struct script *choose_script(struct maker *m)
{
	const struct script *s = scripts;

	for (unsigned at = pick(m, 1000); at >= s->weight; s++)
		at -= s->weight;
	return s;
}

/* --silent: the CPU neither submits nor is interrupted. */
static bool silent(const struct maker *m, unsigned cpu, uint64_t when)
{
	return (int)cpu == m->opt.silent_cpu &&
	       when >= m->silent_from && when < m->silent_to;
}

/* A CPU's time never goes back, though deeds may find it busy. */
static void arrive(struct cpu *c, uint64_t when)
{
	if (c->now < when)
		c->now = when;
}

/* The task goes on behind its request, merged neighbours included. */
static void submit_one(struct maker *m, struct cpu *c)
{
	struct request rq = new_request(m, c->current);

	choose_script(m)->run(m, c, &rq);
	c->current->next = rq.sector + rq.bytes / SECTOR;
}

/* Runs some scripts, then thinks so long that the mean gap comes out right. */
static void submit(struct maker *m, struct item *item)
{
	struct cpu *c = &m->cpus[item->cpu];
	uint64_t charged = m->charged, think;

	if (silent(m, item->cpu, item->when)) {
		item->when = m->silent_to;
		agenda_add(m, *item);
		return;
	}
	arrive(c, item->when);
	if (chance(m, 25) || c->current == &c->idle)
		c->current = &m->users[pick(m, USERS)];
	for (unsigned n = 1 + pick(m, 4); n > 0; n--)
		submit_one(m, c);
	think = (m->charged - charged) * m->mean_gap;
	item->when += think / 2 + think * pick(m, 1024) / 1024;
	agenda_add(m, *item);
}

/* An interrupt: it hits whatever runs, mostly the idle task. */
static void complete(struct maker *m, struct item *item)
{
	struct cpu *c = &m->cpus[item->cpu];
	struct task *interrupted;

	if (silent(m, item->cpu, item->when))
		c = &m->cpus[(item->cpu + 1) % m->opt.cpus];
	arrive(c, item->when);
	interrupted = c->current;
	if (chance(m, 67))
		c->current = &c->idle;
	event(m, c, &item->request,
	      ACTION(COMPLETE) | CAT(COMPLETE) | CAT(FS));
	c->current = interrupted;
}

/* With -p -r the stream waits for the clock to reach its own time. */
static void wait_until(const struct maker *m, uint64_t when)
{
	struct timespec ts = {.tv_sec = when / SECOND,
			      .tv_nsec = when % SECOND};

	if (!m->opt.pipe || !m->opt.rate)
		return;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) ==
	       EINTR)
		;
}

static void write_cpu(struct maker *m, const struct cpu *c)
{
	for (unsigned d = 0; d < m->opt.disks; d++)
		stream_write(stream_of(m, c, d));
}

/* At most --lag passes between two writes, so no record is older. */
static void write_out(struct maker *m, struct item *item)
{
	wait_until(m, item->when);
	write_cpu(m, &m->cpus[item->cpu]);
	item->when += m->opt.lag / 4 + pick(m, m->opt.lag - m->opt.lag / 4);
	agenda_add(m, *item);
}

/* Does what the agenda says until -n events are there. */
static void run(struct maker *m)
{
	static void (*const deeds[])(struct maker *, struct item *) = {
		[SUBMIT] = submit,
		[COMPLETE] = complete,
		[WRITE_OUT] = write_out,
	};
	uint64_t end = m->start;

	while (m->left) {
		struct item item = agenda_take(m);

		end = item.when;
		deeds[item.deed](m, &item);
	}
	wait_until(m, end);
	for (unsigned i = 0; i < m->opt.cpus; i++)
		write_cpu(m, &m->cpus[i]);
}

/* --- setting up ------------------------------------------------------- */

/* Major and minor as the disk's name suggests. */
static uint32_t device_number(const char *name, unsigned index)
{
	const struct major *j = majors;

	while (strncmp(name, j->prefix, strlen(j->prefix)) != 0)
		j++;
	return BLK_DEVICE(j->major, index * j->minors);
}

/* Half the pids close together, as after boot, half spread out. */
static void make_users(struct maker *m)
{
	uint32_t pid = 300;

	for (unsigned i = 0; i < USERS; i++) {
		struct task *t = &m->users[i];

		pid += 1 + pick(m, i < USERS / 2 ? 60 : 3000);
		t->pid = pid;
		t->program = &programs[i % (sizeof(programs) /
					    sizeof(programs[0]))];
		snprintf(t->comm, sizeof(t->comm), "%s", t->program->comm);
		t->disk = i % m->opt.disks;
		t->in_partition = chance(m, 20);
		t->next = random_sector(m);
	}
}

/* CPUs start within moments of each other, all of them idle. */
static void make_cpus(struct maker *m)
{
	m->cpus = allocate(NULL, m->opt.cpus, sizeof(*m->cpus));
	for (unsigned i = 0; i < m->opt.cpus; i++) {
		struct cpu *c = &m->cpus[i];

		*c = (struct cpu){.number = i, .now = m->start};
		c->current = &c->idle;
		snprintf(c->idle.comm, COMM_SIZE, "swapper/%u", i % CPUS_MAX);
		c->kworker.pid = 20 + 6 * i;
		if (c->kworker.pid >= 300)	/* beyond the users' */
			c->kworker.pid += 100000;
		snprintf(c->kworker.comm, COMM_SIZE, "kworker/%u:1H",
			 i % CPUS_MAX);
		agenda_add(m, (struct item){
			.when = m->start + pick(m, 4 * m->mean_gap),
			.deed = SUBMIT, .cpu = i});
		if (m->opt.pipe)
			agenda_add(m, (struct item){
				.when = m->start + pick(m, m->opt.lag),
				.deed = WRITE_OUT, .cpu = i});
	}
}

/* Every CPU has its file, also one that stays empty. */
static int create(const struct options *o, unsigned cpu, unsigned disk)
{
	char path[4096];
	int fd;

	if (o->pipe)
		return STDOUT_FILENO;
	snprintf(path, sizeof(path), "%s/%s.blktrace.%u", o->directory,
		 o->names[disk], cpu);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		die(path);
	return fd;
}

/* Hundreds of files stay open, more than a process usually may. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void open_streams(struct maker *m)
{
	const struct options *o = &m->opt;
	size_t n = (size_t)o->cpus * o->disks;

	raise_file_limit();
	if (!o->pipe && mkdir(o->directory, 0777) < 0 && errno != EEXIST)
		die(o->directory);
	m->streams = allocate(NULL, n, sizeof(*m->streams));
	for (size_t i = 0; i < n; i++) {
		struct stream *s = &m->streams[i];

		s->fd = create(o, i / o->disks, i % o->disks);
		s->sequence = 0;
		s->used = 0;
	}
}

/* BLKTRACESTART leaves the wall clock on the CPU it was called on. */
static void add_timestamps(struct maker *m)
{
	uint64_t wall = 1700000000 * SECOND;
	uint32_t payload[2];

	if (m->opt.pipe && m->opt.rate)
		wall = clock_now(CLOCK_REALTIME);
	payload[0] = wall / SECOND;
	payload[1] = wall % SECOND;
	for (unsigned d = 0; d < m->opt.disks; d++)
		add_note(m, &m->cpus[0], d, NOTE(TIMESTAMP), payload,
			 sizeof(payload));
}

/* The fixed start of an unpaced trace makes it repeatable. */
static void set_up(struct maker *m)
{
	const struct options *o = &m->opt;

	m->random = (o->seed + 1) * 0x9e3779b97f4a7c15;
	m->left = o->events;
	m->drops_left = o->drop;
	m->mean_gap = o->rate ? o->cpus * SECOND / o->rate + 1 :
				o->cpus * (uint64_t)EVENT_GAP;
	m->start = o->pipe && o->rate ? clock_now(CLOCK_MONOTONIC) :
					5000 * SECOND;
	m->silent_from = m->start + o->silent_start * SECOND;
	m->silent_to = m->silent_from + o->silent_length * SECOND;
	for (unsigned d = 0; d < o->disks; d++)
		m->devices[d] = device_number(o->names[d], d);
	open_streams(m);
	make_users(m);
	make_cpus(m);
	add_timestamps(m);
}

static void tear_down(struct maker *m)
{
	for (size_t i = 0; i < (size_t)m->opt.cpus * m->opt.disks; i++)
		if (!m->opt.pipe && close(m->streams[i].fd) < 0)
			die("close");
	free(m->agenda);
	free(m->streams);
	free(m->cpus);
}

/* --- options ---------------------------------------------------------- */

static _Noreturn void usage(void)
{
	fputs("usage: mktrace [-c CPUS] [-n EVENTS] [-d NAME,...] [-s SEED]\n"
	      "               [-r EVENTS-PER-SECOND] [--drop N] "
	      "-o DIR | -p\n"
	      "with -p (one stream to stdout; paced when -r is given):\n"
	      "               [--lag MS] [--silent CPU:START:SECONDS]\n"
	      "numbers of events may end in k or M\n", stderr);
	exit(1);
}

/* "200k", "1M" or plain digits */
static uint64_t number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (end == text)
		usage();
	if (*end == 'k' || *end == 'M')
		n *= *end++ == 'k' ? 1000 : 1000000;
	if (*end)
		usage();
	return n;
}

static void split_names(struct options *o, char *list)
{
	o->disks = 0;
	for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
		if (o->disks == DEVICES_MAX)
			usage();
		o->names[o->disks++] = s;
	}
}

static void parse_silent(struct options *o, const char *text)
{
	if (sscanf(text, "%d:%lf:%lf", &o->silent_cpu, &o->silent_start,
		   &o->silent_length) != 3)
		usage();
}

static void set_option(struct options *o, int letter, char *arg)
{
	switch (letter) {
	case 'c': o->cpus = number(arg); break;
	case 'n': o->events = number(arg); break;
	case 'o': o->directory = arg; break;
	case 'd': split_names(o, arg); break;
	case 's': o->seed = number(arg); break;
	case 'p': o->pipe = true; break;
	case 'r': o->rate = number(arg); break;
	case 'L': o->lag = number(arg) * MILLISECOND; break;
	case 'S': parse_silent(o, arg); break;
	case 'D': o->drop = number(arg); break;
	default: usage();
	}
}

/* The random choices are 32 bits wide, hence the bounds. */
static bool sensible(const struct options *o)
{
	return o->cpus >= 1 && o->cpus <= CPUS_MAX && o->disks >= 1 &&
	       o->events >= 1 && o->events <= UINT32_MAX &&
	       o->drop < o->events && o->rate <= SECOND &&
	       (!o->rate || o->cpus * SECOND / o->rate < UINT32_MAX / 4) &&
	       o->lag >= MILLISECOND && o->lag <= 4 * SECOND &&
	       o->silent_cpu < (int)o->cpus && o->pipe == !o->directory;
}

static void parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{"lag", required_argument, NULL, 'L'},
		{"silent", required_argument, NULL, 'S'},
		{"drop", required_argument, NULL, 'D'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "c:n:o:d:s:pr:", longs,
				     NULL)) != -1)
		set_option(o, letter, optarg);
	if (optind < argc || !sensible(o))
		usage();
}

int main(int argc, char **argv)
{
	char default_disk[] = "sda";
	struct maker m = {.opt = {
		.cpus = 8, .events = 1000000, .names = {default_disk},
		.disks = 1, .lag = 50 * MILLISECOND, .silent_cpu = -1,
	}};

	parse_options(&m.opt, argc, argv);
	set_up(&m);
	run(&m);
	tear_down(&m);
	return 0;
}
