/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits a process' system calls by a seccomp filter.  Others fail with ENOSYS,
 * so that a C library that tries a newer call first takes the older one.
 */
#ifndef CONFINE_CALLS_H
#define CONFINE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_rule {
	int number;		/* SYS_read and so on */
	unsigned int argument;	/* from 1, which must have this value; 0: any
				 * arguments */
	uint32_t value;
};

enum { CALLS_MAX = 200 };

/* whether this kernel and machine have filters */
bool calls_can_restrict(void);

/* allows only calls of the list, for ever; 0 or -errno; -ENOSYS:
 * !calls_can_restrict() */
int calls_restrict(const struct call_rule *rules, size_t count);

#endif
