/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for descriptors; see poller.h. */
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/poller.h"

/* --- listen --------------------------------------------------------------- */

/* One socket per family, so that IPv4 peers do not have IPv6 addresses. */
static int prepare(int fd, const struct addrinfo *a)
{
	static const int on = 1;

	if (a->ai_family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)))
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, a->ai_addr, a->ai_addrlen) || listen(fd, SOMAXCONN))
		return -errno;
	return 0;
}

/* A listening socket, or -errno. */
static int open_one(const struct addrinfo *a)
{
	int fd, err;

	fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
		    a->ai_protocol);
	if (fd < 0)
		return -errno;
	err = prepare(fd, a);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Skips a family that this machine lacks. */
static int open_all(struct listeners *l, const struct addrinfo *list)
{
	int err = 0;

	for (; list && l->count < LISTEN_MAX; list = list->ai_next) {
		int fd = open_one(list);

		if (fd >= 0) {
			l->fds[l->count++] = fd;
			continue;
		}
		err = fd;
		if (err != -EAFNOSUPPORT && err != -EADDRNOTAVAIL)
			return err;
	}
	return l->count ? 0 : err;
}

const char *listen_open(struct listeners *l, const char *address,
			const char *port)
{
	const struct addrinfo hints = { .ai_flags = AI_PASSIVE,
					.ai_socktype = SOCK_STREAM };
	struct addrinfo *list;
	int err;

	l->count = 0;
	err = getaddrinfo(address, port, &hints, &list);
	if (err)
		return err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err);
	err = open_all(l, list);
	freeaddrinfo(list);
	if (!err)
		return NULL;
	listen_close(l);
	return strerror(-err);
}

void listen_close(struct listeners *l)
{
	while (l->count)
		close(l->fds[--l->count]);
}

/* --- poller --------------------------------------------------------------- */

int poller_open(struct poller *p)
{
	p->fd = epoll_create1(EPOLL_CLOEXEC);
	return p->fd < 0 ? -errno : 0;
}

static int add(struct poller *p, int fd, uint32_t events, void *what)
{
	struct epoll_event e = { .events = events, .data.ptr = what };

	return epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &e) ? -errno : 0;
}

int poller_add(struct poller *p, int fd, void *what)
{
	return add(p, fd, EPOLLIN, what);
}

int poller_add_output(struct poller *p, int fd, void *what)
{
	return add(p, fd, EPOLLOUT, what);
}

void poller_remove(struct poller *p, int fd)
{
	epoll_ctl(p->fd, EPOLL_CTL_DEL, fd, NULL);
}

int poller_wait(struct poller *p, int64_t ms, const sigset_t *mask)
{
	int n = epoll_pwait(p->fd, p->ready, POLLER_READY_MAX,
			    ms > INT_MAX ? INT_MAX : (int)ms, mask);

	return n < 0 ? -errno : n;
}

void poller_close(struct poller *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
