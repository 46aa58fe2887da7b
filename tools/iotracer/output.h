/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands' standard output, with failures reported. */
#ifndef TOOLS_IOTRACER_OUTPUT_H
#define TOOLS_IOTRACER_OUTPUT_H

struct buf;			/* base/buf.h */

/* 0, or -ENOMEM, reported on stderr */
int output_open(struct buf *out);

/* writes the rest and frees out; 0; 1: failed, reported on stderr unless the
 * reader has gone */
int output_close(struct buf *out);

#endif
