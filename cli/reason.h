/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a trace was written, if a flight recorder has: what stands as text in
 * the file cause.json beside it.  The file may be anybody's.
 */
#ifndef CLI_REASON_H
#define CLI_REASON_H

#include <stdbool.h>

enum { REASON_TEXT = 1024 };

/* the text of that directory's, made harmless for a terminal; false: there is
 * none, or it is not one of ours */
bool reason_read(const char *directory, char text[REASON_TEXT]);

#endif
