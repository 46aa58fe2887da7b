/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be seen of this machine from here: rights, file systems, locks,
 * memory, disks, and other tracers.  Looks only, and changes nothing.
 */
#ifndef CAPTURE_SYSTEM_H
#define CAPTURE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* how far the kernel is locked down, root included */
enum lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_UNKNOWN,	/* securityfs is not mounted */
	LOCKDOWN_INTEGRITY,	/* no relay files */
	LOCKDOWN_CONFIDENTIALITY,	/* no tracefs either */
};

enum lockdown system_lockdown(void);

/* whether we have CAP_SYS_ADMIN, without which root mounts nothing */
bool system_may_mount(void);

/* whether debugfs is mounted at path */
bool system_has_debugfs(const char *path);

/*
 * Whether the kernel keeps a file of debugfs at path from root.  Only a
 * lockdown does that, so this shows one where securityfs is not mounted.
 * 1: it does; 0: it does not; -errno: we may not look, or cannot.
 */
int system_locks_debugfs(const char *path);

/* whether the kernel knows a kind of file system, mounted or not */
bool system_knows_fs(const char *kind);

/* bytes that are free, or can be made free at no cost; UINT64_MAX: unknown */
uint64_t system_free_memory(void);

/*
 * Whether what is written into directory ends up on the block device at path:
 * straight, or through partitions, device mapper, md and loop devices.
 */
bool system_feeds(const char *directory, const char *path);

/*
 * The process that reads a trace of the disk that path is, or is a part of,
 * by relay files or (tracefs is one for all disks) by ftrace; 0: none that
 * can be seen.
 */
long system_tracer(const char *path, const char *debugfs);

/* the kernel's name of a device that is being traced; false: none is */
bool system_traced(char *name, size_t size);

#endif
