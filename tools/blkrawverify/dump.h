/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One piece of a trace as the text that blkrawverify writes about faults.
 */
#ifndef TOOLS_BLKRAWVERIFY_DUMP_H
#define TOOLS_BLKRAWVERIFY_DUMP_H

#include <stdio.h>

struct piece;			/* file/scan.h */

/* all fields of p's header to out, under that name; a failure is out's */
void dump_piece(FILE *out, const char *name, const struct piece *p);

#endif
