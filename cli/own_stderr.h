/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces stderr by a stream that calls a function with all text.  Only GNU's
 * C library lets stderr be set: without it, own_stderr_none.c is built.
 */
#ifndef CLI_OWN_STDERR_H
#define CLI_OWN_STDERR_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* returns how many of len bytes it wrote */
typedef ssize_t own_stderr_write(void *ctx, const char *text, size_t len);

/* the old stderr; NULL: it was not replaced */
FILE *own_stderr_start(own_stderr_write *write, void *ctx);

/* restores what own_stderr_start() returned */
void own_stderr_end(FILE *was);

#endif
