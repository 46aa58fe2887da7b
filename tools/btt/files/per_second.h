/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks per second: <name>_<dev>.dat (-m) of requests queued; those of
 * requests issued have a file of their own (--issue-seeks-per-second).  On a
 * device with issues but no queueing the first shows those, too.
 */
#ifndef TOOLS_BTT_FILES_PER_SECOND_H
#define TOOLS_BTT_FILES_PER_SECOND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datafile;		/* tools/btt/datafile.h */
struct opener;			/* base/opener.h */

/* about a second in which seeks are counted */
struct second {
	uint64_t first, last;	/* times of the first and last seek in it */
	uint64_t seeks;		/* 0: none has begun */
};

struct per_second {
	struct datafile *queued_file, *issued_file;
	struct second queued, issued;
	size_t queued_len, issued_len;	/* bytes of the lines of each */
	bool queues;		/* something has been queued */
};

/* either name may be NULL: no file then */
void per_second_open(struct per_second *s, const struct opener *by,
		     const char *queued, const char *issued, const char *label);

void per_second_queue(struct per_second *s, uint64_t time);
void per_second_issue(struct per_second *s, uint64_t time);

/*
 * 1.3.0: a device that only passes requests on to others has no file.  false:
 * not all is in the files, after a warning.
 */
bool per_second_close(struct per_second *s, bool passes_on);

#endif
