/* What several programs make of what reading tells them; see hooks.h. */
#include <stddef.h>

#include "base/msg.h"
#include "trace/hooks.h"

void damage_warn(const struct damage *d)
{
	unsigned long long at = d->at, lost = d->lost;

	if (lost)
		msg_warn("%s: byte %llu: %s, %llu byte%s passed over", d->file,
			 at, d->what, lost, lost == 1 ? "" : "s");
	else
		msg_warn("%s: byte %llu: %s", d->file, at, d->what);
}

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
