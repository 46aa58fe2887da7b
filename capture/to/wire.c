/* SPDX-License-Identifier: GPL-2.0-only */
/* A client's connection; see wire.h. */
#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/to/wire.h"
#include "net.h"
#include "transport/conn.h"
#include "transport/conn_tls.h"

enum {
	STEP_MS = 100,		/* between checks of *stop */
	CONNECT_MS = 2500,	/* for all addresses of the host */
	ANSWER_MS = 2500,	/* after the server has taken all data */
	STALL_MS = 30 * 1000,	/* while the server takes nothing */
	STALL_STOPPED_MS = 2500,	/* the same after *stop */
};

struct wire {
	const struct wire_options *o;
	struct conn *conn;
};

/* --- connecting ----------------------------------------------------------- */

/* Waits one step for fd: 1: ready; 0: not yet; or -errno. */
static int look(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int n = poll(&p, 1, STEP_MS);

	return n < 0 && errno != EINTR ? -errno : n > 0;
}

static int wait_connected(const struct wire_options *o, int fd,
			  int64_t deadline)
{
	socklen_t len = sizeof(int);
	int err = 0;

	while (!*o->stop) {
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

/* Sends small headers at once, and detects a dead machine. */
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
static int connect_one(const struct wire_options *o, const struct addrinfo *a,
		       int64_t deadline)
{
	int fd, err = 0;

	fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
		    a->ai_protocol);
	if (fd < 0)
		return -errno;
	tune(fd);
	if (connect(fd, a->ai_addr, a->ai_addrlen))
		err = errno == EINPROGRESS ? wait_connected(o, fd, deadline) :
					     -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Connects to the first address that answers; of several failures, returns a
 * refusal. */
static int connect_any(const struct wire_options *o)
{
	int64_t deadline = time_now_ms() + CONNECT_MS;
	int worst = 0;

	for (const struct addrinfo *a = o->list; a; a = a->ai_next) {
		int fd = connect_one(o, a, deadline);

		if (fd >= 0 || fd == -EINTR)
			return fd;
		if (worst != -ECONNREFUSED)
			worst = fd;
	}
	return worst;
}

/* Sends none of our data. */
static int shake_hands(struct wire *w)
{
	struct conn *c = w->conn;

	while (!*w->o->stop) {
		int err = c->ops->handshake(c), ready;

		if (err != -EAGAIN)
			return err;
		ready = look(c->fd, c->wants);
		if (ready < 0)
			return ready;
		if (time_now_ms() >= c->deadline)
			return -ETIMEDOUT;
	}
	return -EINTR;
}

static int make_conn(struct wire *w)
{
	int fd = connect_any(w->o);

	if (fd < 0)
		return fd;
	w->conn = w->o->tls ? conn_tls_new(w->o->tls, fd, w->o->host) :
			      conn_plain_new(fd);
	if (w->conn)
		return shake_hands(w);
	close(fd);
	return -ENOMEM;
}

int wire_new(struct wire **out, const struct wire_options *o,
	     char why[CONN_WHY])
{
	struct wire *w = calloc(1, sizeof(*w));
	int err;

	*why = '\0';
	if (!w)
		return -ENOMEM;
	w->o = o;
	err = make_conn(w);
	if (!err) {
		*out = w;
		return 0;
	}
	if (w->conn)
		strcpy(why, w->conn->why);
	wire_free(w);
	return err;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	if (w->conn) {
		w->conn->ops->end(w->conn);
		shutdown(w->conn->fd, SHUT_RDWR);
		w->conn->ops->free(w->conn);
	}
	free(w);
}

/* --- talking -------------------------------------------------------------- */

/* How long a server may take nothing: less after *stop. */
static int64_t patience(const struct wire *w)
{
	return *w->o->stop ? STALL_STOPPED_MS : STALL_MS;
}

/* Takes n bytes off the front of the list. */
static void advance(struct iovec **iov, int *count, size_t n)
{
	while (*count && n >= (*iov)->iov_len) {
		n -= (*iov)->iov_len;
		++*iov;
		--*count;
	}
	if (*count) {
		(*iov)->iov_base = (char *)(*iov)->iov_base + n;
		(*iov)->iov_len -= n;
	}
}

/* Sends all; time counts from the last byte taken. */
static int send_all(struct wire *w, struct iovec *iov, int count)
{
	int64_t since = time_now_ms();

	while (count) {
		ssize_t n = w->conn->ops->write(w->conn, iov, count);
		int ready;

		if (n > 0) {
			advance(&iov, &count, (size_t)n);
			since = time_now_ms();
			continue;
		}
		if (n != -EAGAIN)
			return (int)n;
		ready = look(w->conn->fd, w->conn->wants);
		if (ready < 0)
			return ready;
		if (!ready && time_now_ms() - since >= patience(w))
			return -ETIMEDOUT;
	}
	return 0;
}

int wire_send(struct wire *w, struct net_header *h, const void *data,
	      size_t len)
{
	uint8_t raw[NET_HEADER];
	struct iovec iov[2] = { { raw, sizeof(raw) }, { (void *)data, len } };

	if (data)
		h->len = (uint32_t)len;
	net_encode(h, raw);
	return send_all(w, iov, data ? 2 : 1);
}

/* Bytes waiting in our socket. */
static int unsent(int fd)
{
	int n = 0;

	ioctl(fd, SIOCOUTQ, &n);
	return n;
}

/* ms of waiting, less after *stop. */
static int64_t limit(const struct wire *w, unsigned int ms)
{
	return *w->o->stop && ms > ANSWER_MS ? ANSWER_MS : ms;
}

/* Waits for bytes from the server, as long as it takes earlier data. */
static int wait_answer(struct wire *w, unsigned int ms)
{
	int fd = w->conn->fd;
	int64_t since = time_now_ms();
	int waiting = unsent(fd);

	for (;;) {
		int ready = look(fd, w->conn->wants), now = unsent(fd);

		if (ready)
			return ready < 0 ? ready : 0;
		if (now < waiting)
			since = time_now_ms();
		else if (time_now_ms() - since >= limit(w, ms))
			return -ETIMEDOUT;
		waiting = now;
	}
}

int wire_write(struct wire *w, const void *bytes, size_t len)
{
	struct iovec iov = { (void *)bytes, len };

	return send_all(w, &iov, 1);
}

int wire_read(struct wire *w, void *bytes, size_t len, unsigned int ms)
{
	uint8_t *p = bytes;

	while (len) {
		ssize_t n = w->conn->ops->read(w->conn, p, len);
		int err = n == -EAGAIN ? wait_answer(w, ms) : n < 0 ? (int)n : 0;

		if (err)
			return err;
		if (n == 0)
			return -ECONNRESET;
		p += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Checks only that it is an answer. */
static int get_answer(struct wire *w)
{
	uint8_t raw[NET_HEADER];
	struct net_header h;
	int err = wire_read(w, raw, sizeof(raw), ANSWER_MS);

	if (err)
		return err;
	return net_decode(&h, raw) || net_kind(&h) != NET_ANSWER ? -EPROTO : 0;
}

struct conn *wire_conn(const struct wire *w)
{
	return w->conn;
}

int wire_ask(struct wire *w, struct net_header *h)
{
	int err = wire_send(w, h, NULL, 0);

	return err ? err : get_answer(w);
}

int wire_probe(struct wire *w)
{
	return w->conn->ops->probe(w->conn);
}

const char *wire_why(const struct wire *w)
{
	return w->conn->why;
}
