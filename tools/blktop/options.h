/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktop's command line.
 */
#ifndef TOOLS_BLKTOP_OPTIONS_H
#define TOOLS_BLKTOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/opener.h"
#include "cli/look.h"
#include "run/window.h"
#include "tools/blktop/sample.h"

struct expr;			/* expr/expr.h */

/* the keys of rows, in the order of --help */
#define TOP_COUNT_TOP + 1
#define TOP_COUNT_NO
#define TOP_COUNT(name, word, heading, column, show, top, ...) TOP_COUNT_##top
enum { TOP_KEYS = 0 GROUP_KEY_ROWS(TOP_COUNT, TOP_COUNT) };
extern const enum group_key top_keys[TOP_KEYS];

struct top_options {
	const char **inputs;	/* in the order given */
	int input_count;	/* at least 1 */
	const char *directory;	/* -D, or NULL */
	struct window window;	/* -w */
	struct expr *where;	/* --where, or NULL */
	const char *where_text;	/* as given */
	enum group_key by;
	enum sample_order sort;
	uint64_t interval;	/* ns */
	uint64_t count;		/* -n: intervals, or 0: all */
	bool live;		/* the inputs are block devices */
	bool all_steps;		/* trace every step of these */
	bool batch, json;
	bool hold;		/* --hold: the screen starts stopped */
	struct look_options look;
	struct opener opener;	/* makes saved traces; set by main */
};

/* Fills *o.  Ends the program after a mistake, --help or --version. */
void top_options_parse(struct top_options *o, int argc, char **argv);

void top_options_free(struct top_options *o);

#endif
