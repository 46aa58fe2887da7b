/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream of ours in place of stderr, so that a function is called with all
 * that is written there.  C libraries other than GNU's do not let stderr be
 * set: without GNU's, own_stderr_none.c is built.
 */
#ifndef CLI_OWN_STDERR_H
#define CLI_OWN_STDERR_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* len bytes for stderr; how many of them were written */
typedef ssize_t own_stderr_write(void *ctx, const char *text, size_t len);

/* what stderr was until now; NULL: it still is, and write is never called */
FILE *own_stderr_start(own_stderr_write *write, void *ctx);

/* stderr is again what own_stderr_start() returned */
void own_stderr_end(FILE *was);

#endif
