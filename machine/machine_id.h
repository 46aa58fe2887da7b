/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's id, hashed as machine-id(5) asks: the same for all traces of a
 * machine, and of no use for finding out the id itself.
 */
#ifndef MACHINE_MACHINE_ID_H
#define MACHINE_MACHINE_ID_H

#include <stdbool.h>

enum { MACHINE_ID = 33 };	/* 32 hexadecimal digits and a NUL */

/* what it is hashed with: the application's own id */
#define MACHINE_ID_APPLICATION "5d8e94e3c2ce4eb886f8d0efbb031516"

/*
 * As systemd-id128 machine-id --app-specific prints it.  false: the machine has
 * none, or this was built without nettle, which has the hash.
 */
bool machine_id(char id[MACHINE_ID]);

#endif
