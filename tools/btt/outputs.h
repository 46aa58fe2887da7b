/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Outputs of texts: standard output, or with -o NAME the files NAME.avg (the
 * report), NAME.dat (ranges of activity), NAME.msg (messages in the trace) and,
 * with -X, NAME.xvg (the report for programs).
 */
#ifndef TOOLS_BTT_OUTPUTS_H
#define TOOLS_BTT_OUTPUTS_H

#include <stdbool.h>

#include "cli/outfile.h"

struct options;			/* tools/btt/options.h */

struct outputs {
	struct buf *report, *ranges, *messages;	/* maybe one buffer */
	struct buf *easy;	/* of -X, or NULL */
	struct outfile standard;
	struct outfile files[4];
	char *paths[4];
	int count;		/* of files */
};

/* dies if one cannot be opened */
void btt_outputs_open(struct outputs *out, const struct options *o);

/* writes out and closes; false: a write failed, after a warning */
bool btt_outputs_close(struct outputs *out);

#endif
