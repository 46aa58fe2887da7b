/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btt needs all the memory that it asks for: without, it ends with a message.
 */
#ifndef TOOLS_BTT_MEMORY_H
#define TOOLS_BTT_MEMORY_H

#include "base/msg.h"

/* p as it came from malloc() or base/array; NULL ends the program */
static inline void *memory_check(void *p)
{
	if (!p)
		msg_die("out of memory");
	return p;
}

#endif
