/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The paths of the pinned watches, in a map that only we use, as the kernel
 * knows files by number; and paths of files below watched directories.
 */
#ifndef TOOLS_IOTRACER_PATHS_H
#define TOOLS_IOTRACER_PATHS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* --- below ---------------------------------------------------------------- */

/*
 * Paths of files below watched directories, by the numbers in lines.  The
 * kernel reports each once, and reuses a number after BPF_NAMES_MAX others.
 */

struct bpf_name;		/* bpf/layout.h */

enum { BELOW_BYTES = 64 << 20 };	/* of all texts; others have none */

struct below {
	char **texts;		/* BPF_NAMES_MAX + 1 of them; NULL: no path */
	size_t bytes;		/* of all texts */
	uint64_t untold;	/* paths without room */
};

/* 0 or -ENOMEM */
int below_init(struct below *n);
void below_free(struct below *n);

/*
 * Keeps a path that the kernel has reported, after the directory's as the user
 * named it, with "..." for missing parts, and escaped by base/escape.  Skips a
 * malformed one.  0 or -ENOMEM.
 */
int below_add(struct below *n, const struct bpf_name *name,
	      const char *directory);

/* That path, the caller's to free; a malformed one's is the directory's.  NULL: no
 * memory. */
char *below_path(const struct bpf_name *name, const char *directory);

/* the path of a line's file, valid until the next below_add(); NULL: none */
const char *below_get(const struct below *n, uint32_t number);

/* --- paths ---------------------------------------------------------------- */

struct path_entry {
	uint32_t file;		/* its number in `files` */
	uint32_t zero;
	uint64_t added;		/* grows from one to the next */
	char text[PATH_MAX];	/* absolute */
};

/* All take the map's descriptor and return 0 or -errno. */

/* makes the map */
int paths_new(void);

/* adds text; *e: its entry; -EEXIST: it was there, for that file or another */
int paths_add(int map, uint32_t file, const char *text, struct path_entry *e);

/* the entry of a path; -ENOENT: none */
int paths_find(int map, const char *text, struct path_entry *e);

/* removes the path; *left: the file's other paths */
int paths_remove(int map, const char *text, unsigned int *left);

/* removes all of a file's paths */
int paths_remove_file(int map, uint32_t file);

/* all entries, newest first, the caller's to free; returns their number, or
 * -errno */
int paths_read(int map, struct path_entry **list);

#endif
