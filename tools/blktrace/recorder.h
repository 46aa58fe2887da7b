/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flight recorder: a capture into memory, somebody who watches it, and dumps
 * of what was there when a trigger became true.
 *
 *	recorder_new		its sink is there, for session_open()
 *	recorder_start		before session_start()
 *	recorder_end		after session_stop()
 */
#ifndef TOOLS_BLKTRACE_RECORDER_H
#define TOOLS_BLKTRACE_RECORDER_H

struct capture_reporter;	/* capture/reporter.h */
struct cgroup_names;		/* capture/cgroup_names.h */
struct options;			/* tools/blktrace/options.h */
struct recorder;
struct run_cards;		/* capture/run_cards.h */
struct session;			/* capture/session.h */
struct sink;

/* Functions return 0 or -errno, and report the cause. */

/* From here on SIGUSR1 is a trigger.  o, s, and cards and cgroups, which may be
 * NULL, stay where they are. */
int recorder_new(struct recorder **r, const struct options *o,
		 const struct session *s, const struct run_cards *cards,
		 struct cgroup_names *cgroups,
		 const struct capture_reporter *rep);

struct sink *recorder_sink(const struct recorder *r);

int recorder_start(struct recorder *r);

/*
 * Finishes what is to be written, and frees r with its sink, which no session
 * may use any more.  The first failure of all dumps; NULL is fine.  -ETIMEDOUT:
 * the disk does not answer; r and what it was made of must stay.
 */
int recorder_end(struct recorder *r);

#endif
