/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol of one connection without its socket: takes received bytes,
 * sends answers, and passes data to the lanes of a run.  The first byte tells
 * 1.3.0's protocol from the acknowledged one, which server/delivery speaks.
 *
 * A peer may send anything; breaking blktrace-net(5) only ends its
 * conversation.
 */
#ifndef SERVER_TALK_H
#define SERVER_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/conversation.h"

struct talk;

/* lanes that one connection may open, by 1.3.0's protocol */
enum { TALK_LANES_MAX = 4096 };

/* NULL: out of memory */
struct talk *talk_new(const struct talk_options *o);

/* handles received bytes; call again only after TALK_ON */
enum talk_state talk_add(struct talk *t, const uint8_t *p, size_t len);

/* whether something is stored that its sender waits to have acknowledged */
bool talk_owes(const struct talk *t);

/* all that is stored now is what talk_acknowledge() is about */
void talk_mark(struct talk *t);
enum talk_state talk_acknowledge(struct talk *t);

/* open lanes */
size_t talk_lanes(const struct talk *t);

/* lanes opened so far */
size_t talk_opens(const struct talk *t);

/* whether it has an open lane of a run without data, from any connection */
bool talk_is_silent(const struct talk *t);

/* why it is TALK_BAD; valid as long as t */
const char *talk_error(const struct talk *t);

/* closes and reports open lanes, and frees t */
void talk_free(struct talk *t);

#endif
