/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block device with all that it is made of and that is made of it: its
 * partitions, what holds it (holders), what it lies on (slaves; of a partition
 * its disk), each with theirs, and what is mounted from them.
 */
#ifndef MACHINE_DISK_STACK_H
#define MACHINE_DISK_STACK_H

#include <stdbool.h>
#include <sys/types.h>

struct json;			/* base/json.h */

/* so many devices are told of, and as many levels of them */
enum { DISK_STACK_MAX = 256, DISK_STACK_DEPTH = 12 };

/* as an object "device"; name is the one that its files have */
void disk_stack_write(dev_t dev, const char *name, bool serial,
		      struct json *j);

#endif
