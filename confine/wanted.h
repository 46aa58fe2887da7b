/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a process is to give up what it does not need.
 *
 * BLKTRACE_NO_SANDBOX=1 in the environment says no, for set-ups where something
 * is needed all the same.  Programs that are built with a sanitizer never do:
 * it looks at files and uses system calls of its own.
 */
#ifndef CONFINE_WANTED_H
#define CONFINE_WANTED_H

#include <stdbool.h>

bool confine_is_wanted(void);

#endif
