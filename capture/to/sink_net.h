/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to a server (also of release 1.3.0), as blktrace-net(5) describes
 * it.
 *
 * Each CPU's thread opens one connection, or one per device.  The server
 * answers opens and closes, but no data.
 */
#ifndef CAPTURE_TO_SINK_NET_H
#define CAPTURE_TO_SINK_NET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* --- resolve -------------------------------------------------------------- */

struct addrinfo;

/*
 * The addresses of host and port, for freeaddrinfo(); the first has the host's
 * canonical name.  *stop interrupts it, where the resolver would wait for
 * minutes.  NULL: *why is the reason, or NULL after *stop.
 */
struct addrinfo *resolve_host(const char *host, const char *port,
			      const atomic_bool *stop, const char **why);

/* --- sink net ------------------------------------------------------------- */

struct capture_reporter;	/* capture/reporter.h */
struct net_header;		/* net.h */
struct sink;			/* capture/sink.h */
struct sink_lane;
struct tls;			/* transport/tls.h */
struct wire_options;		/* capture/to/wire.h */

struct sink_net_options {
	const char *host, *port;	/* must outlive the sink */
	uint32_t buf_size;	/* of a sub-buffer: no longer block */
	uint32_t buf_nr;
	uint32_t max_cpus;	/* CPU numbers are below */
	bool per_device;	/* a connection per device and CPU */
	/* once set, ends all waiting: for names and connections at once, for a
	 * server that takes nothing within seconds */
	const atomic_bool *stop;
	const struct capture_reporter *reporter;
	/* authenticates the server; must outlive the sink.  NULL: plain
	 * connections */
	struct tls *tls;
};

/* the addresses of the options' host, for freeaddrinfo(); NULL: reported, or
 * *stop was set */
struct addrinfo *sink_net_resolve(const struct sink_net_options *o);

/* whether the protocols have room for the lane's name and CPU; if not, reported
 * */
bool sink_net_can_send(const struct sink_net_options *o,
		       const struct sink_lane *l);

/* resolves the host's name; connects at the first open.  NULL: reported, or
 * *stop was set */
struct sink *sink_net_new(const struct sink_net_options *o);

/* the host's canonical name */
const char *sink_net_host(const struct sink *s);

/* --- net cards ------------------------------------------------------------ */

/*
 * Sends a run's cards, only over TLS, in a separate connection, which a server
 * that does not know cards closes.  It is open until the run's end, so that the
 * server's run lasts until the last card has come.
 */

struct net_cards;
struct run_cards;		/* capture/run_cards.h */

/*
 * Sends all first cards; s's lanes must be open, and all arguments must outlive
 * the cards.  NULL: failed, reported, and no reason to stop, or the run is
 * ending.
 */
struct net_cards *net_cards_begin(const struct sink *s,
				  const struct run_cards *c,
				  const struct capture_reporter *r);

/* sends all last cards, and frees n, which may be NULL */
void net_cards_end(struct net_cards *n);

/* closes the connection, and frees n */
void net_cards_free(struct net_cards *n);

#endif
