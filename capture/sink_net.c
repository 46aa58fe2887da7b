/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending to a server; see sink_net.h. */
#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/reporter.h"
#include "capture/resolve.h"
#include "capture/sink.h"
#include "capture/sink_net.h"
#include "net.h"

enum {
	STEP_MS = 100,		/* between looks at *stop */
	CONNECT_MS = 2500,	/* for all addresses of the host */
	ANSWER_MS = 2500,	/* unless what is before it still moves */
	STALL_MS = 30 * 1000,	/* with the server taking nothing */
	STALL_STOPPED_MS = 2500,	/* the same after *stop */
	BLOCK_MIN = 4096,	/* whatever -b says */
};

/* A connection; only one thread ever uses it. */
struct wire {
	int fd;
	unsigned int lanes;	/* that are open on it */
	int error;		/* 0, or -errno after which nothing is sent */
};

struct sink_net {
	struct sink sink;
	struct sink_net_options o;
	struct addrinfo *list;
	atomic_flag reported;	/* one line is enough for many CPUs */
	struct wire **wires;	/* a CPU's, unless they are per device */
};

static const char *host_of(const struct sink_net *s)
{
	return s->list->ai_canonname ? s->list->ai_canonname : s->o.host;
}

/* Only the first of all threads that fail reports why. */
static bool is_first(struct sink_net *s)
{
	return !atomic_flag_test_and_set(&s->reported);
}

/* --- connecting ----------------------------------------------------------- */

/* One look, a step long, at fd: 1: ready; 0: not yet; or -errno. */
static int look(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int n = poll(&p, 1, STEP_MS);

	return n < 0 && errno != EINTR ? -errno : n > 0;
}

static int wait_connected(struct sink_net *s, int fd, int64_t deadline)
{
	socklen_t len = sizeof(int);
	int err = 0;

	while (!*s->o.stop) {
		int ready = look(fd, POLLOUT);

		if (ready < 0)
			return ready;
		if (ready) {
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
			return -err;
		}
		if (time_now_ms() >= deadline)
			return -ETIMEDOUT;
	}
	return -EINTR;
}

/* Small headers must not wait for each other, nor we for a dead machine. */
static void tune(int fd)
{
	static const int on = 1, idle = 10, interval = 5, probes = 3;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval,
		   sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

/* A connected socket, or -errno. */
static int connect_one(struct sink_net *s, const struct addrinfo *a,
		       int64_t deadline)
{
	int fd, err = 0;

	fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
		    a->ai_protocol);
	if (fd < 0)
		return -errno;
	tune(fd);
	if (connect(fd, a->ai_addr, a->ai_addrlen))
		err = errno == EINPROGRESS ? wait_connected(s, fd, deadline) :
					     -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* To the first address that answers; of several failures a refusal explains
 * most. */
static int connect_any(struct sink_net *s)
{
	int64_t deadline = time_now_ms() + CONNECT_MS;
	int worst = 0;

	for (const struct addrinfo *a = s->list; a; a = a->ai_next) {
		int fd = connect_one(s, a, deadline);

		if (fd >= 0 || fd == -EINTR)
			return fd;
		if (worst != -ECONNREFUSED)
			worst = fd;
	}
	return worst;
}

static void report_unconnected(struct sink_net *s, int err)
{
	if (err == -EINTR || !is_first(s))
		return;
	if (err == -ECONNREFUSED)
		reporter_write(s->o.reporter, "Connection to %s refused,"
			       " perhaps the server is not started?",
			       host_of(s));
	else
		reporter_write(s->o.reporter, "cannot connect to %s: %s",
			       host_of(s), strerror(-err));
}

/* --- talking -------------------------------------------------------------- */

/* How long a server may take nothing: less when we are asked to end. */
static int64_t patience(const struct sink_net *s)
{
	return *s->o.stop ? STALL_STOPPED_MS : STALL_MS;
}

/* Takes n bytes off the front of the list. */
static void advance(struct msghdr *m, size_t n)
{
	while (m->msg_iovlen && n >= m->msg_iov->iov_len) {
		n -= m->msg_iov->iov_len;
		m->msg_iov++;
		m->msg_iovlen--;
	}
	if (m->msg_iovlen) {
		m->msg_iov->iov_base = (char *)m->msg_iov->iov_base + n;
		m->msg_iov->iov_len -= n;
	}
}

/* All of it; the time counts from the last byte that was taken. */
static int send_all(const struct sink_net *s, int fd, struct msghdr *m)
{
	int64_t since = time_now_ms();

	while (m->msg_iovlen) {
		ssize_t n = sendmsg(fd, m, MSG_NOSIGNAL);
		int ready;

		if (n > 0) {
			advance(m, (size_t)n);
			since = time_now_ms();
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		ready = look(fd, POLLOUT);
		if (ready < 0)
			return ready;
		if (!ready && time_now_ms() - since >= patience(s))
			return -ETIMEDOUT;
	}
	return 0;
}

/* One header, and the data that it announces. */
static int send_block(const struct sink_net *s, int fd, struct net_header *h,
		      const void *data, size_t len)
{
	uint8_t raw[NET_HEADER];
	struct iovec iov[2] = { { raw, sizeof(raw) }, { (void *)data, len } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = data ? 2 : 1 };

	if (data)
		h->len = (uint32_t)len;
	net_encode(h, raw);
	return send_all(s, fd, &m);
}

/* Bytes that wait in our socket. */
static int unsent(int fd)
{
	int n = 0;

	ioctl(fd, SIOCOUTQ, &n);
	return n;
}

/*
 * Waits for bytes from the server, as long as it goes on taking what was sent
 * before.
 */
static int wait_answer(int fd)
{
	int64_t deadline = time_now_ms() + ANSWER_MS;
	int waiting = unsent(fd);

	for (;;) {
		int ready = look(fd, POLLIN), now = unsent(fd);

		if (ready)
			return ready < 0 ? ready : 0;
		if (now < waiting)
			deadline = time_now_ms() + ANSWER_MS;
		else if (time_now_ms() >= deadline)
			return -ETIMEDOUT;
		waiting = now;
	}
}

/* Its content is of no interest, but it has to be an answer. */
static int get_answer(int fd)
{
	uint8_t raw[NET_HEADER];
	struct net_header h;
	size_t have = 0;

	while (have < sizeof(raw)) {
		int err = wait_answer(fd);
		ssize_t n;

		if (err)
			return err;
		n = recv(fd, raw + have, sizeof(raw) - have, 0);
		if (n == 0)
			return -ECONNRESET;
		if (n > 0)
			have += (size_t)n;
		else if (errno != EAGAIN && errno != EINTR)
			return -errno;
	}
	return net_decode(&h, raw) || net_kind(&h) != NET_ANSWER ? -EPROTO : 0;
}

static struct net_header header_of(const struct sink_net *s,
				   const struct sink_lane *l)
{
	struct net_header h = {
		.cpu = l->cpu, .max_cpus = s->o.max_cpus,
		.run = (uint32_t)getpid(), .buf_size = s->o.buf_size,
		.buf_nr = s->o.buf_nr,
		.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
	};

	/* can_be_sent() has seen that it fits */
	memcpy(h.name, l->name, strnlen(l->name, NET_NAME - 1));
	return h;
}

/* An open or a close, and its answer. */
static int ask(const struct sink_net *s, int fd, struct net_header *h)
{
	int err = send_block(s, fd, h, NULL, 0);

	return err ? err : get_answer(fd);
}

static void report_lost(const struct sink_net *s, int err)
{
	const char *host = host_of(s);

	if (err == -ETIMEDOUT)
		reporter_write(s->o.reporter, "%s: the server does not answer",
			       host);
	else if (err == -EPROTO)
		reporter_write(s->o.reporter, "%s: not a blktrace server",
			       host);
	else
		reporter_write(s->o.reporter, "%s: connection lost: %s", host,
			       strerror(-err));
}

/* Keeps the error, so that nothing more goes over this connection. */
static int fail(struct sink_net *s, struct wire *w, int err)
{
	if (!err)
		return 0;
	w->error = err;
	if (is_first(s))
		report_lost(s, err);
	return err;
}

/* --- wires ---------------------------------------------------------------- */

/* The place of a lane's wire, if it shares one. */
static struct wire **shared_wire(struct sink_net *s, const struct sink_lane *l)
{
	return s->o.per_device ? NULL : &s->wires[l->cpu];
}

static int wire_new(struct sink_net *s, struct wire **out)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->fd = connect_any(s);
	if (w->fd < 0) {
		int err = w->fd;

		report_unconnected(s, err);
		free(w);
		return err;
	}
	*out = w;
	return 0;
}

static void wire_free(struct wire *w)
{
	shutdown(w->fd, SHUT_RDWR);
	close(w->fd);
	free(w);
}

/* The wire is left by a lane, which may be the last. */
static void wire_leave(struct sink_net *s, struct sink_lane *l)
{
	struct wire *w = l->out, **place = shared_wire(s, l);

	l->out = NULL;
	if (--w->lanes)
		return;
	if (place)
		*place = NULL;
	wire_free(w);
}

/* --- the sink ------------------------------------------------------------- */

/* The wire for one more lane: its CPU's, or a new one. */
static int wire_join(struct sink_net *s, struct sink_lane *l)
{
	struct wire **place = shared_wire(s, l), *w = place ? *place : NULL;
	int err = w ? w->error : wire_new(s, &w);

	if (err)
		return err;
	if (place)
		*place = w;
	w->lanes++;
	l->out = w;
	return 0;
}

static bool can_be_sent(const struct sink_net *s, const struct sink_lane *l)
{
	return l->cpu < s->o.max_cpus && strlen(l->name) < NET_NAME &&
	       net_name_valid(l->name);
}

static int net_open(struct sink *base, struct sink_lane *l)
{
	struct sink_net *s = (struct sink_net *)base;
	struct net_header h;
	struct wire *w;
	int err;

	if (!can_be_sent(s, l)) {
		reporter_write(s->o.reporter, "%s, CPU %u: cannot be sent over"
			       " the network", l->name, l->cpu);
		return -EINVAL;
	}
	err = wire_join(s, l);
	if (err)
		return err;
	h = header_of(s, l);
	h.len = NET_OPEN;
	w = l->out;
	err = fail(s, w, ask(s, w->fd, &h));
	if (err)
		wire_leave(s, l);
	return err;
}

static int net_write(struct sink *base, struct sink_lane *l,
		     const void *records, size_t len)
{
	struct sink_net *s = (struct sink_net *)base;
	size_t max = s->o.buf_size > BLOCK_MIN ? s->o.buf_size : BLOCK_MIN;
	struct net_header h = header_of(s, l);
	const uint8_t *p = records;
	struct wire *w = l->out;

	while (len && !w->error) {
		size_t n = net_chunk(len, max);

		fail(s, w, send_block(s, w->fd, &h, p, n));
		p += n;
		len -= n;
	}
	return w->error;
}

/*
 * Nothing is held back.  But a server that goes away while there is nothing
 * to send would not be missed.
 */
static int net_flush(struct sink *base, struct sink_lane *l)
{
	struct sink_net *s = (struct sink_net *)base;
	struct wire *w = l->out;
	uint8_t byte;
	ssize_t n;

	if (w->error)
		return w->error;
	n = recv(w->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	if (n == 0)
		return fail(s, w, -ECONNRESET);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return fail(s, w, -errno);
	return 0;
}

static int net_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct sink_net *s = (struct sink_net *)base;
	struct net_header h = header_of(s, l);
	struct wire *w = l->out;
	int err = w->error;

	h.len = NET_CLOSE;
	h.cpu = drops < UINT32_MAX ? (uint32_t)drops : UINT32_MAX;
	if (!err)
		err = fail(s, w, ask(s, w->fd, &h));
	wire_leave(s, l);
	return err;
}

/* Connections whose lanes were never closed are just dropped. */
static void net_free(struct sink *base)
{
	struct sink_net *s = (struct sink_net *)base;

	for (uint32_t i = 0; s->wires && i < s->o.max_cpus; i++)
		if (s->wires[i])
			wire_free(s->wires[i]);
	free(s->wires);
	freeaddrinfo(s->list);
	free(s);
}

static const struct sink_ops net_ops = {
	net_open, net_write, net_flush, net_close, net_free, NULL,
};

static struct addrinfo *find_host(const struct sink_net_options *o)
{
	const char *why;
	struct addrinfo *list = resolve_host(o->host, o->port, o->stop, &why);

	if (why)
		reporter_write(o->reporter, "Host %s not found: %s", o->host,
			       why);
	return list;
}

struct sink *sink_net_new(const struct sink_net_options *o)
{
	struct addrinfo *list = find_host(o);
	struct sink_net *s;

	if (!list)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (s)
		s->wires = calloc(o->max_cpus, sizeof(struct wire *));
	if (!s || !s->wires) {
		reporter_write(o->reporter, "out of memory");
		freeaddrinfo(list);
		free(s);
		return NULL;
	}
	s->sink.ops = &net_ops;
	s->o = *o;
	s->list = list;
	atomic_flag_clear(&s->reported);
	return &s->sink;
}

const char *sink_net_host(const struct sink *s)
{
	return host_of((const struct sink_net *)s);
}
