/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are watched, and are not found any more under any of the paths
 * they were added by.  Their watches stay, with the lines there are, until
 * they are removed.
 */
#ifndef TOOLS_IOTRACER_MISSING_H
#define TOOLS_IOTRACER_MISSING_H

#include <stdint.h>

struct path_entry;		/* tools/iotracer/paths.h */
struct pins;			/* tools/iotracer/pins.h */

/* Both warn on stderr if the file is missing, in a line with the reason. */
void missing_warn(struct pins *p, uint32_t file);

/* the same with `count` paths at hand, newest first, of whatever files */
void missing_warn_paths(struct pins *p, uint32_t file,
			const struct path_entry *paths, int count);

#endif
