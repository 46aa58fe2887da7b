/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Under which paths the pinned watches were added.  The kernel knows files by
 * number; the paths are kept beside them, in a map that is ours alone.
 */
#ifndef TOOLS_IOTRACER_PATHS_H
#define TOOLS_IOTRACER_PATHS_H

#include <limits.h>
#include <stdint.h>

struct path_entry {
	uint32_t file;		/* its number in `files` */
	uint32_t zero;
	uint64_t added;		/* grows from one to the next */
	char text[PATH_MAX];	/* absolute */
};

/* All take the map's descriptor and return 0 or -errno. */

/* makes the map */
int paths_new(void);

/* *e is how it is there; -EEXIST: it was, for that file or another */
int paths_add(int map, uint32_t file, const char *text, struct path_entry *e);

/* the entry of a path: -ENOENT: there is none */
int paths_find(int map, const char *text, struct path_entry *e);

/* takes out the path; *left is how many its file still has */
int paths_remove(int map, const char *text, unsigned int *left);

/* all of a file's paths, whatever they are */
int paths_remove_file(int map, uint32_t file);

/*
 * All entries, newest first, to be freed: their number, or -errno.
 */
int paths_read(int map, struct path_entry **list);

#endif
