/* SPDX-License-Identifier: GPL-2.0-only */
/* What sysfs says of a block device by itself, as values of a card. */
#ifndef MACHINE_DISK_FACTS_H
#define MACHINE_DISK_FACTS_H

#include <stdbool.h>
#include <sys/types.h>

struct json;			/* base/json.h */

/*
 * Name, number, size, model and what it is made by, into an object that is
 * open; of a disk also the settings of its queue.  Whatever is not to be had is
 * left out.
 */
void disk_facts_write(dev_t dev, const char *name, bool serial,
		      struct json *j);

/* whether it is a partition */
bool disk_facts_is_partition(dev_t dev);

#endif
