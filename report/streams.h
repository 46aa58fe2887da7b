/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: all ios of a device, an operation and a process.  Each filter, and
 * each row of a table, is a sum over streams.
 *
 * While ios come a stream's number stays.  In the end streams of one process
 * become one, and the smallest are folded: what is left has new numbers.
 */
#ifndef REPORT_STREAMS_H
#define REPORT_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "report/row.h"

/* --- pids --------------------------------------------------------------- */

/*
 * Who queued: pids, and the processes that they are of.  Processes are told
 * apart by name; workers of the kernel's are one each of kworker and ksoftirqd.
 *
 * A pid whose name is not known when its first io comes has a process of its
 * own, which may turn out in the end to be another's.
 */

/* pids that are told apart; later ones count as the last of these */
enum { REPORT_PIDS = 65536 };

/* what a process is called, or NULL: not known (yet) */
typedef const char *report_name(const void *names, uint16_t origin,
				uint32_t pid);

struct report_pid {
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

struct report_pids {
	report_name *name;	/* NULL: nobody has one */
	const void *names;	/* passed to it */

	struct report_pid *list;
	size_t count, size;
	struct report_process *processes;
	size_t process_count, process_size;

	/* streams.c's */
	struct hash by_pid, by_name;	/* to numbers */
	uint64_t last;		/* key of the last pid, */
	uint32_t last_number;	/* and its number */
};

/* with nothing but name and names set there is nobody */
void report_pids_free(struct report_pids *p);

/* the number of a pid, below REPORT_PIDS; -ENOMEM */
int64_t report_pids_find(struct report_pids *p, uint16_t origin, uint32_t pid);

/* no more pids: names that have come since count; 0 or -ENOMEM */
int report_pids_end(struct report_pids *p);

/* --- streams -------------------------------------------------------------- */

struct report_disks;		/* report/disks.h */
struct report_pids;		/* report/streams.h */

enum {
	/* while ios come; when there are more, those of further processes are
	 * folded at once */
	REPORT_STREAMS = 512,
	/* with these, which a process cannot use up: one for each device and
	 * operation, with and without Q */
	REPORT_STREAMS_ALL = REPORT_STREAMS + 2048,
};

/* the process of what was folded; and of a stream that is left out */
#define REPORT_OTHERS UINT32_MAX
#define REPORT_NO_STREAM UINT32_MAX

struct report_stream {
	uint32_t disk;		/* report_disks' number */
	uint8_t op;		/* enum report_op */
	bool no_q;		/* its ios began without one */
	uint32_t process;	/* report_pids' number, or REPORT_OTHERS */
	uint64_t count;		/* ios */
};

struct report_streams {
	struct report_stream list[REPORT_STREAMS_ALL];
	uint32_t count;

	/* streams.c's */
	struct hash by_key;
	uint64_t last;		/* key of the last one, plus 1, */
	uint32_t last_number;	/* and its number */
};

void report_streams_free(struct report_streams *s);

/* The number of the stream that an io belongs to, who counts there; -ENOMEM. */
int64_t report_streams_add(struct report_streams *s, uint32_t disk, uint8_t op,
			   bool no_q, uint32_t process);

/* what streams become in the end */
struct report_folding {
	struct report_stream list[REPORT_STREAMS_ALL];
	uint32_t count;
	/* from the numbers before the last change to these, or none */
	uint32_t map[REPORT_STREAMS_ALL];
	uint32_t before;	/* how many these were */
};

/*
 * Streams of one process become one; p and d have ended.  Ios that began
 * without a Q are left out of devices that have any.  0 or -ENOMEM.
 */
int report_folding_make(struct report_folding *f,
			const struct report_streams *s,
			const struct report_pids *p,
			const struct report_disks *d);

/* All but so many, the largest, are folded by device and operation; 0 or
 * -ENOMEM. */
int report_folding_fold(struct report_folding *f, uint32_t most);

/*
 * The processes of these, report_pids' numbers, those with most ios first,
 * and REPORT_OTHERS last if there are any: an array of *count, which the caller
 * frees; NULL: no memory.
 */
uint32_t *report_folding_processes(const struct report_folding *f,
				   uint32_t *count);

#endif
