/* SPDX-License-Identifier: GPL-2.0-only */
/* What a device of the device mapper is made by: linear, crypt, thin. */
#ifndef MACHINE_DM_TARGETS_H
#define MACHINE_DM_TARGETS_H

#include <sys/types.h>

struct json;			/* base/json.h */

/*
 * The types of its table's targets, each once, into a list that is open.  Their
 * arguments, which may have keys in them, are not asked for.  Needs root.
 */
void dm_targets_write(dev_t dev, struct json *j);

#endif
