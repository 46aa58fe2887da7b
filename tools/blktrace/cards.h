/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of a run, as its options want them. */
#ifndef TOOLS_BLKTRACE_CARDS_H
#define TOOLS_BLKTRACE_CARDS_H

#include <stdbool.h>

/* --- cgroups -------------------------------------------------------------- */

/* The cgroups of a run with --cgroup: ids in records, and their names. */

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

/* --- cards ---------------------------------------------------------------- */

struct options;			/* tools/blktrace/options.h */
struct run_cards;		/* capture/run_cards.h */
struct session;			/* capture/session.h */

/*
 * Looks at the machine and all devices of a session that is set up, before it
 * starts; *o, r, and the names of cgroups, if there are any, stay.  NULL: no
 * memory.
 */
struct run_cards *cards_of(const struct options *o, const struct session *s,
			   struct cgroup_names *cgroups,
			   const struct capture_reporter *r);

#endif
