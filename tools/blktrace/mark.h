/* SPDX-License-Identifier: GPL-2.0-only */
/* --mark: words into the traces that run. */
#ifndef TOOLS_BLKTRACE_MARK_H
#define TOOLS_BLKTRACE_MARK_H

struct options;			/* tools/blktrace/options.h */

/* into those of the devices, or all if none is named; the exit status */
int mark_running(const struct options *o);

#endif
