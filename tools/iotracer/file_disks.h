/* SPDX-License-Identifier: GPL-2.0-only */
/* The block devices below the filesystems of watched files. */
#ifndef TOOLS_IOTRACER_FILE_DISKS_H
#define TOOLS_IOTRACER_FILE_DISKS_H

#include <stdint.h>

#include "bpf/layout.h"

struct bpf;			/* bpf/bpf.h */
struct watched;			/* tools/iotracer/watched.h */

enum { FILE_DISKS_MAX = 64 };

/* an all-zero one is empty */
struct file_disks {
	uint32_t list[FILE_DISKS_MAX];	/* BLK_DEVICE() numbers */
	unsigned int count;
	uint32_t of[BPF_FILES_MAX];	/* a file's, or its first, by its number */
};

/* Adds those of a watched file's filesystem, all that a btrfs has; 0 or -errno,
 * reported on stderr. */
int file_disks_add(struct file_disks *d, const struct watched *t);

/* has their records made; 0 or -errno, reported on stderr */
int file_disks_trace(const struct file_disks *d, struct bpf *b);

#endif
