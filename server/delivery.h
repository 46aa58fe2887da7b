/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The acknowledged protocol of one connection without its socket, for
 * server/talk: blocks go to the lanes of a run with a token, which outlives the
 * connection.
 */
#ifndef SERVER_DELIVERY_H
#define SERVER_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/conversation.h"

struct delivery;

/* error: of at least TALK_ERROR characters, set with TALK_BAD; both must outlive
 * it.  NULL: no memory */
struct delivery *delivery_new(const struct talk_options *o, char *error);

/* as their namesakes in server/talk.h */
enum talk_state delivery_add(struct delivery *d, const uint8_t *p, size_t len);
bool delivery_owes(const struct delivery *d);
void delivery_mark(struct delivery *d);
enum talk_state delivery_acknowledge(struct delivery *d);
size_t delivery_opens(const struct delivery *d);
bool delivery_is_silent(const struct delivery *d);

/* leaves its run; d may be NULL */
void delivery_free(struct delivery *d);

#endif
