/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a file of saved histograms (stat/saved.h) into a set, piece by piece.
 *
 * Any bytes are safe: a histogram enters the set only if its counts add up, its
 * cells ascend, minimum and maximum are in the outer cells, and the sum is
 * possible.
 */
#ifndef STAT_SAVED_READER_H
#define STAT_SAVED_READER_H

#include <stddef.h>
#include <stdint.h>

struct saved;			/* stat/saved.h */
struct saved_reader;

/* a fault of the file */
struct saved_fault {
	uint64_t line;		/* from 1 */
	const char *what;	/* constant text, without the line */
};

/* Reads into s, which must outlive the reader: 0 and *r, or -ENOMEM. */
int saved_reader_new(struct saved_reader **r, struct saved *s);

/*
 * Takes the next bytes.  0; -EBADMSG: damaged, see saved_reader_fault();
 * -ENOMEM.  After a failure nothing more is read, and earlier lines stay in the
 * set.
 */
int saved_reader_add(struct saved_reader *r, const void *bytes, size_t len);

/* checks that the file may end here; returns the same */
int saved_reader_end(struct saved_reader *r);

/* the fault of the last -EBADMSG */
struct saved_fault saved_reader_fault(const struct saved_reader *r);

/* frees r; NULL is fine */
void saved_reader_free(struct saved_reader *r);

#endif
