/* SPDX-License-Identifier: GPL-2.0-only */
/* The stopwatch window (-w), in ns after the first event, ends included. */
#ifndef RUN_WINDOW_H
#define RUN_WINDOW_H

#include <stdint.h>

struct window {
	uint64_t start, end;
};

/* the whole trace */
#define WINDOW_ALL ((struct window){ 0, UINT64_MAX })

enum window_error {
	WINDOW_OK,
	WINDOW_NO_NUMBER,	/* does not start with a number */
	WINDOW_JUNK,		/* text after a lone number */
	WINDOW_BAD_END,		/* no number after the colon */
	WINDOW_EMPTY,		/* ends before it starts */
};

/* "end" or "start:end" in seconds with fractions; "end" keeps start */
enum window_error window_parse(struct window *w, const char *text);

#endif
