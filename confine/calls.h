/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which system calls a process can still make: by a seccomp filter.  Others
 * fail with ENOSYS, as on a kernel without them: a C library that tries a newer
 * call first then takes the older one.
 */
#ifndef CONFINE_CALLS_H
#define CONFINE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_rule {
	int number;		/* SYS_read and so on */
	unsigned int argument;	/* 0: any; else only if the argument of that
				 * number, from 1, has this value */
	uint32_t value;
};

enum { CALLS_MAX = 200 };

/* whether filters can be made here: for this kind of machine, by this kernel */
bool calls_can_restrict(void);

/*
 * Allows what any rule of the list allows, and nothing else, from now on and
 * for ever.  0 or -errno; -ENOSYS: !calls_can_restrict().
 */
int calls_restrict(const struct call_rule *rules, size_t count);

#endif
