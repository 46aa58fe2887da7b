/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's cgroups visible here: the tree with the I/O controller (cgroup
 * v2 or v1's blkio), and the block layer's ids, which are file handles.
 */
#ifndef CAPTURE_CGROUP_TREE_H
#define CAPTURE_CGROUP_TREE_H

#include <stdint.h>

/* --- own mount ------------------------------------------------------------ */

/*
 * A descriptor, for openat(2), of the root of a new mount of a kernel's file
 * system, which no path reaches and which ends with the descriptor.  -EPERM:
 * needs CAP_SYS_ADMIN; -ENOSYS: Linux before 5.2; or another -errno.
 */
int own_mount(const char *kind);

/* --- cgroup tree ---------------------------------------------------------- */

struct cgroup_tree {
	char *root;		/* mount point */
	char *above;		/* prefix of paths; "": the whole tree is
				 * mounted there */
	int fd;			/* keeps it mounted, or -1 */
};

/*
 * Finds the tree in mountinfo (NULL: /proc/self/mountinfo), or mounts v2 for
 * this process only.  0; -ENOENT: none; or another -errno.
 */
int cgroup_tree_find(struct cgroup_tree *t, const char *mountinfo);

/* the id of a directory's cgroup; 0 or -errno */
int cgroup_tree_id(const char *directory, uint64_t *id);

void cgroup_tree_free(struct cgroup_tree *t);

#endif
