/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpstat has written, as text or JSON, whatever its columns and whatever
 * clock it shows.
 */
#ifndef TOOLS_IOWATCHER_MPSTAT_H
#define TOOLS_IOWATCHER_MPSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/iowatcher/cpu_times.h"

/* --- mpstat impl ---------------------------------------------------------- */

/*
 * What mpstat's two formats have in common; for mpstat*.c only.
 */

/* which column is what */
struct mpstat_column {
	const char *name;	/* in JSON; text has a % in front */
	enum cpu_kind kind;
};

/* the one of that name, or NULL */
const struct mpstat_column *mpstat_column(const char *name, size_t len);

/* a clock that only shows the time of day */
struct mpstat_clock {
	bool known;		/* it was read before */
	double last;		/* what it showed then, seconds */
	double now;		/* seconds since the begin */
};

/*
 * A record whose end is at a time of day, "10:00:01", in the afternoon if pm,
 * begins in *c.  What is no time is a second after the last.  0 or -ENOMEM.
 */
int mpstat_record(struct mpstat_clock *k, struct cpu_times *c,
		  const char *time, bool am, bool pm);

/* --- cpu file ------------------------------------------------------------- */

/*
 * The file beside a trace that says what the CPUs did meanwhile.
 */

enum { CPU_FILES = 2 };

struct cpu_times;		/* tools/iowatcher/cpu_times.h */

/*
 * Reads NAME.mpstat, or the same of a name without its last extension, if there
 * is one.  Whether nothing is wrong; else that has been reported.
 */
bool cpu_file_read(struct cpu_times *c, const char *name);

/* the names of these files, there or not, which are the caller's */
void cpu_file_names(const char *name, char *names[CPU_FILES]);

/* --- mpstat --------------------------------------------------------------- */

/*
 * Reads all records of a file into *c, which has none, or nothing if it has
 * none.  0, or -errno.
 */
int mpstat_read(struct cpu_times *c, FILE *f);

#endif
