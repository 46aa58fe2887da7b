/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a file of histograms (stat/saved.h) into a set of them, piece by
 * piece.  Whatever the bytes are, what gets into the set is such as numbers can
 * make: counts add up, cells ascend, the ends lie in the outer cells, and the
 * sum is one that these can have.
 */
#ifndef STAT_SAVED_READER_H
#define STAT_SAVED_READER_H

#include <stddef.h>
#include <stdint.h>

struct saved;			/* stat/saved.h */
struct saved_reader;

/* what is wrong with a file */
struct saved_fault {
	uint64_t line;		/* from 1 */
	const char *what;	/* constant text, without the place */
};

/* a reader into s, which must outlive it: 0 and *r, or -ENOMEM */
int saved_reader_new(struct saved_reader **r, struct saved *s);

/*
 * The next bytes of the file.  0; -EBADMSG: it is damaged, see
 * saved_reader_fault(); -ENOMEM.  What was read before stays in the set; after
 * a failure nothing more is read.
 */
int saved_reader_add(struct saved_reader *r, const void *bytes, size_t len);

/* the file ends here; the same */
int saved_reader_end(struct saved_reader *r);

/* of the last -EBADMSG */
struct saved_fault saved_reader_fault(const struct saved_reader *r);

/* frees r; NULL is fine */
void saved_reader_free(struct saved_reader *r);

#endif
