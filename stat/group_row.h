/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row of stat/group, and what decides what is in it: made, added to
 * another, freed.
 */
#ifndef STAT_GROUP_ROW_H
#define STAT_GROUP_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/histogram.h"
#include "stat/depth.h"
#include "stat/measure.h"
#include "stat/sequence.h"

/* --- group row ------------------------------------------------------------ */

struct cgroups;			/* run/cgroups.h */
struct marks;			/* run/marks.h */

/*
 * What ios can be grouped by.  A new key is a row here, its line in the manual
 * of btstat, and a test.
 *
 *	X(NAME, word, heading, column, show, top, letter, value)
 *
 * word		of --by; of keys that are TOP also the field of expressions
 * heading	in tables for people
 * column	in files: as btexport calls it, where it has that
 * show		how values are written: put_... in emit/values.c
 * top		TOP: blktop has it, by that letter; NO
 * value	of an io; o are struct group_options
 *
 * F is X for the first row, where lists of words begin.
 */
#define GROUP_KEY_ROWS(F, X)						\
	F(DEVICE, "device", "device", "disk", device, TOP, 'd',		\
	  io->disk->id)							\
	X(OP, "op", "op", "op", op, TOP, 'o', group_op_of(io))		\
	/* then a name's: see group_process() */			\
	X(PROCESS, "process", "process", "process", process, TOP, 'p',	\
	  origin_key(io->origin, io->pid))				\
	X(PID, "pid", "pid", "pid", pid, TOP, 'i',			\
	  origin_key(io->origin, io->pid))				\
	X(CGROUP, "cgroup", "cgroup", "cgroup", cgroup, TOP, 'c',	\
	  group_key_of_cgroup(o->cgroups, io->origin, io->cgroup))	\
	X(HOST, "host", "host", "host", host, TOP, 'h', io->origin)	\
	X(SIZE, "size", "size to", "size_to_bytes", size, NO, 0,	\
	  size_class(io->bytes))					\
	/* the first of a region: see group_region() */			\
	X(SECTOR, "sector", "sector", "sector", number, NO, 0,		\
	  io->sector >> shift << shift)					\
	X(CPU, "cpu", "cpu", "queue_cpu", number, NO, 0, io->cpu)	\
	X(COMPLETE_CPU, "complete-cpu", "cpu C", "complete_cpu", cpu,	\
	  NO, 0, io->cpu_c)						\
	/* at the device when issued, itself included */		\
	X(DEPTH, "depth", "in flight", "depth", number, NO, 0, io->depth) \
	/* when it begins, by the end of the io */			\
	X(INTERVAL, "interval", "from", "time_ns", moment, NO, 0,	\
	  end_of(io) / o->interval * o->interval)			\
	/* how many marks are before the io's end */			\
	X(MARK, "mark", "mark", "mark", mark, NO, 0,			\
	  marks_until(o->marks, end_of(io)))				\
	X(CONTAINER, "container", "container", "container", container,	\
	  NO, 0, container_of(o, io))					\
	X(ERROR, "error", "errno", "error", number, NO, 0, io->error)

enum group_key {
#define GROUP_KEY_NUMBER(name, ...) GROUP_##name,
	GROUP_KEY_ROWS(GROUP_KEY_NUMBER, GROUP_KEY_NUMBER)
#undef GROUP_KEY_NUMBER
	GROUP_KEYS
};

/* values that have a row of their own */
enum { GROUP_ROWS = 4096 };

enum { GROUP_UNDER_MAX = 8 };

/* when and where the least or greatest of a measure was */
struct group_place {
	uint64_t time, sector;	/* the io's */
};

struct group_options {
	enum group_key keys[GROUP_KEYS];
	unsigned int key_count;	/* 0: one row of all */
	uint32_t measures;	/* bit 1 << measure: has a histogram */
	bool places;		/* of least and greatest are kept */
	bool depth;		/* is kept; keys must not be such that rows
				 * become one */
	bool depth_most;	/* with the most at a time */
	uint64_t from;		/* when the window of that begins, ns */
	uint64_t under[GROUP_UNDER_MAX];	/* see struct group_row */
	unsigned int under_count;
	uint64_t interval;	/* of GROUP_INTERVAL, ns, not 0 */
	/* what a process is called by now, or NULL: its id; ctx is names_ctx */
	const char *(*name)(void *ctx, uint16_t origin, uint32_t pid);
	void *name_ctx;
	const struct marks *marks;	/* of GROUP_MARK, not NULL then */
	const struct cgroups *cgroups;	/* what those are called, or NULL */
};

struct group_row {
	uint64_t count;		/* ios, also those that did not end */
	uint64_t bytes;		/* read and written; of rows of an operation
				 * all that its ios cover */
	uint64_t sized;		/* ios that have these bytes: no flushes */
	uint64_t errors, merged;
	uint64_t unmeasured;	/* did not end, or with a gap */
	uint64_t no_q;		/* ended, but began without a Q */
	uint64_t measured;
	uint64_t unsure;	/* of these: another's events may be theirs */
	struct wide time;	/* the sum of their totals */
	uint64_t under[GROUP_UNDER_MAX];	/* those with a Q2C (without Q:
						 * total) below that, exactly */
	struct wide unsure_time;	/* ns at the device of those that are
					 * not sure, have gap, or are the
					 * kernel's flushes */
	struct sequence_run run;	/* those that continue the last one */
	bool other;		/* of all values without a row of their own */

	/* group.c's */
	struct depth *depth;
	struct histogram *histograms;	/* of the measures, in their order */
	struct group_place *least, *greatest;
	uint64_t keys[];	/* by the options' key_count */
};

/* with nothing counted, without keys; NULL: no memory */
struct group_row *group_row_new(const struct group_options *o);

/* all of from to what to has; 0, or what histogram_merge() returns */
int group_row_merge(const struct group_options *o, struct group_row *to,
		    const struct group_row *from);

/* NULL is fine */
void group_row_free(const struct group_options *o, struct group_row *row);

/* --- group key ------------------------------------------------------------ */

/*
 * The values that ios have for the keys of stat/group: as they come, and
 * final, with names for processes.
 */

/* a key's row, but for what it is made of */
struct group_key_row {
	const char *word, *heading, *column;
	char letter;		/* of blktop; 0: it has it not */
};

const struct group_key_row *group_key_row(enum group_key key);

/* the words of --by, one by one; NULL at the end */
const char *group_key_word(unsigned int nr);

/* sectors of a region at first, and how many regions there are at most */
enum { GROUP_REGION_SHIFT = 11, GROUP_REGIONS = 128 };

/* a value with this bit is a name's number */
#define GROUP_NAMED (UINT64_C(1) << 63)

/*
 * The number of the path in run/cgroups that a value of GROUP_CGROUP, or
 * GROUP_CONTAINER, stands for; -1: it is the id of one without a name.
 */
static inline int64_t group_key_cgroup(uint64_t value)
{
	return value & GROUP_NAMED ? (int64_t)(value & ~GROUP_NAMED) : -1;
}

/* that value of a cgroup: its path's number if it has one, else its id.  c may
 * be NULL */
uint64_t group_key_of_cgroup(const struct cgroups *c, uint16_t origin,
			     uint64_t id);

struct group_names {
	struct hash by_text;	/* to their numbers */
	char **list;
	size_t count, size;
};

void group_names_free(struct group_names *n);

/*
 * Whether a region that io is in is beyond the last one of that size: then the
 * size has to grow.
 */
static inline bool group_key_beyond(const struct io *io, unsigned int shift)
{
	return io->sector >> shift >= GROUP_REGIONS;
}

/* io's values for the keys of *o, to values */
void group_key_values(const struct group_options *o, const struct io *io,
		      unsigned int shift, uint64_t values[]);

/*
 * Makes values final: processes that have names by now get these, and sectors
 * are those of larger regions.  0, or -ENOMEM.
 */
int group_key_finish(const struct group_options *o, struct group_names *n,
		     unsigned int shift, uint64_t values[]);

#endif
