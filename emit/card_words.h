/* SPDX-License-Identifier: GPL-2.0-only */
/* The card of a trace for people: a line a value. */
#ifndef EMIT_CARD_WORDS_H
#define EMIT_CARD_WORDS_H

struct buf;			/* base/buf.h */
struct card;			/* machine/card.h */

/* What is known in a card, in the order of its file; what is in another device
 * is indented.  Text is harmless for a terminal. */
void card_words_write(const struct card *c, struct buf *b);

#endif
