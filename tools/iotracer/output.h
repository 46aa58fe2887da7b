/*
 * What the words print: standard output, where whatever fails is said.
 */
#ifndef TOOLS_IOTRACER_OUTPUT_H
#define TOOLS_IOTRACER_OUTPUT_H

struct buf;			/* base/buf.h */

/* 0, or -ENOMEM, said on stderr */
int output_open(struct buf *out);

/*
 * What was written goes out whole, and out is freed.  0; 1 if it could not,
 * said on stderr: but a reader that has gone away needs no words.
 */
int output_close(struct buf *out);

#endif
