/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data files of one device, all opened when it is met.
 */
#ifndef TOOLS_BTT_DEVICE_FILES_H
#define TOOLS_BTT_DEVICE_FILES_H

#include <stdbool.h>

#include "tools/btt/datafile.h"
#include "tools/btt/files/depth.h"
#include "tools/btt/files/latency.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/files/rates.h"

struct options;			/* tools/btt/options.h */

struct device_files {
	struct rates rates;
	struct latency q2d, d2c, q2c;
	struct depth depth;
	struct rw_files blocks, issue_seeks, queue_seeks;
	struct per_second per_second;
	struct datafile *trees;
};

/* Those that *o asks for, named by label.  A file that cannot be opened has
 * been complained about, and is left out. */
void device_files_open(struct device_files *f, const struct options *o,
		       const char *label);

/*
 * passes_on: the device completes requests that were never issued to it, as
 * others below do its work.  false: not all is in the files, after a warning.
 */
bool device_files_close(struct device_files *f, bool passes_on);

#endif
