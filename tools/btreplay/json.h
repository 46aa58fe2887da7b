/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as JSON, in a file or on standard output.
 */
#ifndef TOOLS_BTREPLAY_JSON_H
#define TOOLS_BTREPLAY_JSON_H

#include <stdio.h>

/* "-" is standard output; 0 and *f, or -errno */
int json_open(FILE **f, const char *file);

/* text, of at most PATH_MAX bytes, as a string: base/json.h */
void json_write_text(FILE *f, const char *text);

/* flushes f, and closes it but for standard output; 0, or -errno: not all
 * could be written */
int json_close(FILE *f);

#endif
