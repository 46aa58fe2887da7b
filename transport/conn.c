/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "transport/conn.h"

/* --- conn plain ----------------------------------------------------------- */

static int plain_handshake(struct conn *c)
{
	(void)c;
	return 0;
}

/* The connection's result of a call on the socket. */
static ssize_t result(struct conn *c, ssize_t n, short wants)
{
	if (n >= 0)
		return n;
	if (errno != EAGAIN && errno != EINTR)
		return -errno;
	c->wants = wants;
	return -EAGAIN;
}

static ssize_t plain_read(struct conn *c, void *bytes, size_t len)
{
	return result(c, recv(c->fd, bytes, len, MSG_DONTWAIT), POLLIN);
}

static ssize_t plain_write(struct conn *c, const struct iovec *iov, int count)
{
	const struct msghdr m = { .msg_iov = (struct iovec *)iov,
				  .msg_iovlen = (size_t)count };

	return result(c, sendmsg(c->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL),
		      POLLOUT);
}

static int plain_probe(struct conn *c)
{
	char byte;
	ssize_t n = recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	if (n == 0)
		return -ECONNRESET;
	return n < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
}

static void plain_end(struct conn *c)
{
	shutdown(c->fd, SHUT_WR);
}

static void plain_free(struct conn *c)
{
	close(c->fd);
	free(c);
}

static const struct conn_ops plain_ops = {
	plain_handshake, plain_read, plain_write, plain_probe, plain_end,
	plain_free,
};

struct conn *conn_plain_new(int fd)
{
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->ops = &plain_ops;
	c->fd = fd;
	c->deadline = INT64_MAX;
	return c;
}
