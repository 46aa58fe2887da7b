/* SPDX-License-Identifier: GPL-2.0-only */
/* The cgroups of a run with --cgroup: ids in records, and their names. */
#ifndef TOOLS_BLKTRACE_CGROUPS_H
#define TOOLS_BLKTRACE_CGROUPS_H

#include <stdbool.h>

struct capture_reporter;	/* capture/reporter.h */
struct cgroup_names;		/* capture/cgroup_names.h */
struct cgroup_switch;		/* capture/from/cgroup_switch.h */

/* zeroed: nothing is switched on, or known */
struct run_cgroups {
	struct cgroup_switch *on;
	struct cgroup_names *names;	/* NULL: there are none to be had */
};

/*
 * Has records carry ids, and if names are wanted learns them from here on.  0 or
 * -errno, reported; that names are not to be had is reported, and no failure.
 */
int run_cgroups_begin(struct run_cgroups *g, bool names,
		      const struct capture_reporter *r);

/* puts the kernel's option back; names stay known */
void run_cgroups_end(struct run_cgroups *g, const struct capture_reporter *r);

void run_cgroups_free(struct run_cgroups *g);

#endif
