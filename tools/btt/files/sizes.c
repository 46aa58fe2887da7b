/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes of requests; see sizes.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/btt/datafile.h"
#include "tools/btt/files/sizes.h"

static bool write_file(const struct opener *by, const struct sizes *s,
		       const char *name, char kind)
{
	char suffix[] = "?hist.dat";
	struct datafile *f;

	suffix[0] = (char)(kind - 'A' + 'a');
	f = datafile_open_for(by, name, suffix, "");
	if (!f)
		return true;	/* after a warning; 1.3.0: no failure */
	/* 1.3.0: the headline is in the first file only */
	datafile_printf(f, "%s# %c buckets\n",
			kind == 'Q' ? "# BTT histogram data\n" : "", kind);
	for (int blocks = 1; blocks <= SIZES_MAX; blocks++)
		datafile_printf(f, "%4d %" PRIu64 "\n", blocks,
				s->counts[blocks]);
	datafile_printf(f, "\n# %c bucket for > %d\n%4d %" PRIu64 "\n", kind,
			SIZES_MAX, SIZES_MAX, s->counts[SIZES_MAX + 1]);
	return datafile_close(f, DATAFILE_KEEP);
}

bool sizes_write(const struct opener *by, const struct sizes *queued,
		 const struct sizes *issued, const char *name)
{
	bool fine = write_file(by, queued, name, 'Q');

	return write_file(by, issued, name, 'D') && fine;
}
