/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Under which paths the pinned watches were added.  The kernel knows files by
 * number; the paths are kept beside them, in a map that is ours alone.
 */
#ifndef TOOLS_IOTRACER_PATHS_H
#define TOOLS_IOTRACER_PATHS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* --- below ---------------------------------------------------------------- */

/*
 * Paths of files below watched directories, by the numbers that lines have.
 * The kernel tells each once, and uses a number again after BPF_NAMES_MAX
 * others; so this is bounded by their number, and in bytes besides.
 */

struct bpf_name;		/* bpf/layout.h */

enum { BELOW_BYTES = 64 << 20 };	/* of all texts; what is beyond has none */

struct below {
	char **texts;		/* BPF_NAMES_MAX + 1 of them; NULL: no path */
	size_t bytes;		/* of all texts */
	uint64_t untold;	/* paths that there was no room for */
};

/* 0 or -ENOMEM */
int below_init(struct below *n);
void below_free(struct below *n);

/*
 * Keeps what the kernel has told, behind the directory as the user has named
 * it; parts that are missing show as "...", and what could disturb a terminal
 * or end a line as base/escape has it.  What is malformed is passed over.
 * 0 or -ENOMEM.
 */
int below_add(struct below *n, const struct bpf_name *name,
	      const char *directory);

/* of a line's file; NULL: it has none.  Good until the next below_add() */
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
