/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an output is to be: of the command line all that formats look at.
 */
#ifndef TOOLS_BTEXPORT_OUTPUT_OPTIONS_H
#define TOOLS_BTEXPORT_OUTPUT_OPTIONS_H

#include <signal.h>

#include "base/opener.h"
#include "emit/iolog.h"
#include "emit/row.h"
#include "tools/btexport/fields.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/tables.h"

struct outfile;			/* cli/outfile.h */
struct output_ops;		/* tools/btexport/output.h */

struct output_options {
	const struct output_ops *format;
	struct opener opener;	/* makes files; main's to set */
	struct outfile *early;	/* opened already, main's; or NULL */
	struct fields fields[TABLES];	/* the columns that are wanted */
	struct row_options rows;
	struct iolog_options iolog;
	unsigned int every;	/* s; prometheus; 0: once, at the end */
	/* of a question (question.h) what is asked, and how its answer is
	 * written; NULL: as a table for people */
	struct query query;
	const struct row_ops *answer;
	/* work that takes long ends when one of these bits is in it */
	const volatile sig_atomic_t *stop;
	int stop_bits;
};

#endif
