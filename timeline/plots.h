/*
 * The data files of one device, all opened when it is met.
 */
#ifndef TIMELINE_PLOTS_H
#define TIMELINE_PLOTS_H

#include <stdbool.h>

#include "timeline/file_depth.h"
#include "timeline/file_latency.h"
#include "timeline/file_per_second.h"
#include "timeline/file_rates.h"
#include "timeline/trio.h"

struct options;			/* timeline/options.h */

struct plots {
	struct rates rates;
	struct latency q2d, d2c, q2c;
	struct depth depth;
	struct trio blocks, issue_seeks, queue_seeks;
	struct per_second per_second;
	struct datafile *trees;
};

/* Those that *o asks for, named by label.  A file that cannot be opened has
 * been complained about, and is left out. */
void plots_open(struct plots *f, const struct options *o, const char *label);

/*
 * passes_on: the device completes requests that were never issued to it, as
 * others below do its work.  false: not all is in the files, which was said.
 */
bool plots_close(struct plots *f, bool passes_on);

#endif
