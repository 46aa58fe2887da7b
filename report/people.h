/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who queued: pids, and the processes that they are of.  Processes are told
 * apart by name; workers of the kernel's are one each of kworker and ksoftirqd.
 *
 * A pid whose name is not known when its first io comes has a process of its
 * own, which may turn out in the end to be another's.
 */
#ifndef REPORT_PEOPLE_H
#define REPORT_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* pids that are told apart; later ones count as the last of these */
enum { REPORT_PIDS = 65536 };

/* what a process is called, or NULL: not known (yet) */
typedef const char *report_name(const void *names, uint16_t origin,
				uint32_t pid);

struct report_person {
	uint32_t pid;
	uint16_t origin;
	uint32_t process;	/* its number */
};

struct report_process {
	const char *name;	/* the caller's, stays; NULL: not known */
	bool workers;		/* name is how the names of all of them begin */
	uint32_t first;		/* number of its first pid */
	uint32_t same;		/* behind the end: the one that it is part of,
				 * which may be itself */
};

struct report_people {
	report_name *name;	/* NULL: nobody has one */
	const void *names;	/* passed to it */

	struct report_person *list;
	size_t count, size;
	struct report_process *processes;
	size_t process_count, process_size;

	/* people.c's */
	struct hash by_pid, by_name;	/* to numbers */
	uint64_t last;		/* key of the last pid, */
	uint32_t last_number;	/* and its number */
};

/* with nothing but name and names set there is nobody */
void report_people_free(struct report_people *p);

/* the number of a pid, below REPORT_PIDS; -ENOMEM */
int64_t report_people_find(struct report_people *p, uint16_t origin,
			   uint32_t pid);

/* no more pids: names that have come since count; 0 or -ENOMEM */
int report_people_end(struct report_people *p);

#endif
