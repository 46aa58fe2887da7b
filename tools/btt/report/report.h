/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report: its frame, and the sections in it.
 */
#ifndef TOOLS_BTT_REPORT_REPORT_H
#define TOOLS_BTT_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* --- sections ------------------------------------------------------------- */

/*
 * The sections of the report, a file each: averages.c writes "All Devices",
 * seeks.c "Device Q2Q Seek Information", and so on.  report.c calls them in
 * their order and knows what they write to; they do not call it.
 */

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
	bool per_process;	/* -e '' takes that section away */
	struct buf *out;
	struct buf *easy;	/* for programs (-X), or NULL */
	struct buf *ranges;
};

/* ==== title ==== */
void section_title(const struct report *r, const char *title);

/* the sections, in their order */
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

/* all of it, to where *out says; state_end() has been called */
void report_write(struct state *s, struct outputs *out);

#endif
