/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --follow: exports captures while they go on.  A directory is one capture's
 * segments, or has a directory for each of many.
 */
#ifndef TOOLS_BTEXPORT_FOLLOW_H
#define TOOLS_BTEXPORT_FOLLOW_H

#include <signal.h>

struct export_options;		/* tools/btexport/options.h */

/*
 * Follows o->follow until *stop is set.  What fails is reported, and tried again
 * every few seconds.  The program's status: 0, or 1 if it could not begin.
 */
int follow(const struct export_options *o, const volatile sig_atomic_t *stop);

#endif
