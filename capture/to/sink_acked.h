/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to a server by the acknowledged protocol: records, and the run's
 * cards, arrive once and in order, or are counted as lost where the server is
 * away for longer than the spool lasts.
 *
 * Writing never waits for the server.  After the lanes are closed, call
 * sink_acked_settle(), complete the cards, and call sink_acked_end().
 */
#ifndef CAPTURE_TO_SINK_ACKED_H
#define CAPTURE_TO_SINK_ACKED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/to/courier.h"
#include "capture/to/sink_net.h"

struct run_cards;		/* capture/run_cards.h */
struct sink_lane;		/* capture/sink.h */

struct sink_acked_options {
	struct sink_net_options net;	/* sizes and connections have no use */
	const char *spool;	/* a directory */
	uint64_t spool_size;	/* bytes, COURIER_SPOOL_MIN or more */
	bool pack;		/* what is sent, if the server takes it so */
};

/* resolves the host's name, and reserves the spool; NULL: reported, or *stop was
 * set */
struct sink *sink_acked_new(const struct sink_acked_options *o);

/* the host's canonical name */
const char *sink_acked_host(const struct sink *s);

/* Once all lanes are open: connects, and sends the first cards; c may be NULL,
 * and must outlive s.  0 or -errno, reported. */
int sink_acked_begin(struct sink *s, const struct run_cards *c);

/* Waits until all records are stored; *stop gives up.  0 or -errno, reported. */
int sink_acked_settle(struct sink *s, const atomic_bool *stop);

/* what did not reach the server, after sink_acked_settle(): of a device, and in
 * all */
struct courier_lost sink_acked_lost(const struct sink *s, unsigned int device);
struct courier_lost sink_acked_lost_all(const struct sink *s);

/* sends the last cards, and ends the run; as sink_acked_settle() */
int sink_acked_end(struct sink *s, const atomic_bool *stop);

#endif
