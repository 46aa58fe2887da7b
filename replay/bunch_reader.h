/*
 * A replay file that is being read, bunch by bunch.
 *
 * Reading is never allowed to make an I/O late if it can be helped: the file
 * is read ahead in large pieces, at moments the reader chooses.
 */
#ifndef REPLAY_BUNCH_READER_H
#define REPLAY_BUNCH_READER_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct bunch_file;		/* replay/bunch.h */
struct bunch_reader;

/* 0 and *r, read up to behind its header; or -errno, -ENODATA: it is empty */
int bunch_reader_open(struct bunch_reader **r, const char *path);

const char *bunch_reader_path(const struct bunch_reader *r);

/* its header, which tells less than the truth: see bunch.h */
const struct bunch_file *bunch_reader_header(const struct bunch_reader *r);

/*
 * 1: *b is the next bunch.  0: end.  -1: the file is damaged or cannot be
 * read; bunch_reader_fault() says how.
 */
int bunch_reader_next(struct bunch_reader *r, struct bunch *b);

/* "byte 32: what is wrong there"; good until the next call on r */
const char *bunch_reader_fault(const struct bunch_reader *r);

/* a moment in which nothing is due: reads ahead if there is much room */
void bunch_reader_fill(struct bunch_reader *r);

/* back to the first bunch, which is read ahead */
void bunch_reader_rewind(struct bunch_reader *r);

/* closes and frees r; NULL is fine */
void bunch_reader_close(struct bunch_reader *r);

#endif
