/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines, devices and clocks of a run in words, from their cards.  Texts are
 * escaped for a terminal, and cut to fit.
 */
#ifndef EMIT_MACHINE_WORDS_H
#define EMIT_MACHINE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct card;			/* machine/card.h */
struct reader;			/* run/reader.h */

/* a card in the order of its file, a line per value; groups are indented */
void card_words_write(const struct card *c, struct buf *b);

enum { MACHINE_WORDS = 1024 };

/* "db1, Linux 6.12.5, x86_64, 4 CPUs"; false: the host has no card */
bool machine_words(char text[MACHINE_WORDS], const struct reader *r,
		   uint16_t origin);

/* "sda, FAST 3000, 1.00G, scheduler bfq, nr_requests 64" and the devices below
 * it; device is its id; false: it has no card */
bool machine_words_device(char text[MACHINE_WORDS], const struct reader *r,
			  uint32_t device);

/* the error of its time of day: "db1 within 1.50ms", "db1 unknown" */
void machine_words_clock(char text[MACHINE_WORDS], const struct reader *r,
			 uint16_t origin);

#endif
