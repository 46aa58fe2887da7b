/* SPDX-License-Identifier: GPL-2.0-only */
/* What reading reports to its program.  No function may be NULL. */
#ifndef FILE_HOOKS_H
#define FILE_HOOKS_H

#include <stdint.h>

struct event;			/* record/record.h */
struct foreign;			/* file/foreign.h */

struct damage {
	const char *file;
	uint64_t at;		/* byte offset in it, unpacked */
	uint64_t lost;		/* bytes skipped from there */
	const char *what;	/* a phrase, no full stop */
	int error;		/* -errno of the call that failed, or 0 */
	const struct foreign *by;	/* the program that recorded all of it,
				 * or NULL */
};

struct hooks {
	void *ctx;		/* first argument of all */
	/* a note other than a message, when it is read, not in time order */
	void (*note)(void *ctx, const struct event *ev);
	void (*damage)(void *ctx, const struct damage *d);
	void (*added)(void *ctx, const char *file);	/* opened as input */
	void (*idle)(void *ctx);	/* a pipe is silent: flush output */
};

/* for hooks that are not needed */

static inline void hooks_no_damage(void *ctx, const struct damage *d)
{
	(void)ctx, (void)d;
}

static inline void hooks_no_added(void *ctx, const char *file)
{
	(void)ctx, (void)file;
}

static inline void hooks_no_idle(void *ctx)
{
	(void)ctx;
}

#endif
