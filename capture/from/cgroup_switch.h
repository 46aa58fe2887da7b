/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs' option blk_cgroup, which adds to records the id of the cgroup that
 * an I/O is charged to, in relay files and ftrace's blk tracer.
 *
 * The machine has one.  Captures that use it hold locks on its file, and the
 * last to end restores what the first found.  A killed capture leaves it on.
 */
#ifndef CAPTURE_FROM_CGROUP_SWITCH_H
#define CAPTURE_FROM_CGROUP_SWITCH_H

struct cgroup_switch;

/*
 * Switches it on.  root: tracefs' mount point; NULL: the usual one, else mounts
 * it for this process only.  0 and *s; -EOPNOTSUPP: the kernel lacks it; or
 * another -errno.
 */
int cgroup_switch_on(struct cgroup_switch **s, const char *root);

/* restores it, and frees s, which may be NULL; 0 or -errno */
int cgroup_switch_off(struct cgroup_switch *s);

#endif
