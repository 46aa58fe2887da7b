/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flight recorder: a capture into memory, a watcher, and dumps when a trigger
 * matches.
 *
 *	recorder_new		makes its sink, for session_open()
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

/* makes SIGUSR1 a trigger; all arguments must outlive r; cards and cgroups may
 * be NULL */
int recorder_new(struct recorder **r, const struct options *o,
		 const struct session *s, const struct run_cards *cards,
		 struct cgroup_names *cgroups,
		 const struct capture_reporter *rep);

struct sink *recorder_sink(const struct recorder *r);

int recorder_start(struct recorder *r);

/*
 * Finishes its dumps, and frees r with its sink, which no session may use any
 * more; r may be NULL.  Returns the first failure of all dumps.  -ETIMEDOUT:
 * the disk does not answer; r and what it was made of must stay.
 */
int recorder_end(struct recorder *r);

#endif
