/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an output is to be: of the command line all that formats look at.
 */
#ifndef TOOLS_BTEXPORT_OUTPUT_OPTIONS_H
#define TOOLS_BTEXPORT_OUTPUT_OPTIONS_H

#include "emit/row.h"
#include "tools/btexport/fields.h"
#include "tools/btexport/tables.h"

struct output_ops;		/* tools/btexport/output.h */

struct output_options {
	const struct output_ops *format;
	struct fields fields[TABLES];	/* the columns that are wanted */
	struct row_options rows;
};

#endif
