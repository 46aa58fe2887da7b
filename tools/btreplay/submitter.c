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
#include "tools/btreplay/kind.h"
#include "tools/btreplay/order.h"
#include "tools/btreplay/submitter.h"

enum {
	AHEAD = 500000,		/* ns, enough to read ahead */
	RETRY_US = 50,		/* the kernel has no room for an I/O */
};

/* one submission */
struct batch {
	struct slot *slots[BUNCH_MAX];
	struct iocb *iocbs[BUNCH_MAX];
	unsigned int count;
	unsigned int submitted, held;	/* of these; the others are calls */
	uint64_t due, now, at;	/* times: due, start of waiting, sent */
};

/* Allocates all cells here, so that measuring does not. */
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

/* The n-th CPU that the process may use, modulo their number. */
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

/* A thread that cannot be pinned runs on any CPU, less exactly. */
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

/* Before sending, as I/Os may come back at once. */
static void count_sent(struct channel *c, unsigned int count)
{
	uint64_t sent = atomic_fetch_add(&c->sent, count) + count;
	uint64_t deep = sent - atomic_load(&c->back);

	if (deep > c->deepest)
		c->deepest = deep;
}

/* Keeps I/Os to submit: those that need not wait and are no calls. */
static void admit(struct submitter *f, struct batch *b)
{
	b->submitted = b->held = 0;
	for (unsigned int i = 0; i < b->count; i++) {
		struct slot *s = b->slots[i];
		bool held;

		s->place.due = f->o.no_stalls ? 0 : b->due;
		if (channel_admit(f->o.channel, s, &held))
			b->iocbs[b->submitted++] = &s->iocb;
		b->held += held;
	}
}

/* The kernel may refuse the first I/O of the rest. */
static void submit(struct submitter *f, struct batch *b)
{
	struct channel *c = f->o.channel;
	unsigned int done = 0;

	count_sent(c, b->count);
	admit(f, b);
	while (done < b->submitted) {
		int got = io_submit(c->context, b->submitted - done,
				    b->iocbs + done);

		if (got > 0)
			done += (unsigned int)got;
		else if (got == -EINTR ||
			 (got == -EAGAIN && !atomic_load(f->o.halt)))
			usleep(RETRY_US);
		else
			channel_back(c, b->iocbs[done++]->data, got, 0);
	}
}

static void put_back(struct submitter *f, struct batch *b)
{
	while (b->count)
		channel_put(f->o.channel, b->slots[--b->count]);
}

/* Waits until the batch is due; false: halted. */
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
 * Measures how late it was, and the error of the gap before it.  I/Os of one
 * call have no gaps.  The order measures held ones.
 */
static void measure(struct submitter *f, const struct batch *b)
{
	uint64_t asked = b->due > f->last_due ? b->due - f->last_due : 0;
	uint64_t got = b->at - f->last_at;

	if (b->held == b->count)
		return;
	if (!f->o.no_stalls) {
		histogram_add_times(&f->late, b->at - b->due,
				    b->count - b->held);
		if (f->last_at)
			histogram_add(&f->gap, asked > got ? asked - got :
							  got - asked);
		histogram_add_times(&f->gap, 0, b->count - b->held - 1);
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

/* --- what is sent of a bunch --------------------------------------------- */

/* place may be NULL. */
static void add_sending(struct submitter *f, const struct packet *p,
			const struct order_item *place)
{
	struct sending *s = &f->sending;

	s->ordered[s->count] = place;
	if (place)
		s->places[s->count] = *place;
	s->packets[s->count++] = *p;
}

/* Adds a packet with its place, if any, and the flush before it, if any. */
static void add_in_order(struct submitter *f, uint64_t time,
			 const struct packet *p)
{
	static const struct packet flush = { .kind = PACKET_FLUSH };
	struct order_item places[2];
	unsigned int n = order_read_places(f->o.channel->o.order, &f->place,
					   time, p, places);

	if (n == 2)
		add_sending(f, &flush, &places[0]);
	if (n)
		add_sending(f, p, &places[n - 1]);
}

/* Counts it, and a flush before it, as failed. */
static void count_impossible(struct submitter *f, const struct packet *p)
{
	struct channel *c = f->o.channel;

	fault_add(c->o.fault, -EINVAL, 0, p->sector, p->bytes);
	atomic_fetch_add(&c->sums[kind_of(p)].failed, 1);
	if (p->preflush && c->o.sent_as[KIND_FLUSH] != KINDS)
		atomic_fetch_add(&c->sums[KIND_FLUSH].failed, 1);
}

static void add_packet(struct submitter *f, uint64_t time,
		       const struct packet *p)
{
	const struct channel *c = f->o.channel;
	bool end = p->kind == PACKET_FLUSHED;

	if (!end && c->o.sent_as[kind_of(p)] == KINDS)
		return;
	if (!end && !packet_is_possible(p))
		count_impossible(f, p);
	else if (c->o.order && !p->read)
		add_in_order(f, time, p);
	else if (!end)
		add_sending(f, p, NULL);
}

/* --- a bunch ------------------------------------------------------------- */

/* Prepares packets from number i, as far as there are slots; 0: halted. */
static unsigned int prepare(struct submitter *f, struct batch *batch,
			    unsigned int i)
{
	const struct sending *s = &f->sending;
	unsigned int left = s->count - i;

	batch->count = channel_get(f->o.channel, batch->slots,
				   left < BUNCH_MAX ? left : BUNCH_MAX);
	for (unsigned int j = 0; j < batch->count; j++, i++)
		channel_prepare(f->o.channel, batch->slots[j], &s->packets[i],
				s->ordered[i] ? &s->places[i] : NULL);
	return batch->count;
}

/* A file may have any times; an I/O never due waits for Ctrl-C. */
static uint64_t due_at(const struct submitter *f, uint64_t time)
{
	const uint64_t never = INT64_MAX;
	uint64_t after = time > f->o.genesis ? time - f->o.genesis : 0;
	double divided = (double)after / f->o.factor;

	/* a double has fewer than 64 bits */
	if (f->o.factor != 1)
		after = divided < (double)never ? (uint64_t)divided : never;
	return after < never - f->origin ? f->origin + after : never;
}

static bool play_bunch(struct submitter *f, const struct bunch *b)
{
	struct batch batch;

	batch.due = due_at(f, b->time);
	f->sending.count = 0;
	for (uint32_t i = 0; i < b->count; i++)
		add_packet(f, b->time, &b->packets[i]);
	for (unsigned int i = 0; i < f->sending.count; i += batch.count) {
		if (!prepare(f, &batch, i))
			return false;
		if (!wait_until_due(f, &batch)) {
			put_back(f, &batch);
			return false;
		}
		submit(f, &batch);
		measure(f, &batch);
		write_log(f, &batch, &f->sending.packets[i]);
	}
	return true;
}

/* --- all of it ----------------------------------------------------------- */

/* False: the thread must end. */
static bool play_file(struct submitter *f)
{
	struct bunch_reader *r = f->o.reader;
	struct bunch b;
	int got;

	f->last_at = 0;
	f->place = (struct order_place){ .begun = false };
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
