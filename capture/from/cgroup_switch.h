/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs' option blk_cgroup: with it, records carry the id of the cgroup that
 * an I/O is charged to, of relay files as of ftrace's blk tracer.
 *
 * It is one for the machine.  So captures that want it know of each other by
 * locks on its file: the last of them to end puts it back as the first had
 * found it.  A capture that was killed cannot, and leaves it on.
 */
#ifndef CAPTURE_FROM_CGROUP_SWITCH_H
#define CAPTURE_FROM_CGROUP_SWITCH_H

struct cgroup_switch;

/*
 * Switches it on.  root is where tracefs is mounted, or NULL: where it should
 * be, else it is mounted for us alone.  0 and *s; -EOPNOTSUPP: this kernel does
 * not have it; or another -errno.
 */
int cgroup_switch_on(struct cgroup_switch **s, const char *root);

/* Puts it back, and frees s, which may be NULL: 0 or -errno. */
int cgroup_switch_off(struct cgroup_switch *s);

#endif
