/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small graphs beside a movie: which, where, and how high their numbers go.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_CARDS_H
#define TOOLS_IOWATCHER_MOVIE_CARDS_H

#include "stat/scale.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/units.h"

enum {
	MOVIE_CARDS = 3,
	CARD_X = 24, CARD_Y = 68, CARD_WIDTH = 350, CARD_HEIGHT = 110,
	CARD_PITCH = 160,
};

struct movie_card {
	struct figure figure;
	struct scale across, up;	/* to px of the movie */
	struct unit_choice unit;
	double most;		/* in that unit */
	double y;		/* its top */
};

/* 1.3.0: throughput, CPU, queue depth; without CPU times IOPs */
void movie_cards_make(struct movie_card cards[MOVIE_CARDS],
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s);

void movie_cards_free(struct movie_card cards[MOVIE_CARDS]);

#endif
