/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the watched file of a word of the command line: a path it was added
 * under, or its name BDEV_INODE, as list prints it.
 */
#ifndef TOOLS_IOTRACER_FOUND_H
#define TOOLS_IOTRACER_FOUND_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/iotracer/pins.h"

/* --- missing -------------------------------------------------------------- */

/*
 * A watched file may be missing: under none of its paths any more.  Its watch
 * and its lines stay until it is removed.
 */

struct path_entry;		/* tools/iotracer/paths.h */
struct pins;			/* tools/iotracer/pins.h */

/* warns on stderr, with the reason, if the file is missing */
void missing_warn(struct pins *p, uint32_t file);

/* the same with `count` paths of any files, newest first */
void missing_warn_paths(struct pins *p, uint32_t file,
			const struct path_entry *paths, int count);

/* --- found ---------------------------------------------------------------- */

struct found {
	uint32_t file;		/* its number in `files` */
	bool by_name;
	char path[PATH_MAX];	/* else this one */
};

/* opens the pins and finds the file; 0, or -errno, reported on stderr, with the
 * pins closed */
int found_open(struct pins *p, const char *word, struct found *found);

/* the same, but -ENOENT (no such file) is not reported */
int found_open_quietly(struct pins *p, const char *word, struct found *found);

#endif
