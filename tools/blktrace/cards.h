/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of a run, as its options want them. */
#ifndef TOOLS_BLKTRACE_CARDS_H
#define TOOLS_BLKTRACE_CARDS_H

struct capture_reporter;	/* capture/reporter.h */
struct cgroup_names;		/* capture/cgroup_names.h */
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
