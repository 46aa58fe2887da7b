/* SPDX-License-Identifier: GPL-2.0-only */
/* blkparse's command line. */
#ifndef TOOLS_BLKPARSE_OPTIONS_H
#define TOOLS_BLKPARSE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/format.h"
#include "run/window.h"

struct options {
	const char **inputs;	/* in order */
	int input_count;	/* at least 1 */
	unsigned int threads;	/* 0: as fits */
	const char *directory;	/* -D, or NULL */
	const char *output;	/* -o, or NULL: standard output */
	const char *dump;	/* -d, or NULL */
	int batch;		/* -b, 0: the default */
	uint32_t mask;		/* categories to show */
	struct window window;	/* -w */
	struct formats formats;	/* -f, -F */
	unsigned int record_version;	/* of the dump; 0: unchanged */
	char sort;		/* -S's letter; 0: no process statistics */
	bool by_name, no_messages, no_text, quiet, track, verbose;
	bool no_progress;
};

/* fills *o; does not return after mistakes, --help and such */
void blkparse_options_parse(struct options *o, int argc, char **argv);

void blkparse_options_free(struct options *o);

#endif
