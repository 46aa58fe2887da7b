/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that formats use.
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

struct query;			/* tools/btexport/queries.h */
struct row_table;		/* tools/btexport/row_table.h */

/* the selected columns of a table, in order: --fields */
struct fields {
	unsigned int numbers[ROW_COLUMNS];	/* in the table */
	const struct column *columns[ROW_COLUMNS];
	struct row_shape shape;	/* these columns; points into here */
};

/*
 * Selects columns of t by a list: "a,b" these in this order, "-a,-b" all but
 * these, NULL all.  An invalid list ends the program with a message.  *f must
 * not move.
 */
void fields_choose(struct fields *f, const struct row_table *t,
		   const char *list);

/* Selects the columns that a query may need. */
void fields_of_query(struct fields *f, const struct row_table *t,
		     const struct query *q);

/* --- output options ------------------------------------------------------- */

struct outfile;			/* cli/outfile.h */
struct output_ops;		/* tools/btexport/output.h */

struct output_options {
	const struct output_ops *format;
	struct opener opener;	/* makes files; main's to set */
	struct outfile *early;	/* opened already, main's; or NULL */
	struct fields fields[TABLES];
	struct row_options rows;
	struct iolog_options iolog;
	unsigned int every;	/* s; prometheus; 0: once, at the end */
	struct query query;	/* of question_output */
	const struct row_ops *answer;	/* its format; NULL: for people */
	/* long work ends when *stop has one of these bits */
	const volatile sig_atomic_t *stop;
	int stop_bits;
};

#endif
