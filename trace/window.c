/* The stopwatch window. */
#include <stdlib.h>

#include "trace/window.h"

/* Seconds to ns; what does not fit in is for ever, and never before 0. */
static uint64_t to_ns(double seconds)
{
	double ns = seconds * 1e9;

	if (!(ns > 0))
		return 0;
	return ns >= 1.8e19 ? UINT64_MAX : (uint64_t)ns;
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
	w->start = 0;
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
