/* SPDX-License-Identifier: GPL-2.0-only */
/* Cards that are sent; see net_cards.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/to/net_cards.h"
#include "capture/to/sink_net.h"
#include "capture/to/wire.h"
#include "machine/card.h"
#include "net.h"

_Static_assert(NET_CARD_MAX == CARD_BYTES, "a server takes all that we write");

struct net_cards {
	struct wire *wire;
	const struct sink *sink;
	const struct run_cards *cards;
	const struct capture_reporter *reporter;
};

static struct net_header header_of(const struct net_cards *n,
				   unsigned int device)
{
	struct net_header h;

	sink_net_header(n->sink, run_cards_name(n->cards, device), &h);
	h.cpu = NET_CPU_CARD;
	return h;
}

/* --- one card -------------------------------------------------------------- */

static int send_card(struct net_cards *n, unsigned int device, bool complete)
{
	struct net_header h = header_of(n, device);
	struct buf b;
	int err = run_cards_text(n->cards, device, complete, &b);

	if (err)
		return err;
	err = wire_send(n->wire, &h, b.data, b.len);
	buf_free(&b);
	return err;
}

static int open_card(struct net_cards *n, unsigned int device)
{
	struct net_header h = header_of(n, device);
	int err;

	h.len = NET_OPEN;
	err = wire_ask(n->wire, &h);
	return err ? err : send_card(n, device, false);
}

static int close_card(struct net_cards *n, unsigned int device)
{
	struct net_header h = header_of(n, device);
	int err = send_card(n, device, true);

	h.len = NET_CLOSE;
	/* there are no drops of it */
	h.cpu = 0;
	return err ? err : wire_ask(n->wire, &h);
}

/* --- all of them ----------------------------------------------------------- */

static int each(struct net_cards *n,
		int (*step)(struct net_cards *n, unsigned int device))
{
	int err = 0;

	for (unsigned int i = 0; !err && run_cards_name(n->cards, i); i++)
		err = step(n, i);
	return err;
}

static void report(const struct net_cards *n, int err, const char *why)
{
	if (err != -EINTR)
		reporter_write(n->reporter, "%s does not take the card: %s;"
			       " the trace is sent", sink_net_host(n->sink),
			       *why ? why : strerror(-err));
}

static int start(struct net_cards *n)
{
	char why[CONN_WHY];
	int err = wire_new(&n->wire, sink_net_wire(n->sink), why);

	if (!err) {
		err = each(n, open_card);
		strcpy(why, wire_why(n->wire));
	}
	if (err)
		report(n, err, why);
	return err;
}

struct net_cards *net_cards_begin(const struct sink *s,
				  const struct run_cards *c,
				  const struct capture_reporter *r)
{
	struct net_cards *n = calloc(1, sizeof(*n));

	if (!n) {
		reporter_write(r, "out of memory: no card is sent");
		return NULL;
	}
	*n = (struct net_cards){ .sink = s, .cards = c, .reporter = r };
	if (!start(n))
		return n;
	net_cards_free(n);
	return NULL;
}

void net_cards_end(struct net_cards *n)
{
	int err = n ? each(n, close_card) : 0;

	if (err)
		report(n, err, wire_why(n->wire));
	net_cards_free(n);
}

void net_cards_free(struct net_cards *n)
{
	if (n)
		wire_free(n->wire);
	free(n);
}
