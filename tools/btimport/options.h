/* SPDX-License-Identifier: GPL-2.0-only */
/* btimport's command line. */
#ifndef TOOLS_BTIMPORT_OPTIONS_H
#define TOOLS_BTIMPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opener.h"
#include "cli/program.h"
#include "import/import.h"

struct btimport_options {
	const char **names;	/* operands; "-" is standard input */
	size_t count;
	const char *output;	/* -o: NAME, FILE.btz; NULL: standard output */
	bool packed;		/* output is a packed file */
	const struct import_format *from;	/* NULL: by content */
	struct import_options import;
	bool no_progress;
	struct opener opener;	/* makes outputs; main's to set */
};

extern const struct cli_program btimport_program;

/* fills *o; does not return after mistakes, --help and such */
void btimport_options_parse(struct btimport_options *o, int argc, char **argv);

void btimport_options_free(struct btimport_options *o);

#endif
