/* SPDX-License-Identifier: GPL-2.0-only */
/* btrecord's command line. */
#ifndef TOOLS_BTRECORD_OPTIONS_H
#define TOOLS_BTRECORD_OPTIONS_H

#include <stdbool.h>

#include "base/opener.h"
#include "replay/bunch_files.h"
#include "replay/bunch_writer.h"

struct record_options {
	struct named names;	/* of the inputs */
	const char *from;	/* -d: of the inputs */
	const char *to;		/* -D: of the replay files */
	const char *base;	/* -o */
	bool find;		/* -F: all traces in from, too */
	int verbose;
	bool no_progress;
	struct bunch_builder_options builder;
	struct opener opener;	/* makes replay files; main's to set */
};

/* fills *o; does not return after mistakes, --help and -V */
void record_options_parse(struct record_options *o, int argc, char **argv);

void record_options_free(struct record_options *o);

#endif
