/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a process confines itself.
 *
 * BLKTRACE_NO_SANDBOX=1 in the environment disables it, for set-ups that need
 * more.  Programs built with a sanitizer, which uses other files and system
 * calls, are not confined.
 */
#ifndef CONFINE_WANTED_H
#define CONFINE_WANTED_H

#include <stdbool.h>

bool confine_is_wanted(void);

#endif
