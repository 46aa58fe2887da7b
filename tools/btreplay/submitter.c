/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that submits I/Os; see submitter.h. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/barrier.h"
#include "tools/btreplay/bunch_log.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/fault.h"
#include "tools/btreplay/submitter.h"

enum {
	AHEAD = 500000,		/* ns: time enough to read ahead */
	RETRY_US = 50,		/* the kernel has no room for an I/O */
};

/* what one submission is made of */
struct batch {
	struct slot *slots[BUNCH_MAX];
	struct iocb *iocbs[BUNCH_MAX];
	unsigned int count;
	uint64_t due, now, at;	/* when it should be sent, when waiting began,
				 * and when it was sent */
};

/* All cells are made here, so that measuring does not allocate. */
int submitter_init(struct submitter *f, const struct submitter_options *o)
{
	*f = (struct submitter){ .o = *o };
	pace_init(&f->pace, o->spin_max);
	if (histogram_reserve(&f->late, 0, UINT64_MAX) ||
	    histogram_reserve(&f->gap, 0, UINT64_MAX))
		return -ENOMEM;
	return 0;
}

void submitter_free(struct submitter *f)
{
	histogram_free(&f->late);
	histogram_free(&f->gap);
}

/* --- the CPU ------------------------------------------------------------- */

/* Number n of the CPUs that the process may use, modulo their number. */
static int nth_cpu(unsigned int n)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || !CPU_COUNT(&set))
		return -1;
	n %= (unsigned int)CPU_COUNT(&set);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !n--)
			return cpu;
	return -1;
}

static unsigned int online_cpus(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* If it cannot be pinned it runs on any CPU, which is less exact. */
static void pin(struct submitter *f)
{
	int cpu = nth_cpu(f->o.cpu);
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0)
		CPU_SET(cpu, &set);
	if (cpu < 0 || sched_setaffinity(0, sizeof(set), &set))
		msg_warn("%s: Failed to pin CPU %u: it is replayed on any",
			 bunch_reader_path(f->o.reader), f->o.cpu);
	else if (f->o.log)
		bunch_log_write_cpu(f->o.log, (unsigned int)cpu, online_cpus());
}

/* --- one submission ------------------------------------------------------ */

/* The kernel does not accept the first of them: it has failed. */
static void drop_first(struct submitter *f, struct slot *s, int err)
{
	struct channel *c = f->o.channel;

	fault_add(f->o.fault, err, 0, s->sector, s->bytes);
	f->failed++;
	atomic_fetch_add(&c->back, 1);
	channel_put(c, s);
}

/* Counted before they are sent: they might come back at once. */
static void count_sent(struct channel *c, unsigned int count)
{
	uint64_t sent = atomic_fetch_add(&c->sent, count) + count;
	uint64_t deep = sent - atomic_load(&c->back);

	if (deep > c->deepest)
		c->deepest = deep;
}

static void submit(struct submitter *f, struct batch *b)
{
	unsigned int done = 0;

	count_sent(f->o.channel, b->count);
	while (done < b->count) {
		int got = io_submit(f->o.channel->context, b->count - done,
				    b->iocbs + done);

		if (got > 0)
			done += (unsigned int)got;
		else if (got == -EINTR ||
			 (got == -EAGAIN && !atomic_load(f->o.halt)))
			usleep(RETRY_US);
		else
			drop_first(f, b->slots[done++], got);
	}
}

static void put_back(struct submitter *f, struct batch *b)
{
	while (b->count)
		channel_put(f->o.channel, b->slots[--b->count]);
}

/* Waits until the batch is due; false: it is not to be sent any more. */
static bool wait_until_due(struct submitter *f, struct batch *b)
{
	b->now = b->at = pace_now();
	if (!f->o.no_stalls) {
		if (b->now + AHEAD < b->due)
			bunch_reader_fill(f->o.reader);
		b->at = pace_wait(&f->pace, b->due, f->o.halt);
	}
	return !atomic_load(f->o.halt);
}

/*
 * How late it was, and how far the gap before it was from the one asked for.
 * I/Os sent by one call have no gap between them, and none was asked for.
 */
static void measure(struct submitter *f, const struct batch *b)
{
	uint64_t asked = b->due > f->last_due ? b->due - f->last_due : 0;
	uint64_t got = b->at - f->last_at;

	if (!f->o.no_stalls) {
		histogram_add_times(&f->late, b->at - b->due, b->count);
		if (f->last_at)
			histogram_add(&f->gap, asked > got ? asked - got :
							  got - asked);
		histogram_add_times(&f->gap, 0, b->count - 1);
	}
	f->last_due = b->due;
	f->last_at = b->at;
}

static void write_log(struct submitter *f, const struct batch *b,
		      const struct packet *packets)
{
	const struct bunch_log_entry e = {
		.packets = packets,
		.count = b->count,
		.write = f->o.channel->o.write,
		.stalls = !f->o.no_stalls,
		.due = b->due - f->origin,
		.now = b->now > f->origin ? b->now - f->origin : 0,
	};

	if (f->o.log)
		bunch_log_write(f->o.log, &e);
}

/* --- a bunch ------------------------------------------------------------- */

/* Removes I/Os that cannot be done, and counts them as failed. */
static void drop_impossible(struct submitter *f, struct bunch *b)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		const struct packet *p = &b->packets[i];

		if (packet_is_possible(p)) {
			b->packets[kept++] = *p;
			continue;
		}
		fault_add(f->o.fault, -EINVAL, 0, p->sector, p->bytes);
		f->failed++;
	}
	b->count = kept;
}

/* Prepares as many of these I/Os as there are slots; 0: halted. */
static unsigned int prepare(struct submitter *f, struct batch *batch,
			    const struct packet *packets, unsigned int count)
{
	batch->count = channel_get(f->o.channel, batch->slots, count);
	for (unsigned int i = 0; i < batch->count; i++) {
		channel_prepare(f->o.channel, batch->slots[i], &packets[i]);
		batch->iocbs[i] = &batch->slots[i]->iocb;
	}
	return batch->count;
}

/* A file may have any times; an I/O that is never due waits for Ctrl-C. */
static uint64_t due_at(const struct submitter *f, uint64_t time)
{
	const uint64_t never = INT64_MAX;
	uint64_t after = time > f->o.genesis ? time - f->o.genesis : 0;
	double divided = (double)after / f->o.factor;

	/* a double has not all 64 bits */
	if (f->o.factor != 1)
		after = divided < (double)never ? (uint64_t)divided : never;
	return after < never - f->origin ? f->origin + after : never;
}

static bool play_bunch(struct submitter *f, struct bunch *b)
{
	const struct packet *p = b->packets;
	struct batch batch;
	unsigned int left;

	batch.due = due_at(f, b->time);
	drop_impossible(f, b);
	for (left = b->count; left; left -= batch.count) {
		if (!prepare(f, &batch, p, left))
			return false;
		if (!wait_until_due(f, &batch)) {
			put_back(f, &batch);
			return false;
		}
		submit(f, &batch);
		measure(f, &batch);
		write_log(f, &batch, p);
		p += batch.count;
	}
	return true;
}

/* --- all of it ----------------------------------------------------------- */

/* False: end the thread. */
static bool play_file(struct submitter *f)
{
	struct bunch_reader *r = f->o.reader;
	struct bunch b;
	int got;

	f->last_at = 0;
	while ((got = bunch_reader_next(r, &b)) > 0)
		if (!play_bunch(f, &b))
			return false;
	if (!got) {
		bunch_reader_rewind(r);
		return true;
	}
	msg_warn("%s: %s: the file has changed while it was replayed",
		 bunch_reader_path(r), bunch_reader_fault(r));
	f->broken = true;
	atomic_store(f->o.halt, true);
	return false;
}

void *submitter_run(void *submitter)
{
	struct submitter *f = submitter;
	bool on = true;

	pin(f);
	pace_init_thread();
	barrier_arrive(f->o.barrier, 0);
	for (unsigned int i = 1; on && i <= f->o.iterations; i++) {
		on = barrier_wait_open(f->o.barrier, i, &f->origin, f->o.halt);
		if (on && f->o.log)
			bunch_log_write_iteration(f->o.log,
						  f->o.iterations - i);
		on = on && play_file(f);
		barrier_arrive(f->o.barrier, f->last_at);
	}
	atomic_store(&f->o.channel->complete, true);
	channel_close(f->o.channel);
	return NULL;
}
