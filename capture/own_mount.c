/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file system that is mounted nowhere; see own_mount.h.
 *
 * C libraries have functions for these system calls since glibc 2.36 only, so
 * numbers stand here, which are the same on all machines.
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "capture/own_mount.h"

enum { FS_OPEN = 430, FS_CONFIG = 431, FS_MOUNT = 432 };

/* what they are asked for: FSOPEN_CLOEXEC and so on */
enum { OPEN_CLOEXEC = 1, CONFIG_CREATE = 6, MOUNT_CLOEXEC = 1 };

int own_mount(const char *kind)
{
	int fs = (int)syscall(FS_OPEN, kind, OPEN_CLOEXEC), root = -1, err;

	if (fs < 0)
		return -errno;
	if (!syscall(FS_CONFIG, fs, CONFIG_CREATE, NULL, NULL, 0))
		root = (int)syscall(FS_MOUNT, fs, MOUNT_CLOEXEC, 0);
	err = -errno;
	close(fs);
	return root < 0 ? err : root;
}
