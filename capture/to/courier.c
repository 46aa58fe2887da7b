/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delivering; see courier.h.
 *
 * The thread owns the connection, and the lock protects the lanes and the
 * backlog, into which capturing threads put their blocks.  A connection starts
 * with what was acknowledged of each lane, and the server tells what it has beyond:
 * blocks that the last one has brought are not sent again.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/random.h"
#include "base/thread.h"
#include "base/time.h"
#include "base/unit.h"
#include "capture/reporter.h"
#include "capture/to/backlog.h"
#include "capture/to/courier.h"
#include "capture/to/wire.h"
#include "net.h"
#include "transport/conn.h"

enum {
	MEMORY = 16 << 20,	/* of the backlog, unless its file is smaller */
	ROOM = MEMORY / 8,	/* free again, before a thread goes on */
	OUT = 1 << 20,	/* bytes gathered for a write, or one block */
	IN = CONN_READ_MIN,
	LANES_FIRST = 16,
	/* ms between attempts to connect: the first, doubled up to the last */
	PAUSE_FIRST_MS = 100,
	PAUSE_LAST_MS = 5000,
	TRIES = 5,		/* of the first connection, if it is cut */
	/* ms without an acknowledgement of what was sent: a server may wait for
	 * its disk */
	ACK_MS = 60 * 1000,
	STEP_MS = 100,		/* between looks at *stop */
	SILENT_MS = 1000,	/* of waiting, before that is reported */
	ROOM_MS = 5,		/* a capturing thread waits for room in memory */
};

struct lane {
	struct net_header h;
	/* of offsets: of the next block, and after the last acknowledged one */
	uint64_t offset, acknowledged;
	uint64_t stored;	/* bytes, acknowledged */
	uint64_t extra;		/* more that the server has, not sent again yet */
	uint64_t records, bytes;	/* of these, those that count */
	struct frame_totals totals;
	uint32_t drops;
};

struct courier {
	struct courier_options o;
	struct wire_options wire_options;
	uint8_t token[FRAME_TOKEN];
	struct random random;
	pthread_t thread;
	bool started;
	atomic_bool abandon;	/* no more is delivered */
	int wake;		/* an eventfd, if the thread sleeps */

	pthread_mutex_t lock;	/* of all up to the blank line */
	pthread_cond_t changed;
	struct lane *lanes;
	size_t count, size;
	struct backlog *backlog;
	bool asleep;		/* the thread waits for blocks */
	bool ending;		/* the lanes are closed */
	bool over;		/* the server has ended the run */
	bool linked;		/* the server takes blocks */
	unsigned int waiters;	/* threads that wait for room */
	bool full;		/* reported since the last acknowledgement */
	uint64_t forgotten;

	/* the thread's */
	struct wire *wire;	/* NULL: not connected */
	bool connected;		/* false: the loss was reported */
	bool end_sent;
	bool heard;		/* that something has arrived, by this connection */
	uint64_t sent, acks;	/* blocks, by this connection */
	int64_t ack_due, lost_at;	/* ms */
	unsigned int pause;	/* ms to the next attempt */
	uint8_t *out;
	size_t out_len, out_done, out_size;
	uint8_t in[IN];
	size_t in_len;
	char refusal[FRAME_TEXT];	/* the last one */
	char reported[FRAME_TEXT];	/* why it is not connected */
};

/* --- output --------------------------------------------------------------- */

/* Room for so many bytes more; NULL: no memory. */
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
				 .len = FRAME_HELLO };
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

static const char *words_of(const struct courier *c, int err, const char *why)
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

static void report_full(struct courier *c)
{
	char size[UNIT_MAX];

	unit_size(size, c->o.spool_size);
	reporter_write(c->o.reporter, "%s: %s of records wait for %s: the"
		       " oldest are dropped", c->o.spool, size, c->o.name);
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

static int on_have(struct courier *c, const struct frame *f)
{
	if (f->lane >= c->count)
		return -EPROTO;
	pthread_mutex_lock(&c->lock);
	c->lanes[f->lane].extra = f->offset;
	pthread_mutex_unlock(&c->lock);
	/* the last connection was not in vain */
	c->heard = true;
	return 0;
}

static int on_welcome(struct courier *c, const struct frame *f)
{
	if (f->extra && !c->end_sent)
		return -EPROTO;
	pthread_mutex_lock(&c->lock);
	c->forgotten += f->offset;
	c->over = f->extra;
	c->linked = true;
	if (!backlog_waiting(c->backlog))
		report_back(c);
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	if (f->offset)
		reporter_write(c->o.reporter, "%s: %" PRIu64 " bytes that it"
			       " had acknowledged are missing", c->o.name,
			       f->offset);
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
static int connect_once(struct courier *c, char why[CONN_WHY])
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
	err = connect_once(c, why);
	if (err)
		report_lost(c, words_of(c, err, why));
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
	report_lost(c, words_of(c, err, why));
	disconnect(c);
}

static void *deliver(void *arg)
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
	if (c->wake >= 0 && c->out &&
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
			       c->o.name, words_of(c, err, why));
}

/* A network or a server that is just being replaced may cut the first connection,
 * like an old server, which does so each time. */
static int connect_first(struct courier *c, const atomic_bool *stop,
			 char why[CONN_WHY])
{
	unsigned int ms = PAUSE_FIRST_MS;
	int err = connect_once(c, why);

	for (int i = 1; i < TRIES && is_cut(err) && !*stop; i++, ms *= 2) {
		poll(NULL, 0, (int)ms);
		err = connect_once(c, why);
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
	err = thread_start(&c->thread, deliver, c);
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
	free(c->lanes);
	free(c->out);
	free(c);
}
