/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace --card: what is in the cards of traces. */
#ifndef TOOLS_BLKTRACE_SHOW_CARD_H
#define TOOLS_BLKTRACE_SHOW_CARD_H

struct options;			/* tools/blktrace/options.h */

/* prints those of all names; the status of the program: 1 if one has none */
int show_cards(const struct options *o);

#endif
