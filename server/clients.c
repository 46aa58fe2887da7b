/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections; see clients.h.
 *
 * All connections in a state have the same limit, so each state's list is in
 * order of deadlines.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "blktrace.h"
#include "server/clients.h"
#include "server/poller.h"
#include "server/report.h"
#include "server/syncer.h"
#include "server/talk.h"
#include "transport/conn.h"
#include "transport/conn_tls.h"

enum {
	READ_SIZE = 64 * 1024,	/* of one connection, then the next */

	/* reads of a connection, one in each round, for an acknowledgement */
	PAY_READS = 32,

	/* ms a connection may have nothing open */
	NEW_MS = 30 * 1000,
	/* ms for the peer to close a connection once all lanes are closed */
	LINGER_MS = 5 * 1000,
};

/* a client with blocks to acknowledge; empty: in no list */
struct debt {
	struct ring ring;
	struct client *of;
	unsigned int reads;	/* that are not acknowledged */
	uint64_t round;		/* of the last one */
};

struct client {
	struct ring ring;	/* in its state's list */
	struct debt debt;
	struct clients *all;
	char host[SENDER_NAME];	/* its address as text */
	struct sender *address;
	struct sender *sender;	/* its identity, else its address */
	struct conn *conn;
	enum client_state state;
	int64_t deadline;	/* in ms; INT64_MAX: none */
	size_t opens;		/* of talk, at the last check of the state */
	struct talk *talk;	/* NULL: not started, or over */
};

/* its identity, else its address; also of its directories */
static const char *name_of(const struct client *c)
{
	return c->sender == c->address ? c->host : c->sender->name;
}

/* --- states --------------------------------------------------------------- */

/* In ms; 0: no limit. */
static int64_t limit_of(const struct clients *cs, enum client_state state)
{
	const int64_t limits[CLIENT_STATES] = {
		[CLIENT_SHAKING] = CONN_HANDSHAKE_MS,
		[CLIENT_NEW] = NEW_MS,
		[CLIENT_SILENT] = (int64_t)cs->o.idle * 1000,
		[CLIENT_LINGERING] = LINGER_MS,
	};

	return limits[state];
}

/* c must be in no list. */
static void enter(struct client *c, enum client_state state)
{
	int64_t limit = limit_of(c->all, state);

	c->state = state;
	c->deadline = limit ? time_now_ms() + limit : INT64_MAX;
	ring_put_last(&c->all->states[state], &c->ring);
}

static void change(struct client *c, enum client_state state)
{
	ring_take(&c->ring);
	enter(c, state);
}

static struct client *first(const struct clients *cs, enum client_state state)
{
	const struct ring *head = &cs->states[state];

	return ring_is_empty(head) ? NULL : (struct client *)head->next;
}

static void deactivate(struct client *c)
{
	ring_take(&c->debt.ring);
	ring_init(&c->debt.ring);
	talk_free(c->talk);
	c->talk = NULL;
	c->sender->active--;
}

static void client_end(struct client *c)
{
	struct clients *cs = c->all;

	ring_take(&c->ring);
	cs->count--;
	if (c->talk)
		deactivate(c);
	if (c->sender != c->address)
		sender_leave(&cs->senders, c->sender);
	sender_leave(&cs->senders, c->address);
	c->conn->ops->free(c->conn);
	free(c);
}

/* Lets the peer close first, as closing the socket could destroy the last
 * answer in flight. */
static void linger(struct client *c)
{
	deactivate(c);
	change(c, CLIENT_LINGERING);
	c->conn->ops->end(c->conn);
}

/* It breaks the protocol, or exceeds a limit. */
static void client_refuse(struct client *c)
{
	c->all->refused++;
	c->sender->refused++;
	client_end(c);
}

/* --- bytes ---------------------------------------------------------------- */

/* Answers are short, so one that does not fit into the socket's buffer means that
 * the client does not read them. */
static int send_answer(void *ctx, const void *bytes, size_t len)
{
	struct client *c = ctx;
	const struct iovec iov = { (void *)bytes, len };
	ssize_t n = c->conn->ops->write(c->conn, &iov, 1);

	if (n < 0)
		return (int)n;
	return (size_t)n == len ? 0 : -EAGAIN;
}

/* Gives new lanes their time to send. */
static void look_at_opens(struct client *c)
{
	size_t opens = talk_opens(c->talk);

	if (opens == c->opens)
		return;
	c->opens = opens;
	if (c->state != CLIENT_SILENT)
		change(c, CLIENT_SILENT);
}

/* Acknowledges what is stored. */
static enum talk_state pay(struct client *c)
{
	ring_take(&c->debt.ring);
	ring_init(&c->debt.ring);
	c->debt.reads = 0;
	talk_mark(c->talk);
	return talk_acknowledge(c->talk);
}

/* Acknowledges what is stored after a sync, or if more waits to be read after
 * some reads: an answer for each would cost a sixth of the throughput. */
static enum talk_state pay_later(struct client *c, bool more)
{
	struct clients *cs = c->all;

	if (!cs->o.syncer && (!more || ++c->debt.reads == PAY_READS))
		return pay(c);
	c->debt.round = cs->round;
	if (ring_is_empty(&c->debt.ring))
		ring_put_last(&cs->unsynced, &c->debt.ring);
	return TALK_ON;
}

/* What a run had gathered is stored, maybe long after its bytes came. */
static void owe(void *ctx)
{
	struct client *c = ctx;

	if (ring_is_empty(&c->debt.ring))
		ring_put_last(&c->all->unsynced, &c->debt.ring);
}

static void go_on(struct client *c, enum talk_state state)
{
	switch (state) {
	case TALK_ON:
		look_at_opens(c);
		return;
	case TALK_DONE:
		linger(c);
		return;
	default:
		report_warn(c->all->o.report, "%s: %s; connection dropped",
			    name_of(c), talk_error(c->talk));
		client_refuse(c);
	}
}

static void add_bytes(struct client *c, size_t len)
{
	enum talk_state state;

	if (c->state == CLIENT_LINGERING)
		return;
	state = talk_add(c->talk, c->all->bytes, len);
	if (state == TALK_ON && talk_owes(c->talk))
		state = pay_later(c, len + CONN_READ_MIN > READ_SIZE);
	go_on(c, state);
}

/* Reports why the connection ends, unless it is finished. */
static void drop(struct client *c)
{
	if (!*c->conn->why || c->state == CLIENT_LINGERING) {
		client_end(c);
		return;
	}
	report_warn(c->all->o.report, "%s: %s; connection dropped", name_of(c),
		    c->conn->why);
	client_refuse(c);
}

/* --- handshakes ----------------------------------------------------------- */

static struct talk *new_talk(struct client *c)
{
	const struct clients *cs = c->all;
	const struct talk_options o = {
		.runs = cs->o.runs, .report = cs->o.report,
		.peer = { name_of(c), time(NULL), c->sender, c->host },
		.self = cs->self, .cards = c->conn->identity != NULL,
		.answer = send_answer, .owes = owe, .ctx = c,
	};

	return talk_new(&o);
}

static void greet(const struct client *c)
{
	struct buf *out = NULL;

	if (c->sender->active == 1)
		out = report_lines(c->all->o.report, 1);
	if (!out)
		return;
	buf_printf(out, "server: connection from %s", name_of(c));
	if (c->sender != c->address)
		buf_printf(out, " at %s", c->host);
	buf_printf(out, "\n");
}

/* Makes c its identity's.  0 or -ENOMEM. */
static int take_identity(struct client *c)
{
	struct senders *all = &c->all->senders;
	struct sender *sender = sender_join(all, c->conn->identity);

	if (!sender)
		return -ENOMEM;
	/* an identity may be equal to the address */
	if (sender == c->address)
		sender_leave(all, sender);
	c->sender = sender;
	return 0;
}

/* After authentication, if any; 0 or -ENOMEM. */
static int begin(struct client *c)
{
	if (c->conn->identity && take_identity(c))
		return -ENOMEM;
	c->talk = new_talk(c);
	if (!c->talk)
		return -ENOMEM;
	c->sender->active++;
	change(c, CLIENT_NEW);
	greet(c);
	return 0;
}

/* A step of the handshake, if bytes have come.  Our answers fit into the
 * socket's buffer. */
static void shake(struct client *c)
{
	int err = c->conn->ops->handshake(c->conn);

	if (!err && begin(c))
		report_warn(c->all->o.report, "%s: out of memory",
			    c->host);
	if (err != -EAGAIN && !c->talk)
		drop(c);
}

static void client_read(struct client *c)
{
	ssize_t n;

	if (c->state == CLIENT_SHAKING) {
		shake(c);
		return;
	}
	n = c->conn->ops->read(c->conn, c->all->bytes, READ_SIZE);
	if (n > 0)
		add_bytes(c, (size_t)n);
	else if (n != -EAGAIN)
		drop(c);
}

/* --- turns ---------------------------------------------------------------- */

void clients_round(struct clients *cs)
{
	cs->round++;
}

/* What it did not use in its last rounds is no credit. */
static bool has_credit(const struct clients *cs, struct sender *s)
{
	uint64_t rounds = cs->round - s->round;
	int64_t most = CLIENTS_TURN - s->credit;

	if ((uint64_t)most / CLIENTS_TURN < rounds)
		s->credit = CLIENTS_TURN;
	else
		s->credit += (int64_t)rounds * CLIENTS_TURN;
	s->round = cs->round;
	return s->credit > 0;
}

void clients_serve(struct clients *cs, struct client *c)
{
	struct sender *s = c->sender;
	uint64_t began;

	if (!has_credit(cs, s))
		return;
	/* the read may free c, and with its last connection the sender */
	s->clients++;
	began = time_now();
	client_read(c);
	s->credit -= (int64_t)(time_now() - began);
	sender_leave(&cs->senders, s);
}

/* --- syncs ---------------------------------------------------------------- */

/* A client that was not acknowledged connects again, and sends all of it. */
static void pay_after_sync(struct client *c, int err)
{
	enum talk_state state;

	if (err) {
		report_warn(c->all->o.report, "%s: cannot sync: %s; connection"
			    " dropped", name_of(c), strerror(-err));
		client_refuse(c);
		return;
	}
	state = talk_acknowledge(c->talk);
	if (state == TALK_ON && talk_owes(c->talk))
		ring_put_last(&c->all->unsynced, &c->debt.ring);
	go_on(c, state);
}

static void pay_all(struct clients *cs, int err)
{
	while (!ring_is_empty(&cs->syncing)) {
		struct debt *d = (struct debt *)cs->syncing.next;

		ring_take(&d->ring);
		ring_init(&d->ring);
		pay_after_sync(d->of, err);
	}
}

/* Those that had nothing more to read in this round. */
static void pay_silent(struct clients *cs)
{
	struct ring *at = cs->unsynced.next;

	while (at != &cs->unsynced) {
		struct debt *d = (struct debt *)at;

		at = at->next;
		if (d->round != cs->round)
			go_on(d->of, pay(d->of));
	}
}

void clients_sync(struct clients *cs)
{
	int64_t now = time_now_ms();
	int err;

	if (!cs->o.syncer)
		pay_silent(cs);
	if (!cs->o.syncer || cs->o.syncer->busy || now < cs->sync_at ||
	    ring_is_empty(&cs->unsynced))
		return;
	cs->sync_at = now + CLIENTS_SYNC_MS;
	while (!ring_is_empty(&cs->unsynced)) {
		struct debt *d = (struct debt *)cs->unsynced.next;

		ring_take(&d->ring);
		ring_put_last(&cs->syncing, &d->ring);
		talk_mark(d->of->talk);
	}
	err = syncer_begin(cs->o.syncer);
	if (err)
		pay_all(cs, err);
}

void clients_synced(struct clients *cs)
{
	pay_all(cs, syncer_end(cs->o.syncer));
}

/* --- new connections ------------------------------------------------------ */

void clients_use(struct clients *cs, struct tls *tls)
{
	cs->o.tls = tls;
}

/* Drops the oldest connection with nothing open, of that sender or (NULL) of
 * any; false: none. */
static bool drop_idle(struct clients *cs, const struct sender *sender)
{
	static const enum client_state idle[] = { CLIENT_SHAKING, CLIENT_NEW,
						  CLIENT_LINGERING };
	struct client *c = NULL;

	for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++) {
		struct client *other = first(cs, idle[i]);

		if (!c || (other && other->deadline < c->deadline))
			c = other;
	}
	if (!c || (sender && c->address != sender))
		return false;
	report_warn(cs->o.report, "%s: too many connections; dropped, as it has"
		    " opened nothing", name_of(c));
	client_end(c);
	return true;
}

bool clients_make_room(struct clients *cs, const char *name)
{
	const struct sender *sender = sender_find(&cs->senders, name);

	if (sender && sender->clients >= cs->o.max - cs->o.max / 4)
		return drop_idle(cs, sender);
	return cs->count < cs->o.max || drop_idle(cs, NULL);
}

/* Keep-alive probes find a machine that has lost power.  An answer is sent at
 * once, as with a refusal the connection ends. */
static void tune(int fd)
{
	static const int on = 1, idle = 60, interval = 10, probes = 6;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval,
		   sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

/* Fills c in and takes fd over; -errno: neither. */
static int set_up(struct client *c, int fd, const char *sender)
{
	struct clients *cs = c->all;
	int err = poller_add(cs->o.poller, fd, c);

	if (!err) {
		c->address = c->sender = sender_join(&cs->senders, sender);
		err = c->sender ? 0 : -ENOMEM;
	}
	if (!err) {
		c->conn = cs->o.tls ? conn_tls_new(cs->o.tls, fd, NULL) :
				      conn_plain_new(fd);
		err = c->conn ? 0 : -ENOMEM;
	}
	if (err && c->sender)
		sender_leave(&cs->senders, c->sender);
	return err;
}

void clients_add(struct clients *cs, int fd, const char *sender,
		 const char *host)
{
	struct client *c = calloc(1, sizeof(*c));

	if (c) {
		c->all = cs;
		snprintf(c->host, sizeof(c->host), "%s", host);
	}
	if (!c || set_up(c, fd, sender)) {
		report_warn(cs->o.report, "%s: out of memory", host);
		close(fd);
		free(c);
		return;
	}
	cs->count++;
	c->debt.of = c;
	ring_init(&c->debt.ring);
	enter(c, CLIENT_SHAKING);
	tune(fd);
	client_read(c);
}

/* --- deadlines ------------------------------------------------------------ */

int64_t clients_deadline(const struct clients *cs)
{
	int64_t soonest = INT64_MAX;

	for (int i = 0; i < CLIENT_STATES; i++) {
		const struct client *c = first(cs, (enum client_state)i);

		if (c && c->deadline < soonest)
			soonest = c->deadline;
	}
	if (ring_is_empty(&cs->unsynced) ||
	    (cs->o.syncer && cs->o.syncer->busy))
		return soonest;
	if (cs->sync_at < soonest)
		soonest = cs->sync_at;
	return soonest;
}

/* Drops it, unless it no longer has a limit. */
static void on_deadline(struct client *c)
{
	struct clients *cs = c->all;

	if (c->state == CLIENT_SILENT) {
		if (!talk_is_silent(c->talk)) {
			change(c, CLIENT_SENDING);
			return;
		}
		report_warn(cs->o.report, "%s: has opened a run and sent"
			    " nothing for %u s; connection dropped",
			    name_of(c), cs->o.idle);
	}
	if (c->state == CLIENT_SHAKING)
		report_warn(cs->o.report, "%s: no TLS handshake within %d s;"
			    " connection dropped", name_of(c),
			    CONN_HANDSHAKE_MS / 1000);
	if (c->state == CLIENT_SILENT || c->state == CLIENT_SHAKING)
		client_refuse(c);
	else
		client_end(c);
}

void clients_end_overdue(struct clients *cs)
{
	int64_t now = time_now_ms();

	for (int i = 0; i < CLIENT_STATES; i++) {
		struct client *c;

		while ((c = first(cs, (enum client_state)i)) &&
		       c->deadline <= now)
			on_deadline(c);
	}
}

/* --- begin and end -------------------------------------------------------- */

/* Clients ignore all of it; 1.3.0 sends its defaults. */
static struct net_header describe_self(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return (struct net_header){
		.max_cpus = cpus > 0 && cpus < BLK_CPU_MAX ? (uint32_t)cpus : 1,
		.run = (uint32_t)getpid(),
		.buf_size = 512 * 1024,
		.buf_nr = 4,
		.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
	};
}

int clients_open(struct clients *cs, const struct clients_options *o)
{
	*cs = (struct clients){ .o = *o, .self = describe_self(),
				.bytes = malloc(READ_SIZE) };
	senders_init(&cs->senders);
	ring_init(&cs->unsynced);
	ring_init(&cs->syncing);
	for (int i = 0; i < CLIENT_STATES; i++)
		ring_init(&cs->states[i]);
	return cs->bytes ? 0 : -ENOMEM;
}

void clients_close(struct clients *cs)
{
	if (!cs->bytes)
		return;
	for (int i = 0; i < CLIENT_STATES; i++) {
		struct client *c;

		while ((c = first(cs, (enum client_state)i)))
			client_end(c);
	}
	senders_free(&cs->senders);
	free(cs->bytes);
}
