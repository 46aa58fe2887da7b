/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where blkparse writes: the text, the dump, and the lines about files that
 * have been added.
 */
#ifndef TOOLS_BLKPARSE_OUTPUTS_H
#define TOOLS_BLKPARSE_OUTPUTS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/outfile.h"

struct event;			/* record/record.h */
struct options;			/* tools/blkparse/options.h */

struct outputs {
	struct outfile text;
	struct outfile dump;	/* open only with -d, up to its first error */
	unsigned int version;	/* of the dump's records; 0: each its own */
	bool shared;		/* text and dump both go to stdout */
	bool failed;		/* in another way than the files report */
	FILE *added;		/* lines about files, kept for the end */
	char *added_text;
	size_t added_len;
};

/* opens what the options name; ends the program when it cannot */
void outputs_open(struct outputs *out, const struct options *o);

/*
 * The line that a file has been added: at once on a terminal, else last; on
 * standard error where the dump goes to standard output.
 */
void outputs_added(struct outputs *out, const char *file);

/* appends an event or note to the dump, which must be open */
void outputs_dump(struct outputs *out, const struct event *ev);

/* whether all text could be written so far; reports it once if not */
bool outputs_text_fine(struct outputs *out);

/* writes out what waits in buffers; false: the text takes no more */
bool outputs_flush(struct outputs *out);

/* hands stdio the lines about files, which come behind everything else */
void outputs_end(struct outputs *out);

/* closes and frees everything; whether all of it has been written */
bool outputs_close(struct outputs *out);

#endif
