/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btt's command line.
 */
#ifndef TOOLS_BTT_OPTIONS_H
#define TOOLS_BTT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/opener.h"

struct devmap;			/* tools/btt/devmap.h */

struct options {
	const char *input;	/* -i, or NULL: names */
	char **names;		/* operands, without -i */
	int name_count;

	/* counting */
	bool no_remaps;		/* -r */
	bool absolute_seeks;	/* -a */
	bool classic_remappers;	/* --remappers=classic */
	bool windowed;		/* -t or -T was given */
	double start, end;	/* of the window, seconds */
	double pause;		/* -d, seconds between ranges */

	/* the report; texts as given, or NULL */
	bool all_data;		/* -A */
	const char *devices;	/* -D */
	const char *exes;	/* -e */
	struct devmap *names_of_devices;	/* -M, or NULL */

	/* outputs: names or prefixes of names, or NULL */
	const char *output;	/* -o */
	bool easy_parse;	/* -X */
	const char *block_numbers;	/* -B */
	const char *iostat;	/* -I */
	unsigned int iostat_interval;	/* -S, seconds */
	const char *d2c, *q2c, *q2d;	/* -l, -q, -z */
	double latency_period;	/* -L, seconds; 0 or less: none */
	const char *seeks_per_second;	/* -m */
	const char *issue_seeks_per_second;
	const char *requests;	/* -p */
	bool trees;		/* -P */
	const char *depth;	/* -Q */
	const char *seeks;	/* -s */
	const char *unplugs;	/* -u */
	bool periods;		/* -Z */

	bool verbose;		/* -v */
	bool no_progress;
	unsigned int threads;	/* 0: as fits */
	struct opener opener;	/* makes files; set by main */
};

/* Fills *o.  Ends the program after a mistake, --help or -V. */
void btt_options_parse(struct options *o, int argc, char **argv);

void btt_options_free(struct options *o);

#endif
