/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is printed in place of an export: tables described, ready queries.
 */
#ifndef TOOLS_BTEXPORT_DESCRIBE_H
#define TOOLS_BTEXPORT_DESCRIBE_H

#include <stdbool.h>

struct export_options;		/* tools/btexport/options.h */

/* --schema, --queries and --query=list: prints what they ask for.  Whether that
 * went well; else it has been reported. */
bool describe(const struct export_options *o);

#endif
