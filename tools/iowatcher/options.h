/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iowatcher's command line.
 */
#ifndef TOOLS_IOWATCHER_OPTIONS_H
#define TOOLS_IOWATCHER_OPTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opener.h"
#include "cli/captured.h"
#include "tools/iowatcher/movie_map.h"

/* something to draw, and what the legend calls it */
struct watched_name {
	const char *path;
	const char *label;	/* NULL: none was given */
};

struct watched_names {
	struct watched_name *list;
	size_t count;
};

/* both ends inside; an end that was not given is the type's own */
struct watched_span {
	uint64_t low, high;
};

struct cli_program;		/* cli/program.h */

struct watch_options {
	struct watched_names traces;
	struct watched_names logs;	/* of fio */
	bool captures;		/* the traces are devices, to capture first */
	struct captured captured;	/* of these */
	const char **devices;	/* that are traced first: the first of traces
				 * is where to, then */
	unsigned int device_count;
	const char *directory;	/* of what is traced; NULL: here */
	bool runs_program;	/* -p */
	char **program;		/* with its arguments; NULL: none */
	const char *output;	/* NULL: no picture is wanted */
	bool movie;		/* it is one, */
	enum movie_style movie_style;	/* of this style */
	const char *codec;	/* that ffmpeg is told */
	bool keep_frames;	/* beside what it makes of them */
	const char *html;	/* a page, NULL: it is not wanted */
	uint64_t size;		/* bytes of its data at most */
	char *command;		/* the command line itself */
	const char *json;	/* NULL: they are not wanted */
	const char *csv;	/* a directory */
	const char *title;	/* "" if there is none */
	unsigned int graphs;	/* GRAPH_BIT()s that are wanted */
	bool only;		/* -O was given */
	unsigned int width, height;	/* px of a plot */
	unsigned int columns;	/* graphs side by side */
	struct watched_span time;	/* ns */
	struct watched_span sectors;
	uint64_t rolling;	/* ns; 0: lines are not smoothed */
	char action;		/* Q, D or C; 0: the first of these that an io
				 * has */
	bool per_process;
	bool no_progress;
	struct opener opener;	/* makes outputs; main's to set */
	/* main's: a signal that has come while something is written, or 0 */
	const volatile sig_atomic_t *stop;
};

/* its table of options */
extern const struct cli_program watch_program;

/* fills *o; does not return from mistakes, --help and such */
void watch_options_parse(struct watch_options *o, int argc, char **argv);

/* whether anything but the page is wanted */
bool watch_options_graphs(const struct watch_options *o);

void watch_options_free(struct watch_options *o);

/* ns of a bin at first, and bins that are kept while reading: plots of all
 * widths start so, and combine bins that have doubled */
enum { BIN_NS = 1 << 16 };

unsigned int watch_options_bins(const struct watch_options *o);

#endif
