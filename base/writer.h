/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes to a descriptor, in the caller's thread or in another one.  The thread gets
 * copies, made past the caches (base/past.h), in parcels of 1 MiB.  There are three:
 * a caller that is faster than the descriptor waits.
 *
 * After an error nothing more is written.
 */
#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include <stddef.h>

struct writer;

enum {
	WRITER_UNIT = 64,		/* bytes, of writer_put() */
	WRITER_FRONT = 8 * 1024,	/* to be put at a time: they are still in a
					 * CPU's nearest caches */
};

/* Writes len bytes in this thread, and waits for a descriptor that would block.  0 or
 * -errno. */
int writer_write(int fd, const char *bytes, size_t len);

/* Starts a thread that writes to fd.  0 and *w, -ENOMEM, or -EAGAIN: no thread. */
int writer_new(struct writer **w, int fd);

/* Hands len bytes on, a multiple of WRITER_UNIT, which start at a multiple of 16.  0,
 * or -errno of an earlier write. */
int writer_put(struct writer *w, const char *bytes, size_t len);

/* Hands any number of bytes on, and waits until all have been written.  0 or -errno. */
int writer_flush(struct writer *w, const char *bytes, size_t len);

/* Writes what was handed on, and ends the thread.  NULL is fine */
void writer_free(struct writer *w);

#endif
