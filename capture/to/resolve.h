/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host names to addresses, in a way that a signal can end: the resolver
 * itself may wait for minutes and cannot be interrupted.
 */
#ifndef CAPTURE_TO_RESOLVE_H
#define CAPTURE_TO_RESOLVE_H

#include <stdatomic.h>

struct addrinfo;

/*
 * The addresses of host and port, for freeaddrinfo(); the first has the
 * host's canonical name.  NULL: *why is the reason, or NULL after *stop.
 */
struct addrinfo *resolve_host(const char *host, const char *port,
			      const atomic_bool *stop, const char **why);

#endif
