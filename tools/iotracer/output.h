/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands print: standard output, where every failure is reported.
 */
#ifndef TOOLS_IOTRACER_OUTPUT_H
#define TOOLS_IOTRACER_OUTPUT_H

struct buf;			/* base/buf.h */

/* 0, or -ENOMEM, reported on stderr */
int output_open(struct buf *out);

/*
 * Writes what is left and frees out.  0; 1 if it could not be written, which is
 * reported on stderr unless the reader has gone away.
 */
int output_close(struct buf *out);

#endif
