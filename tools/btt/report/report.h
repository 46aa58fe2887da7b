/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report and its sections.
 */
#ifndef TOOLS_BTT_REPORT_REPORT_H
#define TOOLS_BTT_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* --- sections ------------------------------------------------------------- */

/* Sections: averages.c writes "All Devices", seeks.c "Device Q2Q Seek
 * Information", and so on.  report.c calls them in order. */

struct buf;			/* base/buf.h */
struct disk;			/* tools/btt/disk.h */
struct process;			/* tools/btt/processes.h */
struct state;			/* tools/btt/state.h */

struct report {
	const struct state *s;
	struct disk **disks;	/* the rows of tables, in order */
	size_t disk_count;
	struct process **processes;
	size_t process_count;
	bool per_process;	/* -e '' omits that section */
	struct buf *out;
	struct buf *easy;	/* of -X, or NULL */
	struct buf *ranges;
};

/* ==== title ==== */
void section_title(const struct report *r, const char *title);

/* in the order of the report */
void report_per_process(const struct report *r);	/* with -A */
void report_per_device(const struct report *r);		/* with -A */
void report_all_devices(const struct report *r);
void report_overhead(const struct report *r);
void report_merges(const struct report *r);
void report_queue_seeks(const struct report *r);
void report_issue_seeks(const struct report *r);
void report_plugs(const struct report *r);
void report_active(const struct report *r);
void report_periods(const struct report *r);
void report_waits(const struct report *r);		/* with -A */

/* ranges of activity, to r->ranges */
void report_ranges(const struct report *r);

/* --- report --------------------------------------------------------------- */

struct outputs;			/* tools/btt/outputs.h */

/* writes all sections to *out; call after state_end() */
void report_write(struct state *s, struct outputs *out);

#endif
