/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: the ios of a device, operation and process.  Each filter, and each
 * row of a table, is a sum over streams.
 *
 * Numbers stay while ios come.  At the end streams of one process are joined
 * and the smallest are folded, with new numbers.
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
 * Pids that queued ios, and their processes, by name; all kworkers are one
 * process, and all ksoftirqds.
 *
 * A pid without a name at its first io has its own process, which may be joined
 * with another at the end.
 */

/* distinct pids; later ones count as the last of these */
enum { REPORT_PIDS = 65536 };

/* the name of a process, or NULL: unknown (yet) */
typedef const char *report_name(const void *names, uint16_t origin,
				uint32_t pid);

struct report_pid {
	uint32_t pid;
	uint16_t origin;
	uint32_t process;	/* its number */
};

struct report_process {
	const char *name;	/* the caller's; NULL: unknown */
	bool workers;		/* name is the prefix of their names */
	uint32_t first;		/* number of its first pid */
	uint32_t same;		/* after the end: the one it belongs to, maybe
				 * itself */
};

struct report_pids {
	report_name *name;	/* NULL: no names */
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

/* empty with only name and names set */
void report_pids_free(struct report_pids *p);

/* the number of a pid, below REPORT_PIDS; -ENOMEM */
int64_t report_pids_find(struct report_pids *p, uint16_t origin, uint32_t pid);

/* no more pids: joins processes by names found since; 0 or -ENOMEM */
int report_pids_end(struct report_pids *p);

/* --- streams -------------------------------------------------------------- */

struct report_disks;		/* report/disks.h */

enum {
	/* while ios come; streams of further processes are folded at once */
	REPORT_STREAMS = 512,
	/* with one for each device and operation, with and without Q */
	REPORT_STREAMS_ALL = REPORT_STREAMS + 2048,
};

/* the process of folded streams; the number of a dropped stream */
#define REPORT_OTHERS UINT32_MAX
#define REPORT_NO_STREAM UINT32_MAX

struct report_stream {
	uint32_t disk;		/* report_disks' number */
	uint8_t op;		/* enum report_op */
	bool no_q;		/* its ios start without one */
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

/* the number of the stream of an io, which counts there; -ENOMEM */
int64_t report_streams_add(struct report_streams *s, uint32_t disk, uint8_t op,
			   bool no_q, uint32_t process);

/* streams after the end */
struct report_folding {
	struct report_stream list[REPORT_STREAMS_ALL];
	uint32_t count;
	/* old numbers to new ones, or REPORT_NO_STREAM */
	uint32_t map[REPORT_STREAMS_ALL];
	uint32_t before;	/* the count of old ones */
};

/*
 * Joins the streams of each process; p and d have ended.  Ios that start
 * without a Q are dropped on devices with Q.  0 or -ENOMEM.
 */
int report_folding_make(struct report_folding *f,
			const struct report_streams *s,
			const struct report_pids *p,
			const struct report_disks *d);

/* folds all but the most largest by device and operation; 0 or -ENOMEM */
int report_folding_fold(struct report_folding *f, uint32_t most);

/*
 * Their processes by report_pids' numbers, most ios first, and REPORT_OTHERS
 * last if present: an array of *count, which the caller frees; NULL: no memory.
 */
uint32_t *report_folding_processes(const struct report_folding *f,
				   uint32_t *count);

#endif
