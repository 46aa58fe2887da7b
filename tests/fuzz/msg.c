/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/msg for fuzzing: every message is formatted, so that a bad argument
 * is found, and goes nowhere, as a million of them would be slow.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"

void msg_warn(const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
}

/* No input may make us give up: this is a finding. */
void msg_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	abort();
}
