/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The watched file that a word of the command line means: a path it was added
 * under, or its name as list prints it, BDEV_INODE.
 */
#ifndef TOOLS_IOTRACER_FOUND_H
#define TOOLS_IOTRACER_FOUND_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/iotracer/pins.h"

/* --- missing -------------------------------------------------------------- */

/*
 * Files that are watched, and are not found any more under any of the paths
 * they were added by.  Their watches stay, with the lines there are, until
 * they are removed.
 */

struct path_entry;		/* tools/iotracer/paths.h */
struct pins;			/* tools/iotracer/pins.h */

/* Both warn on stderr if the file is missing, in a line with the reason. */
void missing_warn(struct pins *p, uint32_t file);

/* the same with `count` paths at hand, newest first, of whatever files */
void missing_warn_paths(struct pins *p, uint32_t file,
			const struct path_entry *paths, int count);

/* --- found ---------------------------------------------------------------- */

struct found {
	uint32_t file;		/* its number in `files` */
	bool by_name;
	char path[PATH_MAX];	/* else this one */
};

/*
 * Opens the pins and finds the file; they are open only if it is there.
 * 0, or -errno, reported on stderr.
 */
int found_open(struct pins *p, const char *word, struct found *found);

/* the same, but -ENOENT without a message if no file is meant */
int found_open_quietly(struct pins *p, const char *word, struct found *found);

#endif
