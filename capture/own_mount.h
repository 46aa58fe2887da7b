/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file system of the kernel's that is mounted nowhere: only this process has
 * it, by a descriptor, and it is gone with that.
 */
#ifndef CAPTURE_OWN_MOUNT_H
#define CAPTURE_OWN_MOUNT_H

/* a descriptor of its root directory, for openat(2); -EPERM: that takes
 * CAP_SYS_ADMIN; -ENOSYS: a kernel before 5.2; or another -errno */
int own_mount(const char *kind);

#endif
