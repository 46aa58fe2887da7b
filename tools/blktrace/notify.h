/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The service manager (systemd): we notify it (Type=notify) of our state by
 * datagrams to the socket that NOTIFY_SOCKET names, a path, or after '@' an
 * abstract name; without the variable nothing is sent, and no answer is waited
 * for.  It may have opened listening sockets for us (LISTEN_FDS).
 */
#ifndef TOOLS_BLKTRACE_NOTIFY_H
#define TOOLS_BLKTRACE_NOTIFY_H

#include <stdint.h>

struct notify {
	int fd;			/* connected; -1: none */
	unsigned int every;	/* ms between two signs of life, at most, as
				 * WATCHDOG_USEC wants it; 0: none are wanted */
	int64_t told;		/* the last one, in ms */
};

/* removes the variables from the environment, so that children do not get them */
void notify_open(struct notify *n);

/* a sign of life, if it is time for one */
void notify_alive(struct notify *n);

/* Takes over the listening sockets that the manager opened, at most max; their
 * number, or -EINVAL: one is no listening socket.  Removes the variables. */
int notify_sockets(int *fds, unsigned int max);

void notify_ready(const struct notify *n);
void notify_stopping(const struct notify *n);

void notify_close(struct notify *n);

#endif
