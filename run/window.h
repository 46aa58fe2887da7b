/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stopwatch window (-w): from when to when events are looked at, in ns
 * after the first event, both ends inside.
 */
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
	WINDOW_NO_NUMBER,	/* nothing that reads as a number */
	WINDOW_JUNK,		/* something behind a lone number */
	WINDOW_BAD_END,		/* no number behind the colon */
	WINDOW_EMPTY,		/* it ends before it starts */
};

/* "end" or "start:end" in seconds, fractions allowed; without start it stays */
enum window_error window_parse(struct window *w, const char *text);

#endif
