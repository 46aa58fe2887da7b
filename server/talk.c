/* SPDX-License-Identifier: GPL-2.0-only */
/* The conversation with one client; see talk.h. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/report.h"
#include "server/senders.h"
#include "server/talk.h"

/* --- whole ---------------------------------------------------------------- */

/* Starts a block of size bytes, at least 1; 0, -ENOMEM, or -EDQUOT: the sender
 * has too many waiting. */
static int whole_begin(struct whole *w, struct sender *sender, size_t size)
{
	if (sender && size > WHOLE_WAITING - sender->waiting)
		return -EDQUOT;
	*w = (struct whole){ .sender = sender, .bytes = malloc(size),
			     .size = size };
	if (!w->bytes)
		return -ENOMEM;
	if (sender)
		sender->waiting += size;
	return 0;
}

/* Adds len bytes, at most those missing. */
static void whole_add(struct whole *w, const uint8_t *bytes, size_t len)
{
	memcpy(w->bytes + w->have, bytes, len);
	w->have += len;
}

static void whole_end(struct whole *w)
{
	if (!w->bytes)
		return;
	if (w->sender)
		w->sender->waiting -= w->size;
	free(w->bytes);
	*w = (struct whole){ .bytes = NULL };
}

/* --- talk ----------------------------------------------------------------- */

enum { ERROR_TEXT = 192, PART_TEXT = 24 };

struct talk {
	struct talk_options o;
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

	struct run_lane **lanes;	/* open ones */
	size_t count, size;
	size_t opens;		/* so far */
	char error[ERROR_TEXT];
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
	err = t->o.answer(t->o.ctx, raw);
	if (err)
		return bad(t, "cannot answer: %s", strerror(-err));
	return TALK_ON;
}

/* Makes room for one more open lane. */
static int make_room(struct talk *t)
{
	size_t size = t->size ? 2 * t->size : 4;
	struct run_lane **lanes;

	if (t->count < t->size)
		return 0;
	if (t->count >= TALK_LANES_MAX)
		return -EMFILE;
	lanes = realloc(t->lanes, size * sizeof(struct run_lane *));
	if (!lanes)
		return -ENOMEM;
	t->lanes = lanes;
	t->size = size;
	return 0;
}

/* A close has no CPU, so a connection cannot have cards and traces. */
static bool is_mixed(const struct talk *t, const struct net_header *h)
{
	return t->count && is_card(t->lanes[0]) != (h->cpu == NET_CPU_CARD);
}

static enum talk_state on_open(struct talk *t, const struct net_header *h)
{
	char text[PART_TEXT];
	const char *why;

	if (h->cpu == NET_CPU_CARD && !t->o.cards)
		return bad(t, "bad CPU");
	if (is_mixed(t, h))
		return bad(t, "cards and traces on one connection");
	if (make_room(t))
		return bad(t, "too many opens on one connection");
	why = run_lane_open(t->o.runs, &t->o.peer, h, &t->lanes[t->count]);
	if (why)
		return bad(t, "%s, %s: %s", h->name, part(text, h->cpu), why);
	t->count++;
	t->opens++;
	return answer(t, h);
}

/* The open lane of that device, and of that CPU or of any. */
static size_t find_lane(const struct talk *t, const struct net_header *h,
			bool any)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (run_lane_is(t->lanes[i], h->name) &&
		    (any || run_lane_cpu(t->lanes[i]) == h->cpu))
			break;
	return i;
}

/* A close has drops instead of the CPU.  Answers after closing the lane, so
 * that the client knows that its files are complete. */
static enum talk_state on_close(struct talk *t, const struct net_header *h)
{
	size_t i = find_lane(t, h, true);
	struct run_lane *l;
	enum talk_state state;

	if (i == t->count)
		return bad(t, "%s is closed but was not opened", h->name);
	l = t->lanes[i];
	t->lanes[i] = t->lanes[--t->count];
	if (!is_card(l))
		run_lane_set_drops(l, h->cpu);
	run_lane_close(l);
	state = answer(t, h);
	return state == TALK_ON && !t->count ? TALK_DONE : state;
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
	size_t i = find_lane(t, h, false);
	char text[PART_TEXT];

	if (i == t->count)
		return bad(t, "data of %s, %s, which was not opened",
			   h->name, part(text, h->cpu));
	t->data = *h;
	memcpy(t->prefix, t->head, NET_PREFIX);
	t->left = h->len;
	t->front = true;
	t->to = t->lanes[i];
	return is_card(t->to) ? begin_card(t, h) : TALK_ON;
}

/* A name must be safe in scripts; the kernel's names have only these
 * characters. */
static bool name_is_harmless(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._!-";

	return *name != '-' && !name[strspn(name, allowed)];
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
	if (why ? !strcmp(why, NET_BAD_NAME) : !name_is_harmless(h.name))
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
	const char *device = run_lane_device(t->to);
	char text[PART_TEXT];

	t->left -= n;
	t->front = false;
	if (!err)
		return TALK_ON;
	if (err == -EDQUOT)
		return bad(t, "%s, %s: --max-bytes is reached", device,
			   part(text, run_lane_cpu(t->to)));
	return bad(t, "%s, %s: cannot write: %s", device,
		   part(text, run_lane_cpu(t->to)), strerror(-err));
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

enum talk_state talk_add(struct talk *t, const uint8_t *p, size_t len)
{
	enum talk_state state = TALK_ON;

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

	if (t)
		t->o = *o;
	return t;
}

size_t talk_lanes(const struct talk *t)
{
	return t->count;
}

size_t talk_opens(const struct talk *t)
{
	return t->opens;
}

bool talk_is_silent(const struct talk *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (run_lane_is_silent(t->lanes[i]))
			return true;
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
	whole_end(&t->card);
	for (size_t i = 0; i < t->count; i++) {
		struct run_lane *l = t->lanes[i];
		char text[PART_TEXT];

		report_warn(t->o.report, "%s:%s: %s ended without a close;"
			    " received data is kept", t->o.peer.host,
			    run_lane_device(l), part(text, run_lane_cpu(l)));
		run_lane_close(l);
	}
	free(t->lanes);
	free(t);
}
