/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The listening sockets of a server: one for each address family, or for one
 * address.
 */
#ifndef SERVER_LISTEN_H
#define SERVER_LISTEN_H

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

#endif
