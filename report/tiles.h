/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a page above its graphs, as HTML. */
#ifndef REPORT_TILES_H
#define REPORT_TILES_H

#include <stdbool.h>

#include "report/markup.h"

/* --- tiles ---------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct report_page;		/* report/page.h */

enum { TILES = 10, TILE_NOTE_MAX = 640 };

/* one number */
struct tile {
	const char *key, *label;
	struct figure figure;
	double value;		/* the same; NAN: missing, or not to be
				 * compared */
	bool bad;
	char note[TILE_NOTE_MAX];	/* "": none */
	bool has_part;		/* a bar, of 100: */
	double part;
};

/* below the title: host, time of day, events */
void tiles_write_sub(const struct report_page *p, struct buf *b);

/* all tiles */
void tiles_write(const struct report_page *p, struct buf *b);

/* a list of remarks */
void tiles_write_findings(const struct report_page *p, struct buf *b);

/* --- pair tiles ----------------------------------------------------------- */

/* The parts of a page of two runs above its graphs, as HTML. */

struct report_pair;		/* report/pair.h */

/* below the title: what A is, and B */
void pair_tiles_write_sub(const struct report_pair *pair, struct buf *b);

/* tiles of both numbers and what B's is more or less */
void pair_tiles_write(const struct report_pair *pair, struct buf *b);

/* a list of remarks for each side that has any */
void pair_tiles_write_findings(const struct report_pair *pair, struct buf *b);

/* "+21.9%" from a to b as a text; "" if one is not there, or a is 0 */
enum { PAIR_CHANGE_MAX = 32 };

const char *pair_change(char text[PAIR_CHANGE_MAX], double a, double b);

#endif
