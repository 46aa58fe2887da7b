/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat's command line.
 */
#ifndef TOOLS_BTSTAT_OPTIONS_H
#define TOOLS_BTSTAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/opener.h"
#include "cli/captured.h"
#include "cli/look.h"
#include "run/host_clocks.h"
#include "run/window.h"
#include "tools/btstat/lists.h"

struct cli_program;		/* cli/program.h */
struct expr;			/* expr/expr.h */

enum stat_format {
	STAT_TEXT,
	STAT_CSV,
	STAT_JSON
};

enum stat_cache {
	STAT_CACHE_NONE,
	STAT_CACHE_LRU,
	STAT_CACHE_S3FIFO		/* and LRU */
};

struct stat_options {
	const char **inputs;	/* in the order given */
	int input_count;	/* at least 1 */
	const char *directory;	/* -D, or NULL */
	struct captured captured;	/* of devices among the inputs */
	const char *output;	/* -o, or NULL: standard output */
	struct host_wishes hosts;	/* --shift, --align */
	uint32_t mask;		/* categories that are counted */
	struct window window;	/* -w, or what --between means in a run */
	const char *between;	/* --between, or NULL */
	struct expr *where;	/* --where, or NULL */
	const char *where_text;	/* as given */
	bool explain;		/* --explain */
	int rule;		/* of --explain=RULE, or -1 */
	struct key_list by;	/* count 0: by device and operation */
	bool commits;		/* --by=commit */
	bool per_request;
	uint32_t measures;	/* --phases; 0: not given */
	struct percentile_list percentiles;	/* count 0: not given */
	struct time_list under;
	uint64_t interval;	/* ns */
	bool intervals;		/* --interval was given */
	bool series;		/* a row per interval, no tables */
	int histogram, heatmap;	/* the measure, or -1 */
	bool marks;		/* --marks */
	enum stat_cache cache;	/* --cache */
	unsigned int block_bits;	/* --block: of its bytes */
	bool capacity;		/* --capacity */
	uint64_t capacity_target;	/* its latency, ns; 0: none */
	unsigned int top;	/* rows, or 0 */
	int order;		/* of --top: the measure */
	uint64_t why;		/* --why: the I/O, or 0 */
	const char *save;	/* --save, or NULL */
	bool saved;		/* all inputs are save files */
	bool compare, gate;
	int runs_a;		/* with --compare: the inputs of side A */
	uint32_t least;		/* thousandths of a percent */
	enum stat_format format;
	struct look_options look;
	bool strict, no_progress;
	unsigned int threads;	/* 0: as fits */
	struct opener opener;	/* makes outputs; set by main */
};

extern const struct cli_program stat_program;

/* Fills *o.  Ends the program after a mistake, --help or --version. */
void stat_options_parse(struct stat_options *o, int argc, char **argv);

/* Checks what depends on the inputs' type.  It opens them, so the sandbox is
 * entered first. */
void stat_options_settle(struct stat_options *o);

void stat_options_free(struct stat_options *o);

#endif
