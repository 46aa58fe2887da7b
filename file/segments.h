/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments of one trace, in their order; see segment.h for what one is.
 */
#ifndef FILE_SEGMENTS_H
#define FILE_SEGMENTS_H

#include <stddef.h>

struct segments {
	struct segments_one {
		unsigned int number;
		char *path;	/* of its directory */
	} *list;
	size_t count;
};

/*
 * All of a directory ("" for the working directory).  0 with at least one;
 * -ENOENT: it has none; or -errno.
 */
int segments_find(struct segments *s, const char *dir);

/*
 * Adds one by its path, where it belongs.  0, also if it is there already;
 * -EINVAL: that is no segment's name; -ENOMEM.
 */
int segments_add(struct segments *s, const char *path);

/* an all-zero struct segments is empty */
void segments_free(struct segments *s);

#endif
