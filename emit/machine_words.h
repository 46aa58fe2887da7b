/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines, devices and clocks of a run in words, as far as their cards tell.
 * Text is harmless for a terminal, and cut to fit.
 */
#ifndef EMIT_MACHINE_WORDS_H
#define EMIT_MACHINE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* --- card words ----------------------------------------------------------- */

/* The card of a trace for people: a line a value. */

struct buf;			/* base/buf.h */
struct card;			/* machine/card.h */

/* What is known in a card, in the order of its file; what is in another device
 * is indented.  Text is harmless for a terminal. */
void card_words_write(const struct card *c, struct buf *b);

/* --- machine words -------------------------------------------------------- */

struct reader;			/* run/reader.h */

enum { MACHINE_WORDS = 1024 };

/* "db1, Linux 6.12.5, x86_64, 4 CPUs"; false: there is no card of it */
bool machine_words(char text[MACHINE_WORDS], const struct reader *r,
		   uint16_t origin);

/* "sda, FAST 3000, 1.00G, scheduler bfq, nr_requests 64" with what it lies on
 * behind that; false: there is no card of the device, by its id */
bool machine_words_device(char text[MACHINE_WORDS], const struct reader *r,
			  uint32_t device);

/* how far the time of day can be trusted: "db1 within 1.50ms"; "db1 unknown" */
void machine_words_clock(char text[MACHINE_WORDS], const struct reader *r,
			 uint16_t origin);

#endif
