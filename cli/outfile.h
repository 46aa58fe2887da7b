/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that a program writes, or standard output: opened, written through a
 * buffer, checked, closed.  Failures are reported here, one line for each
 * file; a pipe whose reader has gone away ends the program without a line, as
 * SIGPIPE does.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/place.h"

/* --- leave ---------------------------------------------------------------- */

/*
 * Ends a program that has only printed something.
 */

/* standard output is written, or the program ends: status 1, with a line */
void cli_flush(void);

/* the same, then exit(0) */
void cli_leave(void) __attribute__((noreturn));

/* --- outfile -------------------------------------------------------------- */

struct outfile {
	struct buf buf;		/* what is written goes here; knows whether it
				 * is a terminal */
	const char *name;	/* for messages, the caller's */
	bool open;		/* it takes more; the first failure ends that */
	bool failed;		/* a failure has been reported */
	bool packed;		/* gzip'd when it is closed, to target */
	int target;
	bool placed;		/* whole or not there: by place */
	struct place place;
};

/*
 * Opens path, which must outlive f, created or cut to nothing; NULL means
 * standard output.  size is the buffer's, in bytes, and so much a pipe takes at
 * once, if the kernel lets us.  Ends the program with a message when the file
 * cannot be opened or there is no memory.
 */
void outfile_open(struct outfile *f, const char *path, size_t size);

/* the same by an opener, or NULL */
void outfile_open_by(struct outfile *f, const struct opener *o,
		     const char *path, size_t size);

/*
 * The same for a file that is gzip'd; path is not NULL.  What is written waits
 * in memory for outfile_close(), so this is for files of a few MiB.
 */
void outfile_open_packed(struct outfile *f, const struct opener *o,
			 const char *path, size_t size);

/*
 * The same for a file that is whole or not there, as base/place.h has it: it
 * takes its place in outfile_close(), unless something has failed, and o as
 * place_open() has it.  path is not NULL.  Whether it could be opened: else that
 * has been reported, as there may be other files to remove.
 */
bool outfile_open_whole(struct outfile *f, const struct opener *o,
			const char *path, size_t size);

/* The file is not to be: one opened whole is removed, what was there before
 * stands; any other is closed with what was written.  Frees the buffer. */
void outfile_discard(struct outfile *f);

/* whether f is standard output */
bool outfile_is_stdout(const struct outfile *f);

/*
 * To call after writing to f->buf: whether all has gone well.  Otherwise f is
 * not open any more.  what follows the file's name in the message: "" or
 * ", the dump ends here".
 */
bool outfile_check(struct outfile *f, const char *what);

/* writes what waits in the buffer; else as outfile_check() */
bool outfile_flush(struct outfile *f, const char *what);

/*
 * Closes f without writing what waits in its buffer, and frees the buffer.
 * Whether all has gone well from the opening to the close.  An f of zeros, or
 * one that is closed already, is fine.
 */
bool outfile_close(struct outfile *f);

/* Writes what stdio holds for standard output; whether that went well. */
bool outfile_flush_stdio(void);

#endif
