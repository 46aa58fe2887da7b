/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture's messages to the user; see reporter.h. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "capture/reporter.h"

enum { LINE_MAX = 1024 };

void reporter_write(const struct capture_reporter *r, const char *fmt, ...)
{
	char text[LINE_MAX];
	va_list ap;

	if (!r)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->line(r->ctx, text);
}
