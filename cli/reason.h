/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a flight recorder wrote a trace: the text in cause.json beside it, which
 * may be anybody's file.
 */
#ifndef CLI_REASON_H
#define CLI_REASON_H

#include <stdbool.h>

enum { REASON_TEXT = 1024 };

/* the text in the file of a directory or packed file, escaped for terminals;
 * false: no file of the recorder's */
bool reason_read(const char *directory, char text[REASON_TEXT]);

#endif
