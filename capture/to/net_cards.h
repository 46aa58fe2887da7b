/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cards of a run on their way to a server, in a connection of their own:
 * a server that does not know them loses that one.  Only inside TLS.
 *
 * Each device has a part that is open from the beginning of the run to its end,
 * so that the server's run lasts until the last card has come.
 */
#ifndef CAPTURE_TO_NET_CARDS_H
#define CAPTURE_TO_NET_CARDS_H

struct capture_reporter;	/* capture/reporter.h */
struct net_cards;
struct run_cards;		/* capture/run_cards.h */
struct sink;			/* capture/sink.h */

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
