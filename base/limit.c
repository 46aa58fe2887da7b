/* SPDX-License-Identifier: GPL-2.0-only */
/* The limit of open files; see limit.h. */
#include <sys/resource.h>

#include "base/limit.h"

/* assumed if it cannot be read */
enum { USUAL = 256 };

unsigned long limit_open_files(void)
{
	struct rlimit limit = { USUAL, USUAL };

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	return limit.rlim_cur;
}

bool limit_more_files(unsigned long more)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	limit.rlim_cur += more;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_max = limit.rlim_cur;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}
