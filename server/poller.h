/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for descriptors: by epoll, so that those on which nothing happens cost
 * nothing.
 */
#ifndef SERVER_POLLER_H
#define SERVER_POLLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

/* --- listen --------------------------------------------------------------- */

/*
 * The listening sockets of a server: one for each address family, or for one
 * address.
 */

enum { LISTEN_MAX = 8 };

struct listeners {
	int fds[LISTEN_MAX];
	unsigned int count;
};

/*
 * Listens on port at address, or at every address if that is NULL.  NULL; or
 * why that cannot be, a text that is good until the next call.
 */
const char *listen_open(struct listeners *l, const char *address,
			const char *port);

void listen_close(struct listeners *l);

/* --- poller --------------------------------------------------------------- */

enum { POLLER_READY_MAX = 256 };

struct poller {
	int fd;
	/* what poller_wait() has found */
	struct epoll_event ready[POLLER_READY_MAX];
};

/* all return 0 or -errno */
int poller_open(struct poller *p);

/*
 * From now on what is reported when fd can be read.  An fd that is closed is
 * watched no more.
 */
int poller_add(struct poller *p, int fd, void *what);
/* the same for when it can be written */
int poller_add_output(struct poller *p, int fd, void *what);
void poller_remove(struct poller *p, int fd);

/*
 * Sleeps until something is ready, a signal that is not in mask comes, or ms
 * have passed; -1: for ever.  Returns how many are ready, or -errno.  A NULL
 * mask changes nothing.
 */
int poller_wait(struct poller *p, int64_t ms, const sigset_t *mask);

/* the i-th of them */
static inline void *poller_ready(const struct poller *p, int i)
{
	return p->ready[i].data.ptr;
}

void poller_close(struct poller *p);

#endif
