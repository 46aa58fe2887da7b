/* SPDX-License-Identifier: GPL-2.0-only */
/* --threads: how many threads read a trace and work on it. */
#ifndef CLI_THREADS_H
#define CLI_THREADS_H

#include <stdint.h>

#include "cli/set.h"

enum { THREADS_MOST = 3 };

/* the row of the option, an unsigned int of the program's options, 0 at first */
#define THREADS_OPTION(options, field) \
	.name = "threads", .argument = "N", \
	.help = "read and work in N threads (as many as gain)", \
	.min = 1, .max = THREADS_MOST, CLI_UINT(options, field)

/*
 * How many threads to use for that many bytes that are left to be read; 0:
 * unknown.  wanted is the option's; without it there is one for short traces, and
 * on a single CPU.
 */
unsigned int threads_for(unsigned int wanted, uint64_t bytes);

#endif
