/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of a watched directory's filesystem: only from one can be learnt by
 * which functions its files are read and written.
 */
#ifndef TOOLS_IOTRACER_SAMPLE_H
#define TOOLS_IOTRACER_SAMPLE_H

struct bpf;			/* bpf/bpf.h */
struct watched;			/* tools/iotracer/watched.h */

/*
 * Fills in the functions of t->found, t being a directory, from some file
 * below it or from one without a name that is made for that; all are 0 if
 * there is none.
 */
void sample_take(struct watched *t, struct bpf *b);

#endif
