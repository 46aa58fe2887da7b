/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages about inputs; see inputs.h. */
#include <errno.h>
#include <string.h>

#include "base/msg.h"
#include "cli/inputs.h"
#include "file/hooks.h"

void inputs_print_damage(const struct damage *d)
{
	unsigned long long at = d->at, lost = d->lost;

	if (lost)
		msg_warn("%s: byte %llu: %s, %llu byte%s passed over", d->file,
			 at, d->what, lost, lost == 1 ? "" : "s");
	else
		msg_warn("%s: byte %llu: %s", d->file, at, d->what);
}

const char *inputs_why(int err)
{
	switch (err) {
	case -ENOENT:
		return "no such file or trace";
	case -EISDIR:
		return "no trace in this directory";
	case -ENODATA:
		return "not a trace";
	case -EMFILE:
		return "too many files for the limit of open files; raise it"
		       " with ulimit -n";
	case -ESRCH:
		return "there is no host of that name to shift";
	default:
		return strerror(-err);
	}
}
