/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups of this machine, as far as they are seen from here: the tree that
 * has the controller of I/O, cgroup v2's or blkio's of v1, and the ids that the
 * block layer has for them, which are their file handles.
 */
#ifndef CAPTURE_CGROUP_TREE_H
#define CAPTURE_CGROUP_TREE_H

#include <stdint.h>

/* --- own mount ------------------------------------------------------------ */

/*
 * A file system of the kernel's that is mounted nowhere: only this process has
 * it, by a descriptor, and it is gone with that.
 */

/* a descriptor of its root directory, for openat(2); -EPERM: that takes
 * CAP_SYS_ADMIN; -ENOSYS: a kernel before 5.2; or another -errno */
int own_mount(const char *kind);

/* --- cgroup tree ---------------------------------------------------------- */

struct cgroup_tree {
	char *root;		/* the directory where it is mounted */
	char *above;		/* what paths have in front: "" if all of the
				 * tree is mounted there */
	int fd;			/* what keeps it mounted, or -1 */
};

/*
 * Where that tree is: as mountinfo has it, NULL: /proc/self/mountinfo; else v2
 * is mounted for us alone.  0; -ENOENT: there is none; or another -errno.
 */
int cgroup_tree_find(struct cgroup_tree *t, const char *mountinfo);

/* the id of the cgroup that is this directory; 0, or -errno */
int cgroup_tree_id(const char *directory, uint64_t *id);

void cgroup_tree_free(struct cgroup_tree *t);

#endif
