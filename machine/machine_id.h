/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's id, hashed as machine-id(5) demands: the same for all traces of
 * a machine, and does not reveal the id.
 */
#ifndef MACHINE_MACHINE_ID_H
#define MACHINE_MACHINE_ID_H

#include <stdbool.h>

enum { MACHINE_ID = 33 };	/* 32 hexadecimal digits and a NUL */

/* the application's id, with which it is hashed */
#define MACHINE_ID_APPLICATION "5d8e94e3c2ce4eb886f8d0efbb031516"

/* As systemd-id128 machine-id --app-specific.  false: the machine has no id, or
 * built without nettle. */
bool machine_id(char id[MACHINE_ID]);

#endif
