/* SPDX-License-Identifier: GPL-2.0-only */
/* Delivering: the side of the server; see courier_impl.h. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/time.h"
#include "base/unit.h"
#include "capture/reporter.h"
#include "capture/to/courier_impl.h"
#include "capture/to/frame_packing.h"

enum {
	/* ms between attempts to connect, doubled up to this */
	PAUSE_LAST_MS = 5000,
	/* ms without an acknowledgement of what was sent: a server may wait for
	 * its disk */
	ACK_MS = 60 * 1000,
};

/* --- output --------------------------------------------------------------- */

/* Room for len more bytes; NULL: no memory. */
static uint8_t *make_room(struct courier *c, size_t len)
{
	if (c->out_size - c->out_len < len) {
		size_t size = c->out_len + len > 2 * c->out_size ?
			      c->out_len + len : 2 * c->out_size;
		uint8_t *out = array_resize(c->out, size, 1);

		if (!out)
			return NULL;
		c->out = out;
		c->out_size = size;
		free(c->spare);
		c->spare = NULL;
	}
	return c->out + c->out_len;
}

static int put_frame(struct courier *c, const struct frame *f)
{
	uint8_t *raw = make_room(c, FRAME + f->len);

	if (!raw)
		return -ENOMEM;
	frame_encode(f, raw);
	c->out_len += FRAME;
	return 0;
}

static int put_hello(struct courier *c)
{
	const struct frame f = { .kind = FRAME_BEGIN, .lane = FRAME_VERSION,
				 .len = FRAME_HELLO,
				 .extra = c->packing ? FRAME_TAKES_PACKED :
						       0 };
	struct frame_hello h = { .run = (uint32_t)getpid() };
	int err = put_frame(c, &f);

	memcpy(h.token, c->token, sizeof(h.token));
	if (err)
		return err;
	frame_hello_encode(&h, c->out + c->out_len);
	c->out_len += FRAME_HELLO;
	return 0;
}

static int put_open(struct courier *c, uint32_t i, bool cut)
{
	struct lane *l = &c->lanes[i];
	const struct frame f = { .kind = FRAME_OPEN, .lane = i,
				 .offset = l->acknowledged, .len = FRAME_LANE,
				 .extra = cut };
	int err = put_frame(c, &f);

	l->extra = 0;
	if (err)
		return err;
	frame_lane_encode(&l->h, l->stored, c->out + c->out_len);
	c->out_len += FRAME_LANE;
	return 0;
}

static int put_close(struct courier *c, uint32_t i)
{
	const struct lane *l = &c->lanes[i];
	const struct frame f = { .kind = FRAME_CLOSE, .lane = i,
				 .len = FRAME_TOTALS, .extra = l->drops };
	struct frame_totals t = l->totals;
	int err = put_frame(c, &f);

	if (err)
		return err;
	t.lost_records = t.records - l->records;
	t.lost_bytes = t.bytes - l->bytes;
	frame_totals_encode(&t, c->out + c->out_len);
	c->out_len += FRAME_TOTALS;
	return 0;
}

/* All that begins a connection. */
static int put_beginning(struct courier *c)
{
	const struct frame start = { .kind = FRAME_START,
				     .lane = (uint32_t)c->count };
	int err = put_hello(c);
	bool cut;

	pthread_mutex_lock(&c->lock);
	cut = backlog_begin(c->backlog);
	for (uint32_t i = 0; !err && i < c->count; i++)
		err = put_open(c, i, cut);
	pthread_mutex_unlock(&c->lock);
	return err ? err : put_frame(c, &start);
}

/* What was in the file is lost, unless what is to be sent again is: then only
 * the connection must end. */
static int fail_spool(struct courier *c, int err)
{
	if (err == -EIO && backlog_is_torn(c->backlog))
		return err;
	backlog_give_up_file(c->backlog);
	reporter_write(c->o.reporter, "%s: %s: records that waited there are"
		       " lost; from now on they wait in memory only",
		       c->o.spool, strerror(-err));
	return err;
}

/* Of a block of len bytes, those that the server has. */
static uint32_t take_extra(struct lane *l, uint32_t len)
{
	uint32_t had = l->extra < len ? (uint32_t)l->extra : len;

	l->extra -= had;
	return had;
}

/* The next block, or what the server lacks of it, if there is one: 1, 0 or
 * -errno. */
static int put_block(struct courier *c)
{
	struct backlog_block b;
	struct frame f = { .kind = FRAME_DATA };
	int got = backlog_peek(c->backlog, &b), err;
	uint32_t had;
	uint8_t *bytes;

	if (got <= 0)
		return got ? fail_spool(c, got) : 0;
	had = take_extra(&c->lanes[b.lane], b.len);
	f.lane = b.lane;
	f.offset = b.offset + had;
	f.len = b.len - had;
	err = put_frame(c, &f);
	bytes = err ? NULL : make_room(c, b.len);
	if (!bytes)
		return -ENOMEM;
	err = backlog_send(c->backlog, &b, bytes);
	if (err)
		return fail_spool(c, err);
	memmove(bytes, bytes + had, f.len);
	c->out_len += f.len;
	c->sent++;
	return 1;
}

/* Once all is acknowledged. */
static int put_end(struct courier *c)
{
	const struct frame end = { .kind = FRAME_END };
	int err = 0;

	for (uint32_t i = 0; !err && i < c->count; i++)
		err = put_close(c, i);
	c->end_sent = true;
	return err ? err : put_frame(c, &end);
}

/* Packs the frame at from, if it is of records and that makes it shorter, to to;
 * the bytes there. */
static size_t pack_frame(struct courier *c, const uint8_t *from, uint8_t *to)
{
	struct frame f;
	size_t n = 0;

	frame_decode(&f, from);
	if (f.kind == FRAME_DATA && f.len &&
	    c->lanes[f.lane].h.cpu != NET_CPU_CARD)
		n = frame_packing_pack(c->packing, from + FRAME, f.len,
				       to + FRAME);
	if (!n) {
		memcpy(to, from, FRAME + f.len);
		return FRAME + f.len;
	}
	f.kind = FRAME_PACKED;
	f.extra = f.len;
	f.len = (uint32_t)n;
	frame_encode(&f, to);
	return FRAME + n;
}

/* Without the lock, as this takes a while; without memory, all is sent plain. */
static void pack_out(struct courier *c)
{
	uint8_t *to = c->spare ? c->spare : malloc(c->out_size);
	size_t len = 0;

	c->spare = to;
	if (!to)
		return;
	for (size_t at = 0; at < c->out_len;) {
		struct frame f;

		frame_decode(&f, c->out + at);
		len += pack_frame(c, c->out + at, to + len);
		at += FRAME + f.len;
	}
	c->spare = c->out;
	c->out = to;
	c->out_len = len;
}

/* Gathers what is to be sent; none: the thread may sleep.  0 or -errno. */
static int gather(struct courier *c)
{
	int got = 1;

	c->out_len = c->out_done = 0;
	pthread_mutex_lock(&c->lock);
	while (got > 0 && c->out_len < OUT)
		got = put_block(c);
	if (!got && !c->out_len && c->ending && !c->end_sent &&
	    !backlog_waiting(c->backlog))
		got = put_end(c);
	c->asleep = !c->out_len;
	pthread_mutex_unlock(&c->lock);
	if (c->takes_packed)
		pack_out(c);
	if (c->out_len && !c->ack_due)
		c->ack_due = time_now_ms() + ACK_MS;
	return got < 0 ? got : 0;
}

/* 0; -EAGAIN: some is left; or -errno. */
static int write_out(struct courier *c)
{
	struct conn *conn = wire_conn(c->wire);

	while (c->out_done < c->out_len) {
		const struct iovec iov = { c->out + c->out_done,
					   c->out_len - c->out_done };
		ssize_t n = conn->ops->write(conn, &iov, 1);

		if (n < 0)
			return (int)n;
		c->out_done += (size_t)n;
	}
	return 0;
}

/* --- reports -------------------------------------------------------------- */

const char *courier_words(const struct courier *c, int err, const char *why)
{
	if (err == -ECONNREFUSED && *c->refusal)
		return c->refusal;
	if (*why)
		return why;
	if (err == -ETIMEDOUT)
		return "the server does not answer";
	if (err == -EPROTO)
		return "not a blktrace server";
	return strerror(-err);
}

/* Once, until there is another reason, or records arrive again. */
static void report_lost(struct courier *c, const char *words)
{
	if (c->connected)
		c->lost_at = time_now_ms();
	if (c->connected)
		reporter_write(c->o.reporter, "%s: connection lost: %s;"
			       " records wait in memory and %s", c->o.name,
			       words, c->o.spool);
	else if (strncmp(c->reported, words, sizeof(c->reported) - 1))
		reporter_write(c->o.reporter, "%s: still no connection: %s",
			       c->o.name, words);
	snprintf(c->reported, sizeof(c->reported), "%s", words);
	c->connected = false;
}

/* Records arrive, or none wait; called with the lock. */
static void report_back(struct courier *c)
{
	char size[UNIT_MAX];

	if (c->connected)
		return;
	unit_size(size, backlog_waiting(c->backlog));
	reporter_write(c->o.reporter, "%s: connected again after %.1f s, %s"
		       " waited", c->o.name,
		       (double)(time_now_ms() - c->lost_at) / 1000, size);
	c->connected = true;
	*c->reported = '\0';
}

/* --- input ---------------------------------------------------------------- */

static int release(struct courier *c)
{
	struct backlog_block b;
	int got = backlog_release(c->backlog, &b);
	struct lane *l;

	if (got <= 0)
		return got ? fail_spool(c, got) : -EPROTO;
	l = &c->lanes[b.lane];
	l->acknowledged = b.offset + b.len;
	l->stored += b.len;
	l->records += b.records;
	l->bytes += b.records ? b.len : 0;
	return 0;
}

static int on_ack(struct courier *c, const struct frame *f)
{
	int err = f->offset > c->sent || f->offset < c->acks ? -EPROTO : 0;

	pthread_mutex_lock(&c->lock);
	if (c->acks < f->offset)
		report_back(c);
	for (; !err && c->acks < f->offset; c->acks++)
		err = release(c);
	c->full = false;
	if (!backlog_waiting(c->backlog) ||
	    (c->waiters && backlog_has_room(c->backlog, ROOM)))
		pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	c->heard = true;
	c->ack_due = c->acks < c->sent ? time_now_ms() + ACK_MS : 0;
	return err;
}

static int on_bye(struct courier *c, const struct frame *f)
{
	(void)f;
	if (!c->end_sent)
		return -EPROTO;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	return 0;
}

/* The text may be anybody's. */
static void set_refusal(struct courier *c, const uint8_t *text, size_t len)
{
	len = len < sizeof(c->refusal) ? len : sizeof(c->refusal) - 1;
	for (size_t i = 0; i < len; i++)
		c->refusal[i] = text[i] < ' ' || text[i] > '~' ? '?' :
				(char)text[i];
	c->refusal[len] = '\0';
}

/* Takes the whole frames that have come; 0 or -errno. */
static int take_frames(struct courier *c)
{
	size_t at = 0;
	int err = 0;

	while (!err && c->in_len - at >= FRAME) {
		struct frame f;

		if (!frame_decode(&f, c->in + at) || f.len > FRAME_TEXT)
			return -EPROTO;
		if (c->in_len - at < FRAME + f.len)
			break;
		if (f.kind == FRAME_REFUSAL)
			set_refusal(c, c->in + at + FRAME, f.len);
		err = f.kind == FRAME_ACK ? on_ack(c, &f) :
		      f.kind == FRAME_BYE ? on_bye(c, &f) :
		      f.kind == FRAME_REFUSAL ? -ECONNREFUSED : -EPROTO;
		at += FRAME + f.len;
	}
	memmove(c->in, c->in + at, c->in_len - at);
	c->in_len -= at;
	return err;
}

/* Room remains for a record of TLS, as frames are short.  0 or -errno. */
static int read_in(struct courier *c)
{
	struct conn *conn = wire_conn(c->wire);
	int err = 0;

	while (!err && !c->over) {
		ssize_t n = conn->ops->read(conn, c->in + c->in_len,
					    sizeof(c->in) - c->in_len);

		if (n <= 0)
			return n == -EAGAIN ? 0 : n ? (int)n : -ECONNRESET;
		c->in_len += (size_t)n;
		err = take_frames(c);
	}
	return err;
}

/* --- connecting ----------------------------------------------------------- */

/* What is stored counts from now on as the server has it: its files are cut by
 * that. */
static int on_have(struct courier *c, const struct frame *f)
{
	struct lane *l = f->lane < c->count ? &c->lanes[f->lane] : NULL;

	if (!l || (f->extra && f->offset > l->stored))
		return -EPROTO;
	pthread_mutex_lock(&c->lock);
	if (f->extra) {
		l->stored -= f->offset;
		c->forgotten += f->offset;
	} else {
		l->extra = f->offset;
	}
	pthread_mutex_unlock(&c->lock);
	/* the last connection was not in vain */
	c->heard = true;
	return 0;
}

/* Once, also if later servers differ. */
static void report_plain(struct courier *c)
{
	if (!c->packing || c->takes_packed || c->told_plain)
		return;
	c->told_plain = true;
	reporter_write(c->o.reporter, "%s does not take packed records: they"
		       " are sent plain", c->o.name);
}

static int on_welcome(struct courier *c, const struct frame *f)
{
	uint64_t news;

	if (f->extra && !c->end_sent)
		return -EPROTO;
	c->takes_packed = c->packing && f->lane & FRAME_TAKES_PACKED;
	report_plain(c);
	pthread_mutex_lock(&c->lock);
	news = c->forgotten - c->reported_forgotten;
	c->reported_forgotten = c->forgotten;
	c->over = f->extra;
	c->linked = true;
	if (!backlog_waiting(c->backlog))
		report_back(c);
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	if (news)
		reporter_write(c->o.reporter, "%s: %" PRIu64 " bytes that it"
			       " had acknowledged are missing", c->o.name,
			       news);
	return 0;
}

/* One frame of what the server answers to the beginning; 0 or -errno. */
static int get_answer(struct courier *c, struct frame *f)
{
	uint8_t raw[FRAME], text[FRAME_TEXT];
	int err = wire_read(c->wire, raw, FRAME, ACK_MS);

	if (err)
		return err;
	if (!frame_decode(f, raw) || f->len > FRAME_TEXT)
		return -EPROTO;
	if (f->kind == FRAME_HAVE)
		return on_have(c, f);
	if (f->kind == FRAME_WELCOME)
		return on_welcome(c, f);
	if (f->kind != FRAME_REFUSAL)
		return -EPROTO;
	err = wire_read(c->wire, text, f->len, ACK_MS);
	set_refusal(c, text, err ? 0 : f->len);
	return -ECONNREFUSED;
}

static int get_welcome(struct courier *c)
{
	struct frame f = { .kind = FRAME_HAVE };
	int err = 0;

	while (!err && f.kind != FRAME_WELCOME)
		err = get_answer(c, &f);
	return err;
}

static void disconnect(struct courier *c)
{
	wire_free(c->wire);
	c->wire = NULL;
	c->out_len = c->out_done = c->in_len = 0;
	c->sent = c->acks = 0;
	c->ack_due = 0;
	c->heard = false;
	pthread_mutex_lock(&c->lock);
	c->linked = false;
	backlog_rewind(c->backlog);
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* 0; or -errno and why or "". */
int courier_connect(struct courier *c, char why[CONN_WHY])
{
	int err;

	*c->refusal = '\0';
	err = wire_new(&c->wire, &c->wire_options, why);
	if (err)
		return err;
	err = put_beginning(c);
	if (!err)
		err = wire_write(c->wire, c->out, c->out_len);
	if (!err)
		err = get_welcome(c);
	c->out_len = 0;
	if (!err) {
		c->end_sent = false;
		return 0;
	}
	strcpy(why, wire_why(c->wire));
	disconnect(c);
	return err;
}

/* --- the thread ----------------------------------------------------------- */

static bool is_done(struct courier *c)
{
	bool done;

	pthread_mutex_lock(&c->lock);
	done = c->over;
	pthread_mutex_unlock(&c->lock);
	return done || c->abandon;
}

/* Not all senders of a server that is back at the same time. */
static void wait_to_connect(struct courier *c)
{
	unsigned int ms = c->pause / 2 + random_below(&c->random, c->pause);
	int64_t until = time_now_ms() + ms;

	c->pause = 2 * c->pause < PAUSE_LAST_MS ? 2 * c->pause : PAUSE_LAST_MS;
	while (!c->abandon && time_now_ms() < until)
		poll(NULL, 0, STEP_MS);
}

static void connect_again(struct courier *c)
{
	char why[CONN_WHY];
	int err;

	wait_to_connect(c);
	if (c->abandon)
		return;
	err = courier_connect(c, why);
	if (err)
		report_lost(c, courier_words(c, err, why));
}

/* ms until an acknowledgement is overdue; -1: none is expected. */
static int patience(const struct courier *c)
{
	int64_t left = c->ack_due - time_now_ms();

	if (!c->ack_due)
		return -1;
	return left > 0 ? (int)left : 0;
}

/* Until the connection or a capturing thread has something new. */
static int wait_for_news(struct courier *c, bool writing)
{
	struct conn *conn = wire_conn(c->wire);
	int ms = patience(c);
	struct pollfd fds[] = {
		{ conn->fd, (short)(POLLIN | (writing ? conn->wants : 0)), 0 },
		{ c->wake, POLLIN, 0 },
	};
	uint64_t count;

	if (poll(fds, 2, ms) == 0 && !patience(c))
		return -ETIMEDOUT;
	if (fds[1].revents && read(c->wake, &count, sizeof(count)) < 0)
		return errno == EAGAIN ? 0 : -errno;
	return 0;
}

/* One round with the connection; 0 or -errno. */
static int serve(struct courier *c)
{
	int err = c->out_done == c->out_len ? gather(c) : 0;

	if (!err)
		err = write_out(c);
	if (!err && c->out_len)
		return read_in(c);
	if (!err || err == -EAGAIN)
		err = wait_for_news(c, err);
	return err ? err : read_in(c);
}

static void lose(struct courier *c, int err)
{
	char why[CONN_WHY];

	/* the last acknowledgements may have come before its end, or a reason */
	read_in(c);
	if (*c->refusal)
		err = -ECONNREFUSED;
	strcpy(why, wire_why(c->wire));
	/* the next one may be taken by a limit again */
	if (c->heard)
		c->pause = PAUSE_FIRST_MS;
	/* a limit does not go away soon */
	if (err == -ECONNREFUSED)
		c->pause = PAUSE_LAST_MS;
	report_lost(c, courier_words(c, err, why));
	disconnect(c);
}

void *courier_deliver(void *arg)
{
	struct courier *c = arg;

	while (!is_done(c)) {
		int err = c->wire ? serve(c) : 0;

		if (err)
			lose(c, err);
		if (!c->wire)
			connect_again(c);
	}
	if (c->wire)
		disconnect(c);
	return NULL;
}
