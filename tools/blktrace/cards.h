/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's cards and cgroups, by its options. */
#ifndef TOOLS_BLKTRACE_CARDS_H
#define TOOLS_BLKTRACE_CARDS_H

#include <stdbool.h>

/* --- cgroups -------------------------------------------------------------- */

struct capture_reporter;	/* capture/reporter.h */
struct cgroup_names;		/* capture/cgroup_names.h */
struct cgroup_switch;		/* capture/from/cgroup_switch.h */

/* the cgroups of a run with --cgroup; all zero: none */
struct run_cgroups {
	struct cgroup_switch *on;
	struct cgroup_names *names;	/* NULL: not available */
};

/*
 * Lets records have ids, and if names is set follows the names.  0 or -errno,
 * reported; missing names are reported, and no failure.
 */
int run_cgroups_begin(struct run_cgroups *g, bool names,
		      const struct capture_reporter *r);

/* restores the kernel's option; keeps the names */
void run_cgroups_end(struct run_cgroups *g, const struct capture_reporter *r);

void run_cgroups_free(struct run_cgroups *g);

/* --- cards ---------------------------------------------------------------- */

struct options;			/* tools/blktrace/options.h */
struct run_cards;		/* capture/run_cards.h */
struct session;			/* capture/session.h */

/*
 * The cards of a session that is set up, not started; *o, r and the names of
 * cgroups, which may be NULL, must outlive them.  NULL: no memory.
 */
struct run_cards *cards_of(const struct options *o, const struct session *s,
			   struct cgroup_names *cgroups,
			   const struct capture_reporter *r);

#endif
