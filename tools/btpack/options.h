/* SPDX-License-Identifier: GPL-2.0-only */
/* btpack's command line. */
#ifndef TOOLS_BTPACK_OPTIONS_H
#define TOOLS_BTPACK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opener.h"
#include "cli/program.h"
#include "tools/btpack/selection.h"

enum pack_job { JOB_PACK, JOB_RESTORE, JOB_LIST, JOB_TEST };

struct btpack_options {
	const char **names;	/* operands, at least 1 */
	size_t count;
	enum pack_job job;
	bool several;		/* jobs were named */
	const char *output;	/* -o: the packed file; NULL: standard output */
	bool gunzip;		/* pack what gzip'd files hold */
	struct selection selection;	/* -w, -a, -A, and of --between */
	const char *between;	/* two marks, or NULL */
	bool anonymise;
	const char *key;	/* of --anonymise, or NULL: a random one */
	const char *directory;	/* -D: where files are restored */
	bool force;		/* replace files there */
	bool no_progress;
	struct opener opener;	/* makes outputs; main's to set */
};

extern const struct cli_program btpack_program;

/* fills *o; does not return after mistakes, --help and such */
void btpack_options_parse(struct btpack_options *o, int argc, char **argv);

/* whether some events may be left out */
bool btpack_selects(const struct btpack_options *o);

void btpack_options_free(struct btpack_options *o);

#endif
