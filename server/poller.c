/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for descriptors; see poller.h. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "server/poller.h"

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
