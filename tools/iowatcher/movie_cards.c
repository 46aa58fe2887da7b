/* SPDX-License-Identifier: GPL-2.0-only */
/* Small graphs beside a movie; see movie_cards.h. */
#include "base/time.h"
#include "tools/iowatcher/movie_cards.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/sources.h"

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_SECOND;
}

static void make_card(struct movie_card *c, enum graph_kind kind,
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s)
{
	double most;

	figure_make(&c->figure, kind, o, frame, s);
	most = figure_most(&c->figure);
	c->unit = units_choose(kind, most);
	c->most = most / c->unit.size;
	scale_set(&c->across, seconds(frame->from), seconds(frame->to), 2);
	scale_place(&c->across, CARD_X, CARD_X + CARD_WIDTH);
	scale_set(&c->up, 0, most, 2);
	scale_place(&c->up, c->y + CARD_HEIGHT, c->y);
}

void movie_cards_make(struct movie_card cards[MOVIE_CARDS],
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s)
{
	bool cpus = sources_graphs(s, o) & GRAPH_BIT(GRAPH_CPU_USER);
	const enum graph_kind kinds[MOVIE_CARDS] = {
		GRAPH_TPUT, cpus ? GRAPH_CPU_USER : GRAPH_IOPS, GRAPH_DEPTH,
	};

	for (int i = 0; i < MOVIE_CARDS; i++) {
		cards[i].y = CARD_Y + i * CARD_PITCH;
		make_card(&cards[i], kinds[i], o, frame, s);
	}
}

void movie_cards_free(struct movie_card cards[MOVIE_CARDS])
{
	for (int i = 0; i < MOVIE_CARDS; i++)
		figure_free(&cards[i].figure);
}
