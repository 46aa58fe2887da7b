/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notifies the service manager (systemd, Type=notify) of our state by datagrams
 * to the socket that NOTIFY_SOCKET names: a path, or after '@' an abstract
 * name.  Without the variable it sends nothing, and it never waits for an
 * answer.
 */
#ifndef TOOLS_BLKTRACE_NOTIFY_H
#define TOOLS_BLKTRACE_NOTIFY_H

struct notify {
	int fd;			/* connected; -1: none */
};

/* removes the variable from the environment, so that children do not get it */
void notify_open(struct notify *n);

void notify_ready(const struct notify *n);
void notify_stopping(const struct notify *n);

void notify_close(struct notify *n);

#endif
