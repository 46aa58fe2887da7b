/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One device's trace in the kernel: set up, start, stop, tear down; see
 * blktrace(8), HOW IT WORKS.
 */
#ifndef CAPTURE_KERNEL_H
#define CAPTURE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_trace {
	const char *path;	/* as the user named it; not owned */
	int fd;			/* -1: not open */
	char name[64];		/* the kernel's, safe to use in a path */
	unsigned int version;	/* of its records, after set-up */
	bool set_up, started;
};

struct kernel_setup {
	uint32_t mask;		/* categories, 0: all */
	uint32_t buf_size;	/* bytes of a sub-buffer */
	uint32_t buf_nr;	/* sub-buffers per CPU */
	unsigned int version;	/* requested: 7, 8, or 0: what loses nothing */
};

/* All return 0 or -errno. */

/* opens the block device at path, read-only and without waiting */
int kernel_open(struct kernel_trace *t, const char *path);

/* makes the kernel's buffers, and sets t->name and t->version: 8 if requested
 * and known to the kernel, else 7 */
int kernel_set_up(struct kernel_trace *t, const struct kernel_setup *s);

int kernel_start(struct kernel_trace *t);
int kernel_stop(struct kernel_trace *t);

/* ends our trace, if there is one, in any state */
int kernel_tear_down(struct kernel_trace *t);

/* ends any trace of the device (-k), even if stopping it fails */
int kernel_kill(struct kernel_trace *t);

/* tears down if needed, and closes the device */
void kernel_close(struct kernel_trace *t);

/* the kernel's name of the disk of the device at path; 0; -ENOTBLK: no block
 * device; or -errno */
int kernel_disk(const char *path, char *name, size_t size);

/* whether the disk, by its kernel name, has zones */
bool kernel_is_zoned(const char *name);

/* events dropped so far, by the device's name below debugfs' block/; 0 or
 * -errno */
int kernel_dropped(const char *debugfs, const char *name, uint64_t *n);

#endif
