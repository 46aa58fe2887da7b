/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a replay file, bunch by bunch.
 *
 * Reading must not make an I/O late, so the file is read ahead in large pieces
 * when the caller has time for it.
 */
#ifndef REPLAY_BUNCH_READER_H
#define REPLAY_BUNCH_READER_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct bunch_file;		/* replay/bunch.h */
struct bunch_reader;

/* 0 and *r, after its header; or -errno, -ENODATA: it is empty */
int bunch_reader_open(struct bunch_reader **r, const char *path);

const char *bunch_reader_path(const struct bunch_reader *r);

/* its header, whose counts may be too small: see bunch.h */
const struct bunch_file *bunch_reader_header(const struct bunch_reader *r);

/*
 * 1: *b is the next bunch.  0: end.  -1: the file is damaged or cannot be
 * read, see bunch_reader_fault().
 */
int bunch_reader_next(struct bunch_reader *r, struct bunch *b);

/* "byte 32: what is wrong there"; good until the next call on r */
const char *bunch_reader_fault(const struct bunch_reader *r);

/* reads ahead if half of the buffer is free; for when nothing is due */
void bunch_reader_fill(struct bunch_reader *r);

/* goes back to the first bunch, and reads ahead */
void bunch_reader_rewind(struct bunch_reader *r);

/* closes and frees r; NULL is fine */
void bunch_reader_close(struct bunch_reader *r);

#endif
