/* SPDX-License-Identifier: GPL-2.0-only */
/* The stopwatch window. */
#include <stdlib.h>

#include "run/window.h"

/*
 * 1.3.0: seconds to ns as on x86-64: too many become 0, negative ones a time
 * that no trace reaches.
 */
static uint64_t to_ns(double seconds)
{
	const double half = 9223372036854775808.0;	/* 2^63 */
	double ns = seconds * 1e9;

	if (ns >= 2 * half)
		return 0;
	if (ns >= 0)
		return (uint64_t)ns;
	return ns > -half ? (uint64_t)(int64_t)ns : (uint64_t)half;
}

enum window_error window_parse(struct window *w, const char *text)
{
	char *end;
	const char *second;
	double first = strtod(text, &end);

	if (end == text)
		return WINDOW_NO_NUMBER;
	if (*end && *end != ':')
		return WINDOW_JUNK;
	w->end = to_ns(first);
	if (*end) {
		second = end + 1;
		w->start = to_ns(first);
		w->end = to_ns(strtod(second, &end));
		if (end == second || *end)
			return WINDOW_BAD_END;
	}
	return w->end > w->start ? WINDOW_OK : WINDOW_EMPTY;
}
