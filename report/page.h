/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of a page after a run has been read, for its parts (meta, tiles,
 * tables, ...).
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "report/blocks.h"
#include "report/remarks.h"
#include "report/report.h"
#include "report/tables.h"

struct buf;			/* base/buf.h */
struct caches;			/* cache/caches.h */
struct capacity;		/* capacity/capacity.h */
struct commit_panel;		/* report/commit_panel.h */
struct facts;			/* stat/facts.h */

/* records are missing between two times of the report */
struct report_gap {
	uint64_t from, to, lost;
};

struct report_page {
	const struct report *r;
	const struct report_tables *tables;
	const struct report_blocks *blocks;
	const struct facts *facts;
	const struct capacity *capacity;
	const struct report_remarks *remarks;
	const struct commit_panel *commits;
	const char *title, *host, *program, *command;
	const char *input;	/* what was read, for the shell; NULL: unknown */
	const char *theme;	/* "light", "dark" or NULL: the system's */
	const char *const *damage;	/* a line for each place */
	size_t damage_count;
	const struct report_gap *gaps;
	size_t gap_count;
	const uint32_t *processes;	/* as report_folding_processes() */
	uint32_t process_count;
	const struct caches *caches;	/* NULL: not asked for */
};

/* with its NUL; longer names are cut */
enum { PAGE_NAME_MAX = 128 };

/* the name of one of processes, to text, which is returned */
const char *page_process(const struct report_page *p, uint32_t index,
			 char text[PAGE_NAME_MAX]);

/* the name of a pid's process, by the pid's number */
void page_pid(const struct report_page *p, uint32_t number,
	      char text[PAGE_NAME_MAX]);

/* the place in processes of a number of report_pids; the last for others */
uint32_t page_process_index(const struct report_page *p, uint32_t process);

/* the name of a device, by its place in the tree */
const char *page_device(const struct report_page *p, uint32_t index,
			char text[PAGE_NAME_MAX]);

/* the path of a cgroup, by the key of its row; NULL: unknown */
const char *page_cgroup_path(const struct report_page *p, uint64_t key);

/* its short name, or its id */
const char *page_cgroup(const struct report_page *p, uint64_t key,
			char text[PAGE_NAME_MAX]);

/* a device's number: "254:0" */
void page_number(char text[PAGE_NAME_MAX], uint32_t number);

/* the place in the tree of report_disks' number */
uint32_t page_device_index(const struct report_page *p, uint32_t disk);

/* the time of day of the report's start; false: unknown */
bool page_wall(const struct report_page *p, struct timespec *wall);

/* the latency of the page: Q2C, or D2C without any Q */
enum report_span page_span(const struct report_page *p);

/* whether any io of a device has that latency */
bool page_has(const struct report_page *p, enum report_span span);

/* width of bins, in ns; for a page with all rows, the width that the script and
 * others use */
uint64_t page_bin_width(const struct report_page *p);

/* the share of recorded records, 0 to 1 */
double page_coverage(const struct report_page *p);

/* The next of the slowest shown, of devices that count; NULL: no more.  *t is
 * zeroed before the first; its count is the number of those returned. */
enum { PAGE_SLOWEST = 150 };

struct page_turn {
	unsigned int at, count;
};

const struct report_row *page_next_slow(const struct report_page *p,
					struct page_turn *t);

/* the i-th oldest that is in flight at the end, of a device that counts; NULL:
 * no more; the script has all */
enum { PAGE_OPEN = 50 };

const struct report_row *page_open(const struct report_page *p,
				   unsigned int i);

/* the row of an operation in its table, or NULL */
const struct report_table_row *page_op_row(const struct report_page *p,
					   unsigned int op);

/* the number of ios open at the end, of devices that count, and a text: "in
 * flight 4, oldest 4.20 s (write, sector 81920, postgres)", also if some may
 * have completed */
enum { PAGE_IN_FLIGHT_MAX = 512 };

uint64_t page_in_flight(const struct report_page *p,
			char text[PAGE_IN_FLIGHT_MAX]);

/* whether a depth is exact, or a lower bound; of REPORT_DEPTH_ALL, or a device
 * by report_disks' number */
bool page_depth_exact(const struct report_page *p, enum report_depth_kind kind,
		      uint32_t disk);

/* key and name of an operation: "R", "read" */
const char *page_op_key(unsigned int op);
const char *page_op_name(unsigned int op);

#endif
