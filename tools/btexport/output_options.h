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
#include "tools/btexport/queries.h"
#include "tools/btexport/tables.h"

/* --- fields --------------------------------------------------------------- */

/*
 * Which columns of a table are wanted, in which order: --fields.
 */

struct query;			/* tools/btexport/queries.h */
struct row_table;		/* tools/btexport/row_table.h */

struct fields {
	unsigned int numbers[ROW_COLUMNS];	/* in the table */
	const struct column *columns[ROW_COLUMNS];
	struct row_shape shape;	/* these columns; points into here */
};

/*
 * Columns of t by a list: "a,b" are these in this order, "-a,-b" all but
 * these, NULL all.  A list that cannot be ends the program with a message.  *f
 * stays where it is.
 */
void fields_choose(struct fields *f, const struct row_table *t,
		   const char *list);

/* The same of those that a query may need. */
void fields_of_query(struct fields *f, const struct row_table *t,
		     const struct query *q);

/* --- output options ------------------------------------------------------- */

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
	/* of a question (answer.h) what is asked, and how its answer is
	 * written; NULL: as a table for people */
	struct query query;
	const struct row_ops *answer;
	/* work that takes long ends when one of these bits is in it */
	const volatile sig_atomic_t *stop;
	int stop_bits;
};

#endif
