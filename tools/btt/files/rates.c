/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions per second; see rates.h. */
#include <inttypes.h>

#include "tools/btt/datafile.h"
#include "tools/btt/files/rates.h"

void rates_open(struct rates *r, const struct opener *by, const char *label)
{
	*r = (struct rates){ .second = -1 };
	r->iops = datafile_open_here(by, label, "_iops_fp.dat");
	r->mbps = datafile_open_here(by, label, "_mbps_fp.dat");
}

bool rates_are_open(const struct rates *r)
{
	return r->iops && r->mbps;
}

static void write_second(struct rates *r)
{
	double bytes = (double)(r->blocks << 9);

	datafile_printf(r->iops, "%" PRId64 " %" PRIu64 "\n", r->second,
			r->requests);
	datafile_printf(r->mbps, "%" PRId64 " %f\n", r->second,
			bytes / (1024 * 1024));
}

void rates_begin(struct rates *r, int64_t second)
{
	if (r->second >= 0)
		write_second(r);
	r->second = second;
	r->requests = r->blocks = 0;
}

/* 1.3.0: without a completion there is a line for second -1. */
bool rates_close(struct rates *r)
{
	bool fine;

	write_second(r);
	fine = datafile_close(r->iops, DATAFILE_DROP_EMPTY);
	return datafile_close(r->mbps, DATAFILE_DROP_EMPTY) && fine;
}
