/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole numbers; see number.h. */
#include <errno.h>
#include <stdlib.h>

#include "cli/number.h"

bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n)
{
	char *end;

	/* strtoull() also takes blanks, and a minus that it wraps around */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*n = strtoull(text, &end, 10);
	return !errno && !*end && *n >= min && *n <= max;
}
