/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a block device to a card, with its partitions, the devices above it
 * (holders) and below it (slaves, or a partition's disk), and their mounts.
 */
#ifndef MACHINE_DISK_STACK_H
#define MACHINE_DISK_STACK_H

#include <stdbool.h>
#include <sys/types.h>

struct json;			/* base/json.h */

/* the most devices and levels written */
enum { DISK_STACK_MAX = 256, DISK_STACK_DEPTH = 12 };

/* as an object "device"; name is of its files; serial: with serial numbers */
void disk_stack_write(dev_t dev, const char *name, bool serial,
		      struct json *j);

#endif
