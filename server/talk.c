/* SPDX-License-Identifier: GPL-2.0-only */
/* The conversation with one client; see talk.h. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pool.h"
#include "server/delivery.h"
#include "server/report.h"
#include "server/senders.h"
#include "server/talk.h"
#include "server/whole.h"

enum { PART_TEXT = 24 };

/* an open lane; those of a device are a list */
struct opened {
	struct run_lane *lane;	/* NULL: closed */
	uint32_t next;		/* of its device, or POOL_NONE */
};

struct talk {
	struct talk_options o;
	bool begun;		/* the first byte has come */
	struct delivery *delivery;	/* NULL: it speaks 1.3.0's protocol */

	/* a partial header, or data that looks like one */
	uint8_t head[NET_HEADER];
	size_t have;
	/* of the data to come, for *to */
	struct net_header data;
	uint8_t prefix[NET_PREFIX];
	uint64_t left;
	bool front;		/* none of it has come */
	struct run_lane *to;
	struct whole card;	/* if to is a card's */

	struct pool lanes;	/* of struct opened */
	struct hash by_lane;	/* their numbers, by name and CPU */
	struct hash by_name;	/* the first one's of a device */
	bool has_cards;		/* they are cards */
	size_t opens;		/* so far */
	char error[TALK_ERROR];
};

__attribute__((format(printf, 2, 3)))
static enum talk_state bad(struct talk *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->error, sizeof(t->error), fmt, ap);
	va_end(ap);
	return TALK_BAD;
}

/* The name of a lane in messages. */
static const char *part(char text[PART_TEXT], uint32_t cpu)
{
	if (cpu == NET_CPU_CARD)
		return "card";
	snprintf(text, PART_TEXT, "CPU %u", cpu);
	return text;
}

static bool is_card(const struct run_lane *l)
{
	return run_lane_cpu(l) == NET_CPU_CARD;
}

/* --- open lanes ----------------------------------------------------------- */

static struct opened *open_at(const struct talk *t, uint32_t number)
{
	return number == POOL_NONE ? NULL : pool_get(&t->lanes, number);
}

static uint64_t key_of_name(const struct talk *t, const char *name)
{
	return hash_text(&t->by_name, name, strlen(name));
}

static uint64_t key_of_lane(const struct talk *t, const char *name,
			    uint32_t cpu)
{
	char key[NET_NAME + sizeof(cpu)];
	size_t len = strlen(name) + 1;

	memcpy(key, name, len);
	memcpy(key + len, &cpu, sizeof(cpu));
	return hash_text(&t->by_lane, key, len + sizeof(cpu));
}

/* The open lane of that device and CPU, or NULL. */
static struct run_lane *find_lane(const struct talk *t, const char *name,
				  uint32_t cpu)
{
	int64_t number = hash_get_number(&t->by_lane,
					 key_of_lane(t, name, cpu));

	return number < 0 ? NULL : open_at(t, (uint32_t)number)->lane;
}

/* Sets the first of a device's list. */
static int set_first(struct talk *t, const char *name, uint32_t number)
{
	uint64_t key = key_of_name(t, name);

	if (number != POOL_NONE)
		return hash_put_number(&t->by_name, key, number);
	hash_del(&t->by_name, key);
	return 0;
}

/* Adds a lane; 0, or -ENOMEM: l is not added. */
static int add_lane(struct talk *t, struct run_lane *l)
{
	const char *name = run_lane_device(l);
	uint64_t key = key_of_lane(t, name, run_lane_cpu(l));
	int64_t first = hash_get_number(&t->by_name, key_of_name(t, name));
	uint32_t number = pool_add(&t->lanes);
	struct opened *o = open_at(t, number);

	if (!o)
		return -ENOMEM;
	*o = (struct opened){ l, first < 0 ? POOL_NONE : (uint32_t)first };
	if (hash_put_number(&t->by_lane, key, number) ||
	    set_first(t, name, number)) {
		hash_del(&t->by_lane, key);
		o->lane = NULL;
		pool_remove(&t->lanes, number);
		return -ENOMEM;
	}
	return 0;
}

/* Takes any open lane of a device; NULL: it has none. */
static struct run_lane *take_lane(struct talk *t, const char *name)
{
	int64_t number = hash_get_number(&t->by_name, key_of_name(t, name));
	struct run_lane *l;
	struct opened *o;

	if (number < 0)
		return NULL;
	o = open_at(t, (uint32_t)number);
	l = o->lane;
	set_first(t, name, o->next);
	hash_del(&t->by_lane, key_of_lane(t, name, run_lane_cpu(l)));
	o->lane = NULL;
	pool_remove(&t->lanes, (uint32_t)number);
	return l;
}

/* --- headers -------------------------------------------------------------- */

static enum talk_state answer(struct talk *t, const struct net_header *h)
{
	struct net_header a = t->o.self;
	uint8_t raw[NET_HEADER];
	int err;

	memcpy(a.name, h->name, sizeof(a.name));
	a.cpu = 0;
	a.len = NET_ANSWER;
	net_encode(&a, raw);
	err = t->o.answer(t->o.ctx, raw, sizeof(raw));
	if (err)
		return bad(t, "cannot answer: %s", strerror(-err));
	return TALK_ON;
}

static enum talk_state cannot_store(struct talk *t, const char *device,
				    uint32_t cpu, int err)
{
	char text[PART_TEXT];

	if (err == -EDQUOT)
		return bad(t, "%s, %s: --max-bytes is reached", device,
			   part(text, cpu));
	return bad(t, "%s, %s: cannot write: %s", device, part(text, cpu),
		   strerror(-err));
}

/* A close has no CPU, so a connection cannot have cards and traces. */
static bool is_mixed(const struct talk *t, const struct net_header *h)
{
	return talk_lanes(t) && t->has_cards != (h->cpu == NET_CPU_CARD);
}

static enum talk_state on_open(struct talk *t, const struct net_header *h)
{
	struct run_lane *l;
	char text[PART_TEXT];
	const char *why;

	if (h->cpu == NET_CPU_CARD && !t->o.cards)
		return bad(t, "bad CPU");
	if (is_mixed(t, h))
		return bad(t, "cards and traces on one connection");
	if (talk_lanes(t) >= TALK_LANES_MAX)
		return bad(t, "too many opens on one connection");
	why = find_lane(t, h->name, h->cpu) ? "already open" :
	      run_lane_open(t->o.runs, &t->o.peer, h, &l);
	if (!why && add_lane(t, l)) {
		run_lane_close(l);
		why = strerror(ENOMEM);
	}
	if (why)
		return bad(t, "%s, %s: %s", h->name, part(text, h->cpu), why);
	t->has_cards = is_card(l);
	t->opens++;
	return answer(t, h);
}

/* A close has drops instead of the CPU.  Answers after closing the lane, so
 * that the client knows that its files are complete. */
static enum talk_state on_close(struct talk *t, const struct net_header *h)
{
	struct run_lane *l = take_lane(t, h->name);
	enum talk_state state;
	uint32_t cpu;
	int err;

	if (!l)
		return bad(t, "%s is closed but was not opened", h->name);
	if (!is_card(l))
		run_lane_set_drops(l, h->cpu);
	cpu = run_lane_cpu(l);
	err = run_lane_close(l);
	if (err)
		return cannot_store(t, h->name, cpu, err);
	state = answer(t, h);
	return state == TALK_ON && !talk_lanes(t) ? TALK_DONE : state;
}

static enum talk_state begin_card(struct talk *t, const struct net_header *h)
{
	int err = h->len > NET_CARD_MAX ? -EFBIG :
		  whole_begin(&t->card, t->o.peer.sender, h->len);

	if (err)
		return bad(t, "%s, card: %u bytes: %s", h->name, h->len,
			   err == -EDQUOT ? "too many wait" : strerror(-err));
	return TALK_ON;
}

static enum talk_state on_data(struct talk *t, const struct net_header *h)
{
	struct run_lane *l = find_lane(t, h->name, h->cpu);
	char text[PART_TEXT];

	if (!l)
		return bad(t, "data of %s, %s, which was not opened",
			   h->name, part(text, h->cpu));
	t->data = *h;
	memcpy(t->prefix, t->head, NET_PREFIX);
	t->left = h->len;
	t->front = true;
	t->to = l;
	return is_card(t->to) ? begin_card(t, h) : TALK_ON;
}

/* Escapes control characters, which a terminal would obey. */
static enum talk_state bad_name(struct talk *t, const char name[NET_NAME])
{
	char text[4 * NET_NAME + 1], *end = text;

	for (int i = 0; i < NET_NAME && name[i]; i++)
		if (name[i] < ' ' || name[i] > '~' || name[i] == '\\')
			end += sprintf(end, "\\x%02x", (uint8_t)name[i]);
		else
			*end++ = name[i];
	*end = '\0';
	return bad(t, NET_BAD_NAME " \"%s\"", text);
}

static enum talk_state on_header(struct talk *t)
{
	struct net_header h;
	const char *why = net_decode(&h, t->head);

	t->have = 0;
	if (why ? !strcmp(why, NET_BAD_NAME) : !net_name_harmless(h.name))
		return bad_name(t, h.name);
	if (why)
		return bad(t, "%s", why);
	switch (net_kind(&h)) {
	case NET_OPEN:
		return on_open(t, &h);
	case NET_CLOSE:
		return on_close(t, &h);
	case NET_DATA:
		return on_data(t, &h);
	default:
		return bad(t, "an answer, which only servers send");
	}
}

/* --- data ----------------------------------------------------------------- */

static size_t smaller(size_t a, uint64_t b)
{
	return a < b ? a : (size_t)b;
}

/* Stores a complete card; readers check its content. */
static int store_card(struct talk *t, const uint8_t *p, size_t n)
{
	int err = 0;

	whole_add(&t->card, p, n);
	if (t->card.have == t->card.size) {
		err = run_lane_card(t->to, t->card.bytes, t->card.size);
		whole_end(&t->card);
	}
	return err;
}

static enum talk_state store(struct talk *t, const uint8_t *p, size_t n)
{
	int err = is_card(t->to) ? store_card(t, p, n) :
				   run_lane_write(t->to, p, n);

	t->left -= n;
	t->front = false;
	return err ? cannot_store(t, run_lane_device(t->to),
				  run_lane_cpu(t->to), err) : TALK_ON;
}

/*
 * 1.3.0: a client without -s announces data, cannot send it on today's kernels,
 * and sends its next header instead, which is known by its first word (no
 * record's), name, run and number of CPUs.
 */
static bool is_next_header(const struct talk *t)
{
	struct net_header h;

	return !net_decode(&h, t->head) && h.run == t->data.run &&
	       h.max_cpus == t->data.max_cpus;
}

static enum talk_state skip_data(struct talk *t)
{
	report_warn(t->o.report, "%s:%s: CPU %u announced %u bytes and sent"
		    " none of them", t->o.peer.host, t->data.name,
		    t->data.cpu, t->data.len);
	t->left = 0;
	whole_end(&t->card);
	return on_header(t);
}

/* It was data; bytes after its end start the next header. */
static enum talk_state front_is_data(struct talk *t)
{
	size_t n = smaller(t->have, t->left);
	enum talk_state state = store(t, t->head, n);

	t->have -= n;
	memmove(t->head, t->head + n, t->have);
	return state;
}

/* Gathers the start of data until it is known to be no header. */
static enum talk_state check_front(struct talk *t)
{
	if (memcmp(t->head, t->prefix, smaller(t->have, NET_PREFIX)))
		return front_is_data(t);
	if (t->have < NET_HEADER)
		return TALK_ON;
	return is_next_header(t) ? skip_data(t) : front_is_data(t);
}

/* --- bytes ---------------------------------------------------------------- */

/* Most data differs from a header in its first bytes, and needs no copy. */
static bool plainly_data(const struct talk *t, const uint8_t *p, size_t len)
{
	if (!t->left || t->have)
		return false;
	return !t->front || memcmp(p, t->prefix, smaller(len, NET_PREFIX));
}

/* One step; *used: bytes used, at least one. */
static enum talk_state step(struct talk *t, const uint8_t *p, size_t len,
			    size_t *used)
{
	if (plainly_data(t, p, len)) {
		*used = smaller(len, t->left);
		return store(t, p, *used);
	}
	*used = smaller(len, NET_HEADER - t->have);
	memcpy(t->head + t->have, p, *used);
	t->have += *used;
	if (t->left)
		return check_front(t);
	return t->have == NET_HEADER ? on_header(t) : TALK_ON;
}

/* The first byte has come: which protocol it is.  0 or -ENOMEM. */
static int begin(struct talk *t, uint8_t first)
{
	t->begun = true;
	if (first != FRAME_FIRST)
		return 0;
	t->delivery = delivery_new(&t->o, t->error);
	return t->delivery ? 0 : -ENOMEM;
}

enum talk_state talk_add(struct talk *t, const uint8_t *p, size_t len)
{
	enum talk_state state = TALK_ON;

	if (len && !t->begun && begin(t, *p))
		return bad(t, "%s", strerror(ENOMEM));
	if (t->delivery)
		return delivery_add(t->delivery, p, len);
	while (len && state == TALK_ON) {
		size_t used;

		state = step(t, p, len, &used);
		p += used;
		len -= used;
	}
	return state;
}

/* --- begin and end -------------------------------------------------------- */

struct talk *talk_new(const struct talk_options *o)
{
	struct talk *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->o = *o;
	t->lanes.item_size = sizeof(struct opened);
	return t;
}

size_t talk_lanes(const struct talk *t)
{
	return pool_count(&t->lanes);
}

size_t talk_opens(const struct talk *t)
{
	return t->delivery ? delivery_opens(t->delivery) : t->opens;
}

bool talk_owes(const struct talk *t)
{
	return t->delivery && delivery_owes(t->delivery);
}

void talk_mark(struct talk *t)
{
	if (t->delivery)
		delivery_mark(t->delivery);
}

enum talk_state talk_acknowledge(struct talk *t)
{
	return t->delivery ? delivery_acknowledge(t->delivery) : TALK_ON;
}

bool talk_is_silent(const struct talk *t)
{
	if (t->delivery)
		return delivery_is_silent(t->delivery);
	for (uint32_t i = 0; i < t->lanes.used; i++) {
		const struct run_lane *l = open_at(t, i)->lane;

		if (l && run_lane_is_silent(l))
			return true;
	}
	return false;
}

const char *talk_error(const struct talk *t)
{
	return t->error;
}

void talk_free(struct talk *t)
{
	/* the start of data that might have been a header */
	if (t->left && t->have && !*t->error)
		front_is_data(t);
	delivery_free(t->delivery);
	whole_end(&t->card);
	for (uint32_t i = 0; i < t->lanes.used; i++) {
		struct run_lane *l = open_at(t, i)->lane;
		char text[PART_TEXT];

		if (!l)
			continue;
		report_warn(t->o.report, "%s:%s: %s ended without a close;"
			    " received data is kept", t->o.peer.host,
			    run_lane_device(l), part(text, run_lane_cpu(l)));
		run_lane_close(l);
	}
	pool_free(&t->lanes);
	hash_free(&t->by_lane);
	hash_free(&t->by_name);
	free(t);
}
