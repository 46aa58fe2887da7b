/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings of other programs that people take for traces, by their first
 * bytes. */
#ifndef FILE_FOREIGN_H
#define FILE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

struct foreign {
	const char *program;	/* that recorded it */
	const char *format;	/* as btimport --from names that */
};

enum { FOREIGN_BEGIN = 64 };	/* bytes that are enough to know one */

/* NULL: unknown */
const struct foreign *foreign_of(const void *begin, size_t len);

/* the same of a file, which may be gzip'd; NULL, too, if it cannot be read */
const struct foreign *foreign_of_file(const char *path);

/* whether bytes that follow can make it one */
bool foreign_may_be(const void *begin, size_t len);

#endif
