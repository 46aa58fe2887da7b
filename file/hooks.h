/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What reading reports to its program on the way.  All functions must be given.
 */
#ifndef FILE_HOOKS_H
#define FILE_HOOKS_H

#include <stdint.h>

struct event;			/* record/record.h */

/* something in the input that is not as it should be */
struct damage {
	const char *file;
	uint64_t at;		/* byte offset in it, unpacked */
	uint64_t lost;		/* bytes passed over from there */
	const char *what;	/* a phrase, no full stop */
};

struct hooks {
	void *ctx;		/* first argument of all */
	/* a note other than a message, when it is read, not in time order */
	void (*note)(void *ctx, const struct event *ev);
	void (*damage)(void *ctx, const struct damage *d);
	/* a file has been opened as input */
	void (*added)(void *ctx, const char *file);
	/* the input has nothing yet: show what you hold back */
	void (*idle)(void *ctx);
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
