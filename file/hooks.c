/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks that do nothing; see hooks.h. */
#include "file/hooks.h"

void hooks_no_note(void *ctx, const struct event *ev)
{
	(void)ctx, (void)ev;
}

void hooks_no_damage(void *ctx, const struct damage *d)
{
	(void)ctx, (void)d;
}

void hooks_no_added(void *ctx, const char *file)
{
	(void)ctx, (void)file;
}

void hooks_no_idle(void *ctx)
{
	(void)ctx;
}
