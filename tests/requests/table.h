/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records as text: a line each, columns separated by tabs, as the recorded
 * tables have them.  What is absent is empty.
 */
#ifndef TESTS_REQUESTS_TABLE_H
#define TESTS_REQUESTS_TABLE_H

#include <stdio.h>

struct io;			/* request/io.h */

void table_header(FILE *out);
void table_row(FILE *out, const struct io *io);

#endif
