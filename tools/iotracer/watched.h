/* SPDX-License-Identifier: GPL-2.0-only */
/* A file to watch: opened, and with the kernel's numbers. */
#ifndef TOOLS_IOTRACER_WATCHED_H
#define TOOLS_IOTRACER_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/layout.h"

struct bpf;			/* bpf/bpf.h */

struct watched {
	const char *path;	/* as the user named it */
	int fd;			/* -1: not open */
	bool directory;		/* watches all files below it */
	struct bpf_found found;
	struct bpf_file file;	/* for bpf_file_add(); T0 is now */
	uint32_t number;	/* in b->files, once watched */
};

/* opens a regular file or a directory for reading; 0; -errno, reported on
 * stderr; WATCHED_OTHER: neither, not opened and not reported */
enum { WATCHED_OTHER = 1 };
int watched_open(struct watched *t, const char *path);

/* the same for a regular file only: 0, or -errno, reported */
int watched_open_regular(struct watched *t, const char *path);

/*
 * Fills in found and file.  by_pointer: also the inode's address, valid only
 * while the descriptor stays open.  0, or -errno, reported on stderr.
 */
int watched_find(struct watched *t, struct bpf *b, bool by_pointer);

void watched_close(struct watched *t);

/* whether a visible mount has that superblock's number */
bool watched_is_mounted(uint32_t device);

/* the absolute path, not following a last link, the caller's to free; NULL:
 * errno */
char *watched_absolute(const char *path);

#endif
