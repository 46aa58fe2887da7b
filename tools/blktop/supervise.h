/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that outlives another: what has the terminal is a child, so that
 * the terminal is put back however that ends, and what it said on standard
 * error meanwhile is printed then.
 */
#ifndef TOOLS_BLKTOP_SUPERVISE_H
#define TOOLS_BLKTOP_SUPERVISE_H

#include <signal.h>
#include <stdbool.h>

/*
 * Forks.  Returns in the child, whose standard error goes to a file in memory,
 * or in the only process if there can be no other.  The parent never returns:
 * it sends SIGTERM on when *stop is set, and ends as the child does.
 *
 * Whoever returns sets what is returned while it has the terminal: if that is
 * still set in the end, the parent puts the terminal back.  NULL: no memory.
 */
volatile bool *supervise(const volatile sig_atomic_t *stop);

#endif
