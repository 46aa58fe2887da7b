/* SPDX-License-Identifier: GPL-2.0-only */
/* An exported table; see row_table.h. */
#include <string.h>

#include "emit/row.h"
#include "tools/btexport/row_table.h"

int row_table_find(const struct row_table *t, const char *name, size_t len)
{
	for (unsigned int i = 0; i < t->count; i++) {
		const char *its = row_table_column(t, i)->name;

		if (!strncmp(its, name, len) && !its[len])
			return (int)i;
	}
	return -1;
}
