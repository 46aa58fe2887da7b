/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests each unplug let go; see unplugs.h. */
#include <inttypes.h>

#include "tools/btt/datafile.h"
#include "tools/btt/files/unplugs.h"

bool unplugs_write(const struct unplugs *u, const struct opener *by,
		   const char *name, const char *label)
{
	struct datafile *f = datafile_open_for(by, name, label, ".dat");

	for (int bucket = 0; f && bucket < UNPLUGS_BUCKETS; bucket++)
		datafile_printf(f, "%d %" PRIu64 "\n", bucket,
				u->counts[bucket]);
	return datafile_close(f, DATAFILE_KEEP);
}
