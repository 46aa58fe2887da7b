/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is to be watched: opened, and named as the kernel knows it.
 */
#ifndef TOOLS_IOTRACER_WATCHED_H
#define TOOLS_IOTRACER_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/layout.h"

struct bpf;			/* bpf/bpf.h */

struct watched {
	const char *path;	/* as the user named it */
	int fd;			/* -1: not open */
	bool directory;		/* what is below it is meant */
	struct bpf_found found;
	struct bpf_file file;	/* what bpf_file_add() takes; T0 is now */
	uint32_t number;	/* in b->files, once it is watched */
};

/*
 * Opens a regular file or a directory for reading; 0, or -errno, reported on
 * stderr.  WATCHED_OTHER: it is neither, and was not opened; not reported.
 */
enum { WATCHED_OTHER = 1 };
int watched_open(struct watched *t, const char *path);

/* the same, but a regular file: 0, or -errno, reported */
int watched_open_regular(struct watched *t, const char *path);

/*
 * Fills in found and file.  With a pointer to the inode if the descriptor
 * stays open while it is watched; else by number only, as the pointer may come
 * to be another's.  0, or -errno, reported on stderr.
 */
int watched_find(struct watched *t, struct bpf *b, bool by_pointer);

void watched_close(struct watched *t);

/* whether we see a mount of the filesystem with that superblock's number */
bool watched_is_mounted(uint32_t device);

/* path made absolute; a last link is not followed.  To be freed; NULL: errno */
char *watched_absolute(const char *path);

#endif
