/* SPDX-License-Identifier: GPL-2.0-only */
/* A file system that is mounted nowhere; see own_mount.h. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mount.h>
#include <unistd.h>

#include "capture/own_mount.h"

int own_mount(const char *kind)
{
	int fs = fsopen(kind, FSOPEN_CLOEXEC), root = -1, err;

	if (fs < 0)
		return -errno;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		root = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	err = -errno;
	close(fs);
	return root < 0 ? err : root;
}
