/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells the service manager (systemd, Type=notify) how far we are: a datagram
 * to the socket which NOTIFY_SOCKET names, a path or, after '@', an abstract
 * name.  Without that variable nothing is sent; a manager that does not answer
 * is no obstacle.
 */
#ifndef TOOLS_BLKTRACE_NOTIFY_H
#define TOOLS_BLKTRACE_NOTIFY_H

struct notify {
	int fd;			/* connected; -1: nobody asks */
};

/* Takes the variable out of the environment: it is not for what we start. */
void notify_open(struct notify *n);

void notify_ready(const struct notify *n);
void notify_stopping(const struct notify *n);

void notify_close(struct notify *n);

#endif
