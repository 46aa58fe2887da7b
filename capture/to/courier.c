/* SPDX-License-Identifier: GPL-2.0-only */
/* Delivering: the side of the capture; see courier.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/array.h"
#include "base/thread.h"
#include "base/time.h"
#include "base/unit.h"
#include "capture/reporter.h"
#include "capture/to/courier.h"
#include "capture/to/courier_impl.h"
#include "capture/to/frame_packing.h"

enum {
	LANES_FIRST = 16,
	TRIES = 5,		/* of the first connection, if it is cut */
	/* of waiting, before that is reported: a server that packs takes up to
	 * one second to acknowledge */
	SILENT_MS = 2000,
	ROOM_MS = 5,		/* a capturing thread waits for room in memory */
};

/* --- begin ---------------------------------------------------------------- */

static int init(struct courier *c)
{
	const struct backlog_options bo = {
		.memory = c->o.spool_size < MEMORY ?
			  (size_t)c->o.spool_size : MEMORY,
		.directory = c->o.spool, .size = c->o.spool_size,
	};
	int err = backlog_new(&c->backlog, &bo);

	if (err) {
		reporter_write(c->o.reporter, "--spool: %s: %s", c->o.spool,
			       strerror(-err));
		return err;
	}
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	c->out = malloc(OUT);
	c->out_size = OUT;
	if (c->o.pack)
		c->packing = frame_packing_new();
	if (c->wake >= 0 && c->out && (c->packing || !c->o.pack) &&
	    getrandom(c->token, sizeof(c->token), 0) == sizeof(c->token))
		return 0;
	reporter_write(c->o.reporter, "out of memory");
	return -ENOMEM;
}

int courier_new(struct courier **out, const struct courier_options *o)
{
	struct courier *c = calloc(1, sizeof(*c));
	uint64_t seed;
	int err;

	if (!c)
		return -ENOMEM;
	c->o = *o;
	c->wake = -1;
	c->pause = PAUSE_FIRST_MS;
	c->wire_options = (struct wire_options){ o->list, o->host, o->tls,
						 &c->abandon };
	pthread_mutex_init(&c->lock, NULL);
	thread_cond_init(&c->changed);
	err = init(c);
	memcpy(&seed, c->token, sizeof(seed));
	random_init(&c->random, seed);
	if (err)
		courier_free(c);
	else
		*out = c;
	return err;
}

int courier_lane(struct courier *c, const struct net_header *h)
{
	struct lane *list;
	int number = -ENOMEM;

	pthread_mutex_lock(&c->lock);
	list = array_reserve(c->lanes, c->count, &c->size, LANES_FIRST,
			     sizeof(*list));
	if (list) {
		c->lanes = list;
		number = (int)c->count++;
		list[number] = (struct lane){ .h = *h };
	}
	pthread_mutex_unlock(&c->lock);
	return number;
}

static bool is_cut(int err)
{
	return err == -ECONNRESET || err == -EPIPE;
}

/* An old server ends the connection where it sees the new protocol. */
static void report_unconnected(const struct courier *c, int err,
			       const char *why)
{
	if (err == -EINTR)
		return;
	if (err == -ECONNREFUSED && !*c->refusal)
		reporter_write(c->o.reporter, "Connection to %s refused,"
			       " perhaps the server is not started?",
			       c->o.name);
	else if (is_cut(err) && !*why)
		reporter_write(c->o.reporter, "%s: the server has ended the"
			       " connection: if it is older than this blktrace,"
			       " it needs a sender without --spool",
			       c->o.name);
	else
		reporter_write(c->o.reporter, "cannot connect to %s: %s",
			       c->o.name, courier_words(c, err, why));
}

/* A network or a server that is just being replaced may cut the first connection,
 * like an old server, which does so each time. */
static int connect_first(struct courier *c, const atomic_bool *stop,
			 char why[CONN_WHY])
{
	unsigned int ms = PAUSE_FIRST_MS;
	int err = courier_connect(c, why);

	for (int i = 1; i < TRIES && is_cut(err) && !*stop; i++, ms *= 2) {
		poll(NULL, 0, (int)ms);
		err = courier_connect(c, why);
	}
	return err;
}

int courier_start(struct courier *c, const atomic_bool *stop)
{
	char why[CONN_WHY];
	int err;

	c->wire_options.stop = stop;
	c->connected = true;
	err = connect_first(c, stop, why);
	c->wire_options.stop = &c->abandon;
	if (err) {
		report_unconnected(c, err, why);
		return err;
	}
	err = thread_start(&c->thread, courier_deliver, c);
	c->started = !err;
	if (err)
		reporter_write(c->o.reporter, "cannot start a thread: %s",
			       strerror(-err));
	return err;
}

/* --- blocks --------------------------------------------------------------- */

static void wake(struct courier *c)
{
	static const uint64_t one = 1;

	/* a full counter is readable, too */
	if (write(c->wake, &one, sizeof(one)) < 0)
		return;
}

static void report_full(struct courier *c)
{
	char size[UNIT_MAX];

	unit_size(size, c->o.spool_size);
	reporter_write(c->o.reporter, "%s: %s of records wait for %s: the"
		       " oldest are dropped", c->o.spool, size, c->o.name);
}

/* A server that is only slow, as where more is recorded than it takes for a
 * moment, makes room soon: the file is for one that is away.  Called with the
 * lock. */
static void wait_for_room(struct courier *c)
{
	struct timespec until = time_to_timespec(time_now() +
						 ROOM_MS * NS_PER_MS);
	int err = 0;

	c->waiters++;
	while (!err && c->linked && !backlog_has_room(c->backlog, ROOM))
		err = pthread_cond_timedwait(&c->changed, &c->lock, &until);
	c->waiters--;
}

void courier_send(struct courier *c, uint32_t lane, const void *bytes,
		  size_t len, uint64_t records)
{
	struct backlog_block b = { .lane = lane, .len = (uint32_t)len,
				   .records = records };
	bool full, asleep;

	pthread_mutex_lock(&c->lock);
	if (!backlog_has_room(c->backlog, len))
		wait_for_room(c);
	b.offset = c->lanes[lane].offset;
	c->lanes[lane].offset += len;
	full = backlog_add(c->backlog, &b, bytes) && !c->full;
	c->full |= full;
	asleep = c->asleep;
	c->asleep = false;
	pthread_mutex_unlock(&c->lock);
	if (full)
		report_full(c);
	if (asleep)
		wake(c);
}

/* --- the end -------------------------------------------------------------- */

static bool is_settled(const struct courier *c)
{
	return c->ending ? c->over : !backlog_waiting(c->backlog);
}

/* Called with the lock. */
static void report_waiting(const struct courier *c)
{
	char size[UNIT_MAX];

	unit_size(size, backlog_waiting(c->backlog));
	reporter_write(c->o.reporter, "waiting for %s to take %s; Ctrl-C drops"
		       " them", c->o.name, size);
}

int courier_settle(struct courier *c, const atomic_bool *stop)
{
	int64_t began = time_now_ms();
	bool reported = false, settled;

	pthread_mutex_lock(&c->lock);
	while (!(settled = is_settled(c)) && !*stop) {
		struct timespec until = time_to_timespec(time_now() +
							 STEP_MS * NS_PER_MS);

		pthread_cond_timedwait(&c->changed, &c->lock, &until);
		if (reported || time_now_ms() - began < SILENT_MS)
			continue;
		reported = true;
		report_waiting(c);
	}
	pthread_mutex_unlock(&c->lock);
	if (settled)
		return 0;
	c->abandon = true;
	return -EINTR;
}

static struct courier_lost lost_of(const struct lane *l)
{
	return (struct courier_lost){
		.records = l->totals.records - l->records,
		.bytes = l->totals.bytes - l->bytes,
	};
}

struct courier_lost courier_lane_lost(struct courier *c, uint32_t lane)
{
	struct courier_lost lost;

	pthread_mutex_lock(&c->lock);
	lost = lost_of(&c->lanes[lane]);
	pthread_mutex_unlock(&c->lock);
	return lost;
}

struct courier_lost courier_lost(struct courier *c)
{
	struct courier_lost sum = { .records = 0 };

	pthread_mutex_lock(&c->lock);
	sum.forgotten = c->forgotten;
	for (size_t i = 0; i < c->count; i++) {
		struct courier_lost lost = lost_of(&c->lanes[i]);

		sum.records += lost.records;
		sum.bytes += lost.bytes;
	}
	pthread_mutex_unlock(&c->lock);
	return sum;
}

void courier_close(struct courier *c, uint32_t lane, uint64_t records,
		   uint64_t bytes, uint32_t drops)
{
	pthread_mutex_lock(&c->lock);
	c->lanes[lane].totals = (struct frame_totals){ .records = records,
						       .bytes = bytes };
	c->lanes[lane].drops = drops;
	pthread_mutex_unlock(&c->lock);
}

int courier_end(struct courier *c, const atomic_bool *stop)
{
	pthread_mutex_lock(&c->lock);
	c->ending = true;
	c->asleep = false;
	pthread_mutex_unlock(&c->lock);
	wake(c);
	return courier_settle(c, stop);
}

void courier_free(struct courier *c)
{
	if (!c)
		return;
	c->abandon = true;
	if (c->started) {
		wake(c);
		pthread_join(c->thread, NULL);
	}
	wire_free(c->wire);
	backlog_free(c->backlog);
	if (c->wake >= 0)
		close(c->wake);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->changed);
	frame_packing_free(c->packing);
	free(c->lanes);
	free(c->spare);
	free(c->out);
	free(c);
}
