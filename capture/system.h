/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this machine allows: rights, file systems, lockdown, memory, disks, and
 * other tracers.  Changes nothing.
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

/* whether we have CAP_SYS_ADMIN, without which root cannot mount */
bool system_may_mount(void);

/* whether debugfs is mounted at path */
bool system_has_debugfs(const char *path);

/*
 * Whether the kernel denies root a file of debugfs at path.  Only a lockdown
 * does, so this finds one where securityfs is not mounted.  1, 0 or -errno.
 */
int system_locks_debugfs(const char *path);

/* whether the kernel knows a kind of file system, mounted or not */
bool system_knows_fs(const char *kind);

/* bytes free, or reclaimable at no cost; UINT64_MAX: unknown */
uint64_t system_free_memory(void);

/*
 * Whether writes into directory reach the block device at path: directly, or
 * through partitions, device mapper, md and loop devices.
 */
bool system_feeds(const char *directory, const char *path);

/*
 * The process reading a trace of path's disk by relay files, or of any disk by
 * ftrace; 0: none visible.
 */
long system_tracer(const char *path, const char *debugfs);

/* the kernel's name of a device being traced; false: none */
bool system_traced(char *name, size_t size);

#endif
