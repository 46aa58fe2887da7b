/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os that a thread joins ahead; see join_ahead.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/conveyor.h"
#include "base/hint.h"
#include "base/past.h"
#include "record/record.h"
#include "request/join_ahead.h"

enum { PARCELS = 6, IOS = 512, STAYS = 512, MESSAGES = 64 };

/* bytes of messages: some, and the longest */
enum { TEXT_MOST = UINT16_MAX, TEXTS = TEXT_MOST + 8 * 1024 };

/* Settling costs as much as hundreds of I/Os: after 64, more than one in 1,024 I/Os
 * is no gain. */
enum { SETTLES_LEAST = 64, SETTLE_IOS = 1024 };

enum { LINE = 64, SOON = 2 };	/* of a cache; I/Os until one is fetched */

struct parcel {
	struct joined list[IOS];
	uint64_t done, total;	/* progress */
	unsigned int count, stay_count;
	struct io_stay stays[STAYS];
	unsigned int message_count;
	size_t text;		/* bytes used */
	struct message {
		unsigned int before;	/* which I/O it was */
		struct event ev;
	} messages[MESSAGES];
	uint8_t texts[TEXTS];
};

struct join_ahead {
	struct conveyor *conveyor;
	struct join_way way;
	int result;		/* why the thread has ended */

	BETWEEN_THREADS(before);
	/* the thread's */
	struct joined next;
	struct parcel *filling;	/* NULL: no more are taken */
	uint64_t ios;
	unsigned int settles;

	BETWEEN_THREADS(after);
	/* the taker's */
	struct parcel *taking;
	const struct joined *at, *until;	/* a message or the end */
	unsigned int messages;	/* of the parcel, taken */
};

/* --- the thread ----------------------------------------------------------- */

static void begin_parcel(struct join_ahead *a)
{
	a->filling = conveyor_fill(a->conveyor);
	if (!a->filling)
		return;
	a->filling->count = a->filling->stay_count = 0;
	a->filling->message_count = 0;
	a->filling->text = 0;
}

static APART void send_parcel(struct join_ahead *a)
{
	struct parcel *p = a->filling;

	if (!p || !(p->count || p->message_count))
		return;
	a->ios += p->count;
	a->way.progress(a->way.ctx, &p->done, &p->total);
	past_end();
	conveyor_send(a->conveyor);
	begin_parcel(a);
}

void join_ahead_message(struct join_ahead *a, const struct event *ev)
{
	struct parcel *p = a->filling;
	struct message *m;

	if (p && (p->message_count == MESSAGES || p->text > TEXTS - TEXT_MOST)) {
		send_parcel(a);
		p = a->filling;
	}
	if (!p)
		return;
	m = &p->messages[p->message_count++];
	m->before = p->count;
	m->ev = *ev;
	m->ev.payload = memcpy(p->texts + p->text, ev->payload, ev->pdu_len);
	p->text += ev->pdu_len;
}

bool join_ahead_settle(struct join_ahead *a)
{
	send_parcel(a);
	a->settles++;
	return a->filling && conveyor_settle(a->conveyor);
}

static bool settles_too_often(const struct join_ahead *a)
{
	return a->settles > SETTLES_LEAST && a->ios / SETTLE_IOS < a->settles;
}

/* Copies them to the parcel; false: they are too many. */
static COLD bool keep_stays(struct parcel *p, struct io *io)
{
	const struct io_stay **to = &io->stays;

	for (const struct io_stay *s = io->stays; s; s = s->before) {
		struct io_stay *mine = &p->stays[p->stay_count];

		if (p->stay_count == STAYS)
			return false;
		p->stay_count++;
		*mine = *s;
		*to = mine;
		to = &mine->before;
	}
	return true;
}

/* Whoever takes one without an end may ask what is known at its moment. */
static inline bool is_of_its_moment(struct parcel *p, struct io *io)
{
	return UNLIKELY(!io_completed(io)) ||
	       (UNLIKELY(io->stays) && !keep_stays(p, io));
}

/* whether it goes on */
static inline bool join_one(struct join_ahead *a)
{
	int got = a->way.next(a->way.ctx, &a->next);
	bool of_its_moment;

	if (UNLIKELY(got == -EINTR || !a->filling))
		return true;
	if (UNLIKELY(got != 1)) {
		a->result = got;
		return false;
	}
	of_its_moment = is_of_its_moment(a->filling, &a->next.io);
	past_copy(&a->filling->list[a->filling->count++], &a->next,
		  sizeof(a->next));
	if (UNLIKELY(of_its_moment))
		join_ahead_settle(a);
	else if (UNLIKELY(a->filling->count == IOS))
		send_parcel(a);
	return true;
}

static void *run(void *arg)
{
	struct join_ahead *a = arg;

	a->way.begin(a->way.ctx, &a->next);
	begin_parcel(a);
	while (a->filling && !settles_too_often(a) &&
	       !conveyor_stopped(a->conveyor) && join_one(a))
		;
	send_parcel(a);
	conveyor_end(a->conveyor);
	return NULL;
}

/* --- who takes ------------------------------------------------------------ */

int join_ahead_new(struct join_ahead **out, const struct join_way *way)
{
	struct join_ahead *a = calloc(1, sizeof(*a));
	int err;

	*out = a;
	if (!a)
		return -ENOMEM;
	a->way = *way;
	a->result = -ECANCELED;
	err = conveyor_new(&a->conveyor, PARCELS, sizeof(struct parcel));
	if (!err)
		err = conveyor_start(a->conveyor, run, a);
	if (!err)
		return 0;
	conveyor_free(a->conveyor);
	free(a);
	*out = NULL;
	return err;
}

/* Takes the messages up to the next I/O. */
static void take_messages(struct join_ahead *a)
{
	const struct parcel *p = a->taking;
	unsigned int at = (unsigned int)(a->at - p->list);

	while (a->messages < p->message_count &&
	       p->messages[a->messages].before == at)
		a->way.message(a->way.ctx, &p->messages[a->messages++].ev);
	a->until = p->list + (a->messages < p->message_count ?
			      p->messages[a->messages].before : p->count);
}

static bool next_parcel(struct join_ahead *a)
{
	a->taking = conveyor_take(a->conveyor);
	if (!a->taking)
		return false;
	a->at = a->until = a->taking->list;
	a->messages = 0;
	return true;
}

/* whether there is a next I/O */
static APART bool go_on(struct join_ahead *a)
{
	do {
		if (a->taking)
			take_messages(a);
		if (a->at != a->until)
			return true;
	} while (next_parcel(a));
	return false;
}

static inline void fetch(const struct joined *soon)
{
	for (size_t i = 0; i < sizeof(*soon); i += LINE)
		__builtin_prefetch((const char *)soon + i);
}

int join_ahead_next(struct join_ahead *a, const struct joined **joined)
{
	if (UNLIKELY(a->at == a->until) && !go_on(a))
		return a->result;
	fetch(a->at + SOON);
	*joined = a->at++;
	return 1;
}

void join_ahead_progress(const struct join_ahead *a, uint64_t *done,
			 uint64_t *total)
{
	*done = a->taking ? a->taking->done : 0;
	*total = a->taking ? a->taking->total : 0;
}

void join_ahead_stop(struct join_ahead *a)
{
	conveyor_stop(a->conveyor);
}

void join_ahead_free(struct join_ahead *a)
{
	if (!a)
		return;
	conveyor_free(a->conveyor);
	free(a);
}
