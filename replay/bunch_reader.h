/*
 * A replay file that is being read, bunch by bunch.
 *
 * Reading is never allowed to make an I/O late if it can be helped: the file
 * is read ahead in large pieces, at moments the reader chooses.
 */
#ifndef REPLAY_RECORDING_H
#define REPLAY_RECORDING_H

#include <stdint.h>

struct bunch;			/* replay/bunch.h */
struct bunch_file;		/* replay/bunch.h */
struct recording;

/* 0 and *r, read up to behind its header; or -errno, -ENODATA: it is empty */
int recording_open(struct recording **r, const char *path);

const char *recording_path(const struct recording *r);

/* its header, which tells less than the truth: see bunch.h */
const struct bunch_file *recording_header(const struct recording *r);

/*
 * 1: *b is the next bunch.  0: end.  -1: the file is damaged or cannot be
 * read; recording_fault() says how.
 */
int recording_next(struct recording *r, struct bunch *b);

/* "byte 32: what is wrong there"; good until the next call on r */
const char *recording_fault(const struct recording *r);

/* a moment in which nothing is due: reads ahead if there is much room */
void recording_ahead(struct recording *r);

/* back to the first bunch, which is read ahead */
void recording_rewind(struct recording *r);

/* closes and frees r; NULL is fine */
void recording_free(struct recording *r);

#endif
