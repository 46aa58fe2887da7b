/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which columns of a table are wanted, in which order: --fields.
 */
#ifndef TOOLS_BTEXPORT_FIELDS_H
#define TOOLS_BTEXPORT_FIELDS_H

#include "emit/row.h"

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

#endif
