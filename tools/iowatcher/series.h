/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of all graphs, for other programs: as JSON, or as CSV with a file
 * for each graph.
 */
#ifndef TOOLS_IOWATCHER_SERIES_H
#define TOOLS_IOWATCHER_SERIES_H

#include <stdbool.h>

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* One file, "-" for standard output.  Whether all went well; else that has been
 * reported. */
bool series_write_json(const char *path, const struct watch_options *o,
		       const struct sources *s);

/* Files GRAPH.csv in a directory, which is made if it is missing.  The same. */
bool series_write_csv(const char *directory, const struct watch_options *o,
		      const struct sources *s);

#endif
