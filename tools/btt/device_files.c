/* SPDX-License-Identifier: GPL-2.0-only */
/* The data files of one device; see device_files.h. */
#include "tools/btt/device_files.h"
#include "tools/btt/options.h"

void device_files_open(struct device_files *f, const struct options *o,
		       const char *label)
{
	const struct opener *by = &o->opener;
	double period = o->latency_period;

	latency_open(&f->q2d, by, "q2d", o->q2d, label, period);
	latency_open(&f->d2c, by, "d2c", o->d2c, label, period);
	latency_open(&f->q2c, by, "q2c", o->q2c, label, period);
	f->depth.file = datafile_open_for(by, o->depth, label, "_aqd.dat");
	rw_files_open(&f->blocks, by, o->block_numbers, label, "");
	rw_files_open(&f->issue_seeks, by, o->seeks, label, "_d2d");
	rw_files_open(&f->queue_seeks, by, o->seeks, label, "_q2q");
	per_second_open(&f->per_second, by, o->seeks_per_second,
			o->issue_seeks_per_second, label);
	rates_open(&f->rates, by, label);
	if (o->trees)
		f->trees = datafile_open_here(by, label, "_pit.dat");
}

bool device_files_close(struct device_files *f, bool passes_on)
{
	const bool fine[] = {
		latency_close(&f->q2d),
		latency_close(&f->d2c),
		latency_close(&f->q2c),
		datafile_close(f->depth.file, DATAFILE_DROP_EMPTY),
		rw_files_close(&f->blocks),
		rw_files_close(&f->issue_seeks),
		rw_files_close(&f->queue_seeks),
		per_second_close(&f->per_second, passes_on),
		rates_close(&f->rates),
		datafile_close(f->trees, DATAFILE_KEEP),
	};
	bool all = true;

	for (size_t i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		all = all && fine[i];
	return all;
}
