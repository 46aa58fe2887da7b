/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests a device has been given and not completed, as it changes:
 * <name>_<dev>_aqd.dat (-Q).
 */
#ifndef TOOLS_BTT_FILES_DEPTH_H
#define TOOLS_BTT_FILES_DEPTH_H

#include <stdint.h>

struct datafile;		/* tools/btt/datafile.h */

struct depth {
	struct datafile *file;
	uint32_t requests;
};

void depth_issue(struct depth *d, uint64_t time);
void depth_complete(struct depth *d, uint64_t time);

#endif
