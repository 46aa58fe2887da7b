/* SPDX-License-Identifier: GPL-2.0-only */
/* The poll loop of the server; see server.h. */
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/time.h"
#include "blktrace.h"
#include "net.h"
#include "server/listen.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/server.h"
#include "server/store.h"
#include "server/talk.h"

enum {
	READ_SIZE = 64 * 1024,	/* of one connection, then the next */
	HOST_NAME = 64,		/* an address as text, with its interface */

	/* ms that a connection may have nothing open */
	IDLE_MS = 30 * 1000,
	/* ms for the peer to close a connection once all lanes are closed */
	LINGER_MS = 5 * 1000,
	/* ms without accepting when descriptors or memory have run out */
	PAUSE_MS = 200,

	ACCEPT_MAX = 64,	/* connections of a listener at a time */

	LAST_ROUNDS = 64,	/* reads of what has arrived before the stop */
	FILES_MAX = 256,	/* kept open for writing */
	FDS_MAX = 1 << 20,	/* if the limit is higher */
	RESERVED_FDS = 32,	/* for anything else */
};

struct conn {
	int fd;
	bool lingering;		/* finished; waits for the peer to close */
	int64_t deadline;	/* in ms, while nothing is open */
	struct talk *talk;	/* NULL: over */
	char host[HOST_NAME];
};

struct server {
	const struct server_options *o;
	struct report report;
	struct store *store;
	struct runs *runs;
	struct listeners listeners;
	struct net_header self;
	int64_t paused_until;	/* the listeners; 0: they are not */
	struct conn **conns;
	struct pollfd *polls;	/* the listeners', standard output's, then as
				 * conns */
	size_t count, size, max;
	uint8_t *bytes;		/* READ_SIZE */
};

/* --- connections ---------------------------------------------------------- */

static struct pollfd *conn_polls(const struct server *s)
{
	return s->polls + s->listeners.count + 1;
}

/* The last connection moves to index i, so loops that call it go backwards. */
static void conn_end(struct server *s, size_t i)
{
	struct conn *c = s->conns[i];

	s->conns[i] = s->conns[--s->count];
	conn_polls(s)[i] = conn_polls(s)[s->count];
	if (c->talk)
		talk_free(c->talk);
	close(c->fd);
	free(c);
}

/*
 * A client waits for each answer.  If one does not fit into the socket's
 * buffer, the client does not read its answers.
 */
static int conn_answer(void *ctx, const uint8_t raw[NET_HEADER])
{
	struct conn *c = ctx;
	ssize_t n = send(c->fd, raw, NET_HEADER, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0)
		return -errno;
	return n == NET_HEADER ? 0 : -EAGAIN;
}

/*
 * All lanes are closed.  Closing the socket now could destroy the last answer
 * on its way, so the peer gets some time to close first.
 */
static void conn_linger(struct conn *c)
{
	talk_free(c->talk);
	c->talk = NULL;
	c->lingering = true;
	c->deadline = time_now_ms() + LINGER_MS;
	shutdown(c->fd, SHUT_WR);
}

/* Handles what a connection has received; false: it is over. */
static bool conn_add(struct server *s, struct conn *c, size_t len)
{
	if (c->lingering)
		return true;
	switch (talk_add(c->talk, s->bytes, len)) {
	case TALK_ON:
		return true;
	case TALK_DONE:
		conn_linger(c);
		return true;
	default:
		report_warn(&s->report, "%s: %s; connection dropped", c->host,
			    talk_error(c->talk));
		return false;
	}
}

/* One read of one connection; false: it is over. */
static bool conn_read(struct server *s, struct conn *c)
{
	ssize_t n = recv(c->fd, s->bytes, READ_SIZE, MSG_DONTWAIT);

	if (n > 0)
		return conn_add(s, c, (size_t)n);
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static bool is_idle(const struct conn *c)
{
	return c->lingering || !talk_lanes(c->talk);
}

static void end_overdue(struct server *s)
{
	int64_t now = time_now_ms();

	for (size_t i = s->count; i-- > 0;)
		if (is_idle(s->conns[i]) && s->conns[i]->deadline <= now)
			conn_end(s, i);
}

/* --- new connections ------------------------------------------------------ */

/* Room for one more in both tables. */
static int make_room(struct server *s)
{
	size_t size = s->size ? 2 * s->size : 16;
	struct conn **conns;
	struct pollfd *polls;

	if (s->count < s->size)
		return 0;
	conns = realloc(s->conns, size * sizeof(struct conn *));
	if (conns)
		s->conns = conns;
	polls = realloc(s->polls, (size + LISTEN_MAX + 1) * sizeof(*polls));
	if (polls)
		s->polls = polls;
	if (!conns || !polls)
		return -ENOMEM;
	s->size = size;
	return 0;
}

/* A machine without power sends no end; keep-alive probes find that out. */
static void watch_peer(int fd)
{
	static const int on = 1, idle = 60, interval = 10, probes = 6;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval,
		   sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

static struct conn *conn_new(struct server *s, int fd, const char *host)
{
	struct conn *c = calloc(1, sizeof(*c));
	struct talk_options o = { .runs = s->runs, .report = &s->report,
				  .self = s->self, .answer = conn_answer };

	if (!c)
		return NULL;
	memcpy(c->host, host, HOST_NAME);
	o.peer = (struct peer){ c->host, time(NULL) };
	o.ctx = c;
	c->talk = talk_new(&o);
	if (!c->talk) {
		free(c);
		return NULL;
	}
	c->fd = fd;
	c->deadline = time_now_ms() + IDLE_MS;
	watch_peer(fd);
	return c;
}

/* Whether the host has another connection. */
static bool is_here(const struct server *s, const char *host)
{
	for (size_t i = 0; i < s->count; i++)
		if (!s->conns[i]->lingering && !strcmp(s->conns[i]->host, host))
			return true;
	return false;
}

/* Ends the oldest connection with nothing open; false: there is none. */
static bool drop_idle(struct server *s)
{
	size_t oldest = s->count;

	for (size_t i = 0; i < s->count; i++)
		if (is_idle(s->conns[i]) &&
		    (oldest == s->count ||
		     s->conns[i]->deadline < s->conns[oldest]->deadline))
			oldest = i;
	if (oldest == s->count)
		return false;
	report_warn(&s->report, "%s: too many connections; dropped, as it has"
		    " opened nothing", s->conns[oldest]->host);
	conn_end(s, oldest);
	return true;
}

/* Why the peer is refused, or NULL. */
static const char *refusal(struct server *s, const struct sockaddr *peer)
{
	if (!server_net_match(s->o->allow, s->o->allow_count, peer))
		return "not allowed to send";
	if (s->count >= s->max && !drop_idle(s))
		return "too many connections";
	return NULL;
}

/* Takes fd over, or closes it. */
static void add_conn(struct server *s, int fd, const char *host)
{
	bool known = is_here(s, host);
	struct conn *c = make_room(s) ? NULL : conn_new(s, fd, host);
	struct buf *out;

	if (!c) {
		report_warn(&s->report, "%s: out of memory", host);
		close(fd);
		return;
	}
	out = known ? NULL : report_lines(&s->report, 1);
	if (out)
		buf_printf(out, "server: connection from %s\n", host);
	conn_polls(s)[s->count] =
		(struct pollfd){ .fd = fd, .events = POLLIN };
	s->conns[s->count++] = c;
}

/* Accepts the next connection of a listener; false: there is none. */
static bool accept_one(struct server *s, int listener)
{
	struct sockaddr_storage peer;
	struct sockaddr *addr = (struct sockaddr *)&peer;
	socklen_t len = sizeof(peer);
	char host[HOST_NAME] = "";
	const char *why;
	int fd = accept4(listener, addr, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) {
		/* no descriptors or memory: wait a while */
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			s->paused_until = time_now_ms() + PAUSE_MS;
		return errno == ECONNABORTED || errno == EINTR;
	}
	if (getnameinfo(addr, len, host, sizeof(host), NULL, 0,
			NI_NUMERICHOST))
		strcpy(host, "unknown");
	why = refusal(s, addr);
	if (!why) {
		add_conn(s, fd, host);
		return true;
	}
	report_warn(&s->report, "%s: %s; connection dropped", host, why);
	close(fd);
	return true;
}

static void accept_some(struct server *s, int listener)
{
	int n = 0;

	while (n < ACCEPT_MAX && accept_one(s, listener))
		n++;
}

/* --- the loop ------------------------------------------------------------- */

/* How many ms poll may sleep: until the first deadline; -1: for ever. */
static int64_t time_left(const struct server *s)
{
	int64_t first = s->paused_until ? s->paused_until : INT64_MAX;
	int64_t left;

	for (size_t i = 0; i < s->count; i++)
		if (is_idle(s->conns[i]) && s->conns[i]->deadline < first)
			first = s->conns[i]->deadline;
	if (s->report.left_out && first == INT64_MAX)
		return 1000;
	if (first == INT64_MAX)
		return -1;
	left = first - time_now_ms();
	return left > 0 ? left : 0;
}

/*
 * Waits for what comes first: bytes, a new connection, room on standard
 * output, a deadline, a signal.
 */
static int wait_for_work(struct server *s, const sigset_t *mask)
{
	int64_t left = time_left(s);
	struct timespec t = { left / 1000, left % 1000 * 1000000 };

	for (unsigned int i = 0; i < s->listeners.count; i++)
		s->polls[i] = (struct pollfd){
			.fd = s->paused_until ? -1 : s->listeners.fds[i],
			.events = POLLIN,
		};
	s->polls[s->listeners.count] = (struct pollfd){
		.fd = spool_fd(&s->report.out),
		.events = POLLOUT,
	};
	return ppoll(s->polls, s->listeners.count + 1 + s->count,
		     left < 0 ? NULL : &t, mask);
}

static void read_ready(struct server *s)
{
	for (size_t i = s->count; i-- > 0;)
		if (conn_polls(s)[i].revents &&
		    !conn_read(s, s->conns[i]))
			conn_end(s, i);
}

/* New connections come last: they were not polled. */
static void serve(struct server *s)
{
	unsigned int ready = 0;

	for (unsigned int i = 0; i < s->listeners.count; i++)
		ready |= (s->polls[i].revents != 0) << i;
	read_ready(s);
	for (unsigned int i = 0; i < s->listeners.count; i++)
		if (ready >> i & 1)
			accept_some(s, s->listeners.fds[i]);
}

/*
 * Signals are unblocked only inside of ppoll, so that none can arrive between
 * the test of *stop and the sleep.
 */
static void serve_until_stopped(struct server *s, const sigset_t *mask)
{
	while (!*s->o->stop) {
		int n = wait_for_work(s, mask);

		if (s->paused_until && time_now_ms() >= s->paused_until)
			s->paused_until = 0;
		if (n > 0)
			serve(s);
		end_overdue(s);
		if (s->report.left_out && n == 0)
			report_flush(&s->report);
		spool_write(&s->report.out);
	}
}

/* Data that arrived before the stop is stored. */
static void read_the_rest(struct server *s)
{
	int i = 0;

	while (i++ < LAST_ROUNDS && poll(conn_polls(s), s->count, 0) > 0)
		read_ready(s);
}

/* --- begin and end -------------------------------------------------------- */

/* The limits on connections, runs and files come from this. */
static unsigned int descriptors(void)
{
	unsigned long limit = limit_open_files();

	if (limit < 2 * RESERVED_FDS)
		return RESERVED_FDS;
	if (limit > FDS_MAX)
		return FDS_MAX;
	return (unsigned int)limit - RESERVED_FDS;
}

static void describe_self(struct net_header *h)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	/* clients ignore all of these; 1.3.0 sends its defaults */
	*h = (struct net_header){
		.max_cpus = cpus > 0 && cpus < BLK_CPU_MAX ? (uint32_t)cpus : 1,
		.run = (uint32_t)getpid(),
		.buf_size = 512 * 1024,
		.buf_nr = 4,
		.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
	};
}

/* An eighth of the descriptors is for files, a quarter for directories. */
static int open_store(struct server *s)
{
	unsigned int fds = descriptors(), runs = fds / 4;
	unsigned int files = fds / 8 < FILES_MAX ? fds / 8 : FILES_MAX;
	struct store_options so = { s->o->directory, s->o->max_bytes, files };
	int err = store_new(&s->store, &so);

	if (err) {
		report_warn(&s->report, "server: %s: %s", s->o->directory,
			    strerror(-err));
		return -1;
	}
	if (s->o->max_clients && s->o->max_clients < runs)
		runs = s->o->max_clients;
	s->max = fds - files - fds / 4;
	s->runs = runs_new(s->store, &s->report, runs);
	s->bytes = malloc(READ_SIZE);
	if (s->runs && s->bytes && !make_room(s))
		return 0;
	report_warn(&s->report, "server: out of memory");
	return -1;
}

static int open_listeners(struct server *s)
{
	const char *why = listen_open(&s->listeners, s->o->bind, s->o->port);

	if (!why)
		return 0;
	report_warn(&s->report, "server: cannot listen on %s, port %s: %s",
		    s->o->bind ? s->o->bind : "every address", s->o->port, why);
	return -1;
}

static int server_open(struct server *s)
{
	struct buf *out;

	describe_self(&s->self);
	if (report_open(&s->report, STDOUT_FILENO, s->o->reporter,
			s->o->verbose)) {
		report_warn(&s->report, "server: out of memory");
		return -1;
	}
	if (open_store(s) || open_listeners(s))
		return -1;
	if (!s->o->bind && !s->o->allow_count)
		report_warn(&s->report, "server: anyone who can reach port %s"
			    " may send; --bind and --allow limit that",
			    s->o->port);
	out = report_lines(&s->report, 1);
	if (out)
		buf_printf(out, "server: waiting for connections...\n");
	spool_write(&s->report.out);
	return 0;
}

static int server_close(struct server *s)
{
	listen_close(&s->listeners);
	runs_free(s->runs);
	store_free(s->store);
	free(s->conns);
	free(s->polls);
	free(s->bytes);
	return report_close(&s->report);
}

/* Blocks the signals that set *stop; *before is the mask until now. */
static void hold_signals(sigset_t *before)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&held, signals[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

int server_run(const struct server_options *o)
{
	struct server s = { .o = o };
	sigset_t mask;
	int failed;

	hold_signals(&mask);
	failed = server_open(&s);
	if (!failed) {
		serve_until_stopped(&s, &mask);
		read_the_rest(&s);
	}
	while (s.count)
		conn_end(&s, s.count - 1);
	if (server_close(&s))
		failed = 1;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return failed ? 1 : 0;
}
