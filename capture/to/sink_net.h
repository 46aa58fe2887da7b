/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink that sends to a server on another machine (or one of release 1.3.0).
 *
 * Each CPU's thread opens one connection, or one for each device.
 * Opens and closes are answered; data is not.  The conversation is described in
 * doc/blktrace-net.5.
 */
#ifndef CAPTURE_TO_SINK_NET_H
#define CAPTURE_TO_SINK_NET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* --- resolve -------------------------------------------------------------- */

/*
 * Host names to addresses, in a way that a signal can end: the resolver
 * itself may wait for minutes and cannot be interrupted.
 */

struct addrinfo;

/*
 * The addresses of host and port, for freeaddrinfo(); the first has the
 * host's canonical name.  NULL: *why is the reason, or NULL after *stop.
 */
struct addrinfo *resolve_host(const char *host, const char *port,
			      const atomic_bool *stop, const char **why);

/* --- sink net ------------------------------------------------------------- */

struct capture_reporter;	/* capture/reporter.h */
struct net_header;		/* net.h */
struct sink;			/* capture/sink.h */
struct tls;			/* transport/tls.h */
struct wire_options;		/* capture/to/wire.h */

struct sink_net_options {
	const char *host, *port;	/* stay where they are */
	uint32_t buf_size;	/* of a sub-buffer: no block is longer */
	uint32_t buf_nr;
	uint32_t max_cpus;	/* CPU numbers are below */
	bool per_device;	/* a connection per device and CPU */
	/* moves once to end all waiting: for names and connections at once,
	 * for a server that takes nothing within seconds */
	const atomic_bool *stop;
	const struct capture_reporter *reporter;
	/* how the server is known, which outlives the sink; NULL: not at all,
	 * then the connections are plain */
	const struct tls *tls;
};

/*
 * Resolves the host's name; nothing is connected before the first open.
 * NULL: reported, or *stop has moved.
 */
struct sink *sink_net_new(const struct sink_net_options *o);

/* the host's name, as its name server has it */
const char *sink_net_host(const struct sink *s);

/* --- net cards ------------------------------------------------------------ */

/*
 * The cards of a run on their way to a server, in a connection of their own:
 * a server that does not know them loses that one.  Only inside TLS.
 *
 * Each device has a part that is open from the beginning of the run to its end,
 * so that the server's run lasts until the last card has come.
 */

struct net_cards;
struct run_cards;		/* capture/run_cards.h */

/*
 * Sends all cards as they are at the beginning, beside a sink of sink_net whose
 * lanes are open; all of these stay.  NULL: it could not, which has been
 * reported and is no reason to stop, or the run is to end.
 */
struct net_cards *net_cards_begin(const struct sink *s,
				  const struct run_cards *c,
				  const struct capture_reporter *r);

/* sends them as they are in the end, and frees n, which may be NULL */
void net_cards_end(struct net_cards *n);

/* frees n only: it ends without a word */
void net_cards_free(struct net_cards *n);

#endif
