/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a replay file bunch by bunch, ahead in large pieces when the caller has
 * time, as reading must not delay an I/O.
 */
#ifndef REPLAY_BUNCH_READER_H
#define REPLAY_BUNCH_READER_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct bunch_file;		/* replay/bunch.h */
struct bunch_reader;

/* reads the header: 0 and *r; -ENODATA: empty; or -errno */
int bunch_reader_open(struct bunch_reader **r, const char *path);

const char *bunch_reader_path(const struct bunch_reader *r);

const struct bunch_file *bunch_reader_header(const struct bunch_reader *r);

/* 1: *b is the next bunch.  0: end.  -1: see bunch_reader_fault(). */
int bunch_reader_next(struct bunch_reader *r, struct bunch *b);

/* "byte 32: PHRASE"; valid until the next call on r */
const char *bunch_reader_fault(const struct bunch_reader *r);

/* reads ahead if half of the buffer is free; call when no I/O is due */
void bunch_reader_fill(struct bunch_reader *r);

/* goes back to the first bunch, and reads ahead */
void bunch_reader_rewind(struct bunch_reader *r);

/* closes and frees r; NULL is fine */
void bunch_reader_close(struct bunch_reader *r);

#endif
