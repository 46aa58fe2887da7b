/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Out of memory: btt ends with a message.
 */
#ifndef TOOLS_BTT_MEMORY_H
#define TOOLS_BTT_MEMORY_H

#include "base/msg.h"

/* returns p, from malloc() or base/array; NULL ends the program */
static inline void *memory_check(void *p)
{
	if (!p)
		msg_die("out of memory");
	return p;
}

#endif
