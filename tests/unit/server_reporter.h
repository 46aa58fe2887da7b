/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A server's reporter that prints on standard error, as blktrace does.
 */
#ifndef TESTS_UNIT_SERVER_REPORTER_H
#define TESTS_UNIT_SERVER_REPORTER_H

#include <stdio.h>

#include "base/msg.h"
#include "capture/totals.h"
#include "server/report.h"

static inline bool print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
	return true;
}

static inline bool print_drops(void *ctx, uint64_t events, uint64_t drops)
{
	char text[TOTALS_WARNING];

	(void)ctx;
	totals_warning(events, drops, text);
	fputs(text, stderr);
	return true;
}

static const struct server_reporter server_reporter = {
	.line = print_line,
	.drops = print_drops,
};

#endif
