/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffered output to a file or standard output.  Reports the first failure of
 * each file; a pipe without a reader ends the program silently, as by SIGPIPE.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/place.h"

struct outfile {
	struct buf buf;		/* to write to */
	const char *name;	/* for messages, the caller's */
	bool open;		/* until the first failure */
	bool failed;		/* a failure was reported */
	bool packed;		/* gzip'd on closing, to target */
	int target;
	bool placed;		/* complete or absent: by place */
	struct place place;
};

/*
 * Creates or truncates path, which must outlive f; NULL: standard output.  size
 * is the buffer's in bytes, and a pipe's if the kernel allows it.  Ends the
 * program with a message on failure.
 */
void outfile_open(struct outfile *f, const char *path, size_t size);

/* the same by an opener, or NULL */
void outfile_open_by(struct outfile *f, const struct opener *o,
		     const char *path, size_t size);

/* The same, gzip'd; path is not NULL.  Kept in memory until outfile_close(), so
 * for files of a few MiB. */
void outfile_open_packed(struct outfile *f, const struct opener *o,
			 const char *path, size_t size);

/*
 * As outfile_open_by(), of a file that is complete or absent: outfile_close()
 * puts it in place (base/place.h) unless something has failed.  path is not
 * NULL.  false: failed and reported, as there may be other files to remove.
 */
bool outfile_open_whole(struct outfile *f, const struct opener *o,
			const char *path, size_t size);

/* Closes f and frees the buffer; an earlier file of outfile_open_whole() stays
 * as it was, any other keeps what was written. */
void outfile_discard(struct outfile *f);

bool outfile_is_stdout(const struct outfile *f);

/*
 * Call after writing to f->buf: whether nothing has failed; else f is not open
 * any more.  what follows the file's name in the message: "" or ", the dump
 * ends here".
 */
bool outfile_check(struct outfile *f, const char *what);

/*
 * Has a thread write full buffers, if f is a pipe or a regular file, and that is not
 * what standard error or the other (NULL: none) writes to: text of both would come in
 * another order.  outfile_flush() waits for the thread.  Whether there is one.
 */
bool outfile_write_behind(struct outfile *f, const struct outfile *other);

/* writes the buffer; returns as outfile_check() */
bool outfile_flush(struct outfile *f, const char *what);

/*
 * Closes f without writing the buffer, and frees that.  Whether nothing has
 * failed since opening.  A zero or closed f is fine.
 */
bool outfile_close(struct outfile *f);

/* Flushes stdout; false: failed and reported. */
bool outfile_flush_stdio(void);

/* Flushes stdout, or ends the program with a message and status 1. */
void cli_flush(void);

/* the same, then exit(0) */
void cli_leave(void) __attribute__((noreturn));

#endif
