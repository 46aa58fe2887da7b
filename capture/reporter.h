/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user has to know of a capture, from whatever part and thread of it
 * finds out, to the program, which prints it: parts and threads print nothing.
 */
#ifndef CAPTURE_REPORTER_H
#define CAPTURE_REPORTER_H

struct capture_reporter {
	/*
	 * A line without its end, good for the call.  Called from any thread,
	 * from several at a time, and with no lock held but a sink's own.
	 */
	void (*line)(void *ctx, const char *text);
	void *ctx;
};

/* formats a line and hands it over; without r (NULL) it is dropped */
void reporter_write(const struct capture_reporter *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
