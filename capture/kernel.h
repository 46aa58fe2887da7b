/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One device as the kernel traces it: set up, start, stop, tear down.  What
 * each call asks of the kernel: doc/blktrace.8, section HOW IT WORKS.
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
	unsigned int version;	/* of its records, once it is set up */
	bool set_up, started;
};

struct kernel_setup {
	uint32_t mask;		/* categories, 0: all */
	uint32_t buf_size;	/* bytes of a sub-buffer */
	uint32_t buf_nr;	/* sub-buffers per CPU */
	unsigned int version;	/* wished for: 7, 8, or 0: what loses nothing */
};

/* All return 0 or -errno. */

/* opens the block device at path, without waiting and without writing */
int kernel_open(struct kernel_trace *t, const char *path);

/*
 * Makes the kernel's buffers.  t->name and t->version are known afterwards:
 * version 8 if wished for and known to the kernel, else 7.
 */
int kernel_set_up(struct kernel_trace *t, const struct kernel_setup *s);

int kernel_start(struct kernel_trace *t);
int kernel_stop(struct kernel_trace *t);

/* ends the trace if it was ours, whatever state it is in */
int kernel_tear_down(struct kernel_trace *t);

/* ends whatever trace there is on the device (-k); stopping may fail */
int kernel_kill(struct kernel_trace *t);

/* closes the device; tears down first if that has not been done */
void kernel_close(struct kernel_trace *t);

/*
 * The kernel's name of the disk that the device at path is, or is a part of:
 * 0; -ENOTBLK: it is no block device; or -errno.
 */
int kernel_disk(const char *path, char *name, size_t size);

/* whether the disk, by its kernel name, has zones */
bool kernel_is_zoned(const char *name);

/*
 * Events that the kernel has dropped so far, by the device's directory below
 * debugfs' block/: 0, or -errno.
 */
int kernel_dropped(const char *debugfs, const char *name, uint64_t *n);

#endif
