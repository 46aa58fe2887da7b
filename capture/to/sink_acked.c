/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending with acknowledgements; see sink_acked.h. */
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/to/sink_acked.h"
#include "machine/card.h"

_Static_assert(NET_CARD_MAX == CARD_BYTES, "a server takes all that we write");
_Static_assert(NET_CARD_MAX <= COURIER_SPOOL_MIN / 8, "a card is a block");

enum { DEVICES_FIRST = 8 };

/* a lane's device, by the courier's number of the lane */
struct sink_acked {
	struct sink sink;
	struct sink_acked_options o;
	struct addrinfo *list;
	struct courier *courier;
	const struct run_cards *cards;	/* or NULL */
	uint32_t first_card;	/* number of the first device's lane of cards */
	/* the device of each lane before that */
	unsigned int *devices;
	size_t count, size;
	pthread_mutex_t lock;	/* of these, as lanes are opened by threads */
};

/* A lane is known by its number, plus 1, so that it is not NULL. */
static uint32_t number_of(const struct sink_lane *l)
{
	return (uint32_t)(uintptr_t)l->out - 1;
}

static int add_lane(struct sink_acked *s, const char *name, uint32_t cpu)
{
	struct net_header h = { .cpu = cpu, .max_cpus = s->o.net.max_cpus };

	memcpy(h.name, name, strnlen(name, NET_NAME - 1));
	return courier_lane(s->courier, &h);
}

/* --- the sink ------------------------------------------------------------- */

/* The courier numbers lanes in the order of calls. */
static int acked_open(struct sink *base, struct sink_lane *l)
{
	struct sink_acked *s = (struct sink_acked *)base;
	unsigned int *list;
	int number = -ENOMEM;

	if (!sink_net_can_send(&s->o.net, l))
		return -EINVAL;
	pthread_mutex_lock(&s->lock);
	list = array_reserve(s->devices, s->count, &s->size, DEVICES_FIRST,
			     sizeof(*list));
	if (list) {
		s->devices = list;
		number = add_lane(s, l->name, l->cpu);
	}
	if (number >= 0)
		list[s->count++] = l->device;
	pthread_mutex_unlock(&s->lock);
	if (number < 0)
		return number;
	l->out = (void *)((uintptr_t)number + 1);
	return 0;
}

/* Of len bytes of whole records those of the next block; one at least. */
static size_t next_block(const uint8_t *p, size_t len, uint64_t *records)
{
	size_t n = 0;

	*records = 0;
	while (n < len) {
		size_t record = span_record_len(p + n);

		if (n && n + record > FRAME_BLOCK)
			break;
		n += record;
		++*records;
	}
	return n;
}

/* A seal comes alone, and does not count. */
static int acked_write(struct sink *base, struct sink_lane *l,
		       const void *records, size_t len)
{
	struct sink_acked *s = (struct sink_acked *)base;
	const uint8_t *p = records;

	while (len) {
		uint64_t count;
		size_t n = next_block(p, len, &count);

		courier_send(s->courier, number_of(l), p, n,
			     span_is_seal(p) ? 0 : count);
		p += n;
		len -= n;
	}
	return 0;
}

static int acked_flush(struct sink *s, struct sink_lane *l)
{
	(void)s;
	(void)l;
	return 0;
}

static int acked_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct sink_acked *s = (struct sink_acked *)base;

	courier_close(s->courier, number_of(l), l->events, l->bytes,
		      drops < UINT32_MAX ? (uint32_t)drops : UINT32_MAX);
	return 0;
}

static void acked_free(struct sink *base)
{
	struct sink_acked *s = (struct sink_acked *)base;

	courier_free(s->courier);
	freeaddrinfo(s->list);
	pthread_mutex_destroy(&s->lock);
	free(s->devices);
	free(s);
}

static const struct sink_ops acked_ops = {
	.open = acked_open,
	.write = acked_write,
	.flush = acked_flush,
	.close = acked_close,
	.free = acked_free,
};

/* --- begin ---------------------------------------------------------------- */

static int make_courier(struct sink_acked *s)
{
	const struct courier_options o = {
		.list = s->list, .host = s->o.net.host,
		.name = sink_acked_host(&s->sink), .tls = s->o.net.tls,
		.spool = s->o.spool, .spool_size = s->o.spool_size,
		.pack = s->o.pack,
		.reporter = s->o.net.reporter,
	};

	return courier_new(&s->courier, &o);
}

struct sink *sink_acked_new(const struct sink_acked_options *o)
{
	struct addrinfo *list = sink_net_resolve(&o->net);
	struct sink_acked *s;

	if (!list)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		reporter_write(o->net.reporter, "out of memory");
		freeaddrinfo(list);
		return NULL;
	}
	s->sink.ops = &acked_ops;
	s->o = *o;
	s->list = list;
	pthread_mutex_init(&s->lock, NULL);
	if (!make_courier(s))
		return &s->sink;
	acked_free(&s->sink);
	return NULL;
}

const char *sink_acked_host(const struct sink *base)
{
	const struct sink_acked *s = (const struct sink_acked *)base;

	return s->list->ai_canonname ? s->list->ai_canonname : s->o.net.host;
}

/* --- cards ---------------------------------------------------------------- */

/* Without memory the trace is sent without them. */
static int open_cards(struct sink_acked *s, const struct run_cards *c)
{
	const char *name;

	for (unsigned int i = 0; (name = run_cards_name(c, i)); i++) {
		int number = add_lane(s, name, NET_CPU_CARD);

		if (number < 0)
			return number;
		if (i == 0)
			s->first_card = (uint32_t)number;
	}
	s->cards = c;
	return 0;
}

static void send_cards(struct sink_acked *s, bool complete)
{
	for (unsigned int i = 0; s->cards && run_cards_name(s->cards, i); i++) {
		struct buf b;

		if (run_cards_text(s->cards, i, complete, &b))
			continue;
		courier_send(s->courier, s->first_card + i, b.data, b.len, 0);
		buf_free(&b);
	}
}

int sink_acked_begin(struct sink *base, const struct run_cards *c)
{
	struct sink_acked *s = (struct sink_acked *)base;
	int err = c ? open_cards(s, c) : 0;

	if (!err)
		err = courier_start(s->courier, s->o.net.stop);
	if (!err)
		send_cards(s, false);
	return err;
}

/* --- the end -------------------------------------------------------------- */

int sink_acked_settle(struct sink *base, const atomic_bool *stop)
{
	return courier_settle(((struct sink_acked *)base)->courier, stop);
}

struct courier_lost sink_acked_lost(const struct sink *base,
				    unsigned int device)
{
	const struct sink_acked *s = (const struct sink_acked *)base;
	struct courier_lost sum = { .records = 0 };

	for (uint32_t i = 0; i < s->count; i++) {
		struct courier_lost lost;

		if (s->devices[i] != device)
			continue;
		lost = courier_lane_lost(s->courier, i);
		sum.records += lost.records;
		sum.bytes += lost.bytes;
	}
	return sum;
}

struct courier_lost sink_acked_lost_all(const struct sink *base)
{
	return courier_lost(((const struct sink_acked *)base)->courier);
}

int sink_acked_end(struct sink *base, const atomic_bool *stop)
{
	struct sink_acked *s = (struct sink_acked *)base;

	send_cards(s, true);
	return courier_end(s->courier, stop);
}
