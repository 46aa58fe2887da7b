/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for descriptors by epoll, so that idle ones cost nothing. */
#ifndef SERVER_POLLER_H
#define SERVER_POLLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

/* --- listen --------------------------------------------------------------- */

/* a server's listening sockets, one per address family */
enum { LISTEN_MAX = 8 };

struct listeners {
	int fds[LISTEN_MAX];
	unsigned int count;
};

/* listens on port at address (NULL: every address); NULL; or the reason for a
 * failure, valid until the next call */
const char *listen_open(struct listeners *l, const char *address,
			const char *port);

void listen_close(struct listeners *l);

/* --- poller --------------------------------------------------------------- */

enum { POLLER_READY_MAX = 256 };

struct poller {
	int fd;
	/* found by poller_wait() */
	struct epoll_event ready[POLLER_READY_MAX];
};

/* All return 0 or -errno. */

int poller_open(struct poller *p);

/* reports what once fd is readable; closing fd removes it */
int poller_add(struct poller *p, int fd, void *what);
/* the same once it is writable */
int poller_add_output(struct poller *p, int fd, void *what);
void poller_remove(struct poller *p, int fd);

/*
 * Sleeps until a descriptor is ready, a signal not in mask comes, or ms have
 * passed; -1: for ever.  Returns the number of ready ones, or -errno.  A NULL
 * mask changes nothing.
 */
int poller_wait(struct poller *p, int64_t ms, const sigset_t *mask);

/* the i-th ready one's what */
static inline void *poller_ready(const struct poller *p, int i)
{
	return p->ready[i].data.ptr;
}

void poller_close(struct poller *p);

#endif
