/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that a page is made of, when a run has been read: what its parts (meta,
 * tiles, tables, ...) look at.
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
	const struct report_remarks *remarks;
	const char *title, *host, *program, *command;
	const char *theme;	/* "light", "dark" or NULL: the system's */
	const char *const *damage;	/* a line for each place */
	size_t damage_count;
	const struct report_gap *gaps;
	size_t gap_count;
	const uint32_t *processes;	/* as report_folding_processes() */
	uint32_t process_count;
};

/* with its NUL; what is longer is cut */
enum { PAGE_NAME_MAX = 128 };

/* what one of processes is called: to text, which is returned */
const char *page_process(const struct report_page *p, uint32_t index,
			 char text[PAGE_NAME_MAX]);

/* what the process of a pid is called, by the pid's number */
void page_pid(const struct report_page *p, uint32_t number,
	      char text[PAGE_NAME_MAX]);

/* the place in processes of one of report_pids'; of others' the last */
uint32_t page_process_index(const struct report_page *p, uint32_t process);

/* what a device is called, by its place in the tree */
const char *page_device(const struct report_page *p, uint32_t index,
			char text[PAGE_NAME_MAX]);

/* the path of a cgroup, by the key of its row; NULL: only its id is known */
const char *page_cgroup_path(const struct report_page *p, uint64_t key);

/* the same in short, or its id */
const char *page_cgroup(const struct report_page *p, uint64_t key,
			char text[PAGE_NAME_MAX]);

/* a device's number: "254:0" */
void page_number(char text[PAGE_NAME_MAX], uint32_t number);

/* the place in the tree of report_disks' number */
uint32_t page_device_index(const struct report_page *p, uint32_t disk);

/* when the report begins, by the clock of day; false: that is not known */
bool page_wall(const struct report_page *p, struct timespec *wall);

/* the latencies that the page is about: Q2C, or D2C where there is no Q */
enum report_span page_span(const struct report_page *p);

/* whether any io of a device has that one */
bool page_has(const struct report_page *p, enum report_span span);

/* how wide bins are, in ns; a page that has all rows has none of its own, but
 * the script and others make them so wide */
uint64_t page_bin_width(const struct report_page *p);

/* the part of all records that is there, 0 to 1 */
double page_coverage(const struct report_page *p);

/* the i-th slowest that is shown, of a device that counts; NULL: no more */
enum { PAGE_SLOWEST = 150 };

const struct report_row *page_slow(const struct report_page *p,
				   unsigned int i);

/* the i-th oldest that is in flight at the end, of a device that counts; NULL: no
 * more; the script has all */
enum { PAGE_OPEN = 50 };

const struct report_row *page_open(const struct report_page *p,
				   unsigned int i);

/* the row of an operation in the table by operation; NULL: it has none */
const struct report_table_row *page_op_row(const struct report_page *p,
					   unsigned int op);

/* how many ios of devices that count are open at the end, and in words: "in
 * flight 4, oldest 4.2 s (write, sector 81920, postgres)", and whether some may
 * have completed */
enum { PAGE_IN_FLIGHT_MAX = 512 };

uint64_t page_in_flight(const struct report_page *p,
			char text[PAGE_IN_FLIGHT_MAX]);

/* whether a depth is exact, or at least what is known; of REPORT_DEPTH_ALL, or
 * a device by report_disks' number */
bool page_depth_exact(const struct report_page *p, enum report_depth_kind kind,
		      uint32_t disk);

/* key and name of an operation: "R", "read" */
const char *page_op_key(unsigned int op);
const char *page_op_name(unsigned int op);

#endif
