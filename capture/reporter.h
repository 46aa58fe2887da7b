/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture's messages to the user: the program prints what parts and threads
 * report.
 */
#ifndef CAPTURE_REPORTER_H
#define CAPTURE_REPORTER_H

struct capture_reporter {
	/*
	 * A line without its end, valid during the call.  Called from several
	 * threads at a time, with no lock held but a sink's.
	 */
	void (*line)(void *ctx, const char *text);
	void *ctx;
};

/* formats and reports a line; r may be NULL: drops it */
void reporter_write(const struct capture_reporter *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
