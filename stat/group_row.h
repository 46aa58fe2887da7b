/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of stat/group, and the keys and options that define it. */
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
 * The keys for grouping.  A new key is a row here, its line in the manual of
 * btstat, and a test.
 *
 *	X(NAME, word, heading, column, show, top, letter, value)
 *
 * word		of --by; for TOP keys also the field of expressions
 * heading	in tables for people
 * column	in files, named as in btexport
 * show		how values are written: put_... in emit/values.c
 * top		TOP: blktop has it, by that letter; NO
 * value	of an I/O; o are struct group_options
 *
 * F is X for the first row, where lists of words start.
 */
#define GROUP_KEY_ROWS(F, X)						\
	F(DEVICE, "device", "device", "disk", device, TOP, 'd',		\
	  io->disk->id)							\
	X(OP, "op", "op", "op", op, TOP, 'o', group_op_of(io))		\
	/* then a name: see group_process() */				\
	X(PROCESS, "process", "process", "process", process, TOP, 'p',	\
	  origin_key(io->origin, io->pid))				\
	X(PID, "pid", "pid", "pid", pid, TOP, 'i',			\
	  origin_key(io->origin, io->pid))				\
	X(CGROUP, "cgroup", "cgroup", "cgroup", cgroup, TOP, 'c',	\
	  group_key_of_cgroup(o->cgroups, io->origin, io->cgroup))	\
	X(HOST, "host", "host", "host", host, TOP, 'h', io->origin)	\
	X(SIZE, "size", "size to", "size_to_bytes", size, NO, 0,	\
	  size_class(io->bytes))					\
	/* start of a region: see group_region() */			\
	X(SECTOR, "sector", "sector", "sector", number, NO, 0,		\
	  io->sector >> shift << shift)					\
	X(CPU, "cpu", "cpu", "queue_cpu", number, NO, 0, io->cpu)	\
	X(COMPLETE_CPU, "complete-cpu", "cpu C", "complete_cpu", cpu,	\
	  NO, 0, io->cpu_c)						\
	/* at the device at issue, itself included */			\
	X(DEPTH, "depth", "in flight", "depth", number, NO, 0, io->depth) \
	/* start of the interval in which it ended */			\
	X(INTERVAL, "interval", "from", "time_ns", moment, NO, 0,	\
	  end_of(io) / o->interval * o->interval)			\
	/* marks before its end */					\
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

/* combinations with their own row */
enum { GROUP_ROWS = 4096 };

enum { GROUP_UNDER_MAX = 8 };

/* time and place of a measure's least or greatest */
struct group_place {
	uint64_t time, sector;	/* of the I/O */
};

struct group_options {
	enum group_key keys[GROUP_KEYS];
	unsigned int key_count;	/* 0: one row of all */
	uint32_t measures;	/* bit 1 << measure: has a histogram */
	bool places;		/* keep those of least and greatest */
	bool depth;		/* keep it; rows must not join later */
	bool depth_most;	/* with the maximum */
	uint64_t from;		/* start of the window of depth, ns */
	uint64_t under[GROUP_UNDER_MAX];	/* see struct group_row */
	unsigned int under_count;
	uint64_t interval;	/* of GROUP_INTERVAL, ns, not 0 */
	/* current name of a process, or NULL: unknown; ctx is name_ctx */
	const char *(*name)(void *ctx, uint16_t origin, uint32_t pid);
	void *name_ctx;
	const struct marks *marks;	/* for GROUP_MARK, not NULL then */
	const struct cgroups *cgroups;	/* for names, or NULL */
};

struct group_row {
	uint64_t count;		/* I/Os, completed or not */
	uint64_t bytes;		/* read and written; by operation: all */
	uint64_t sized;		/* I/Os with bytes: no flushes */
	uint64_t errors, merged;
	uint64_t unmeasured;	/* not ended, or with a gap */
	uint64_t no_q;		/* ended, but without a Q */
	uint64_t measured;
	uint64_t unsure;	/* of these: may have events of another */
	struct wide time;	/* sum of totals */
	uint64_t under[GROUP_UNDER_MAX];	/* those with a Q2C (without
						 * Q: total) below the
						 * option's, exact */
	struct wide unsure_time;	/* ns at the device of those that are
					 * not sure, have a gap, or are the
					 * kernel's flushes */
	struct sequence_run run;	/* those that continue the last one */
	bool other;		/* shared by all values without a row */

	/* private to group.c */
	struct depth *depth;
	struct histogram *histograms;	/* of the measures, in order */
	struct group_place *least, *greatest;
	uint64_t keys[];	/* key_count of them */
};

/* empty, without keys; NULL: no memory */
struct group_row *group_row_new(const struct group_options *o);

/* adds from to *to; 0, or what histogram_merge() returns */
int group_row_merge(const struct group_options *o, struct group_row *to,
		    const struct group_row *from);

/* NULL is fine */
void group_row_free(const struct group_options *o, struct group_row *row);

/* --- group key ------------------------------------------------------------ */

/* The values of I/Os for keys: raw, and final with names for processes. */

/* a key's row, except its value */
struct group_key_row {
	const char *word, *heading, *column;
	char letter;		/* of blktop, or 0 */
};

const struct group_key_row *group_key_row(enum group_key key);

/* words of --by by number; NULL after the last */
const char *group_key_word(unsigned int nr);

/* initial sectors of a region as a shift; maximum of regions */
enum { GROUP_REGION_SHIFT = 11, GROUP_REGIONS = 128 };

/* set in a value that is the number of a name */
#define GROUP_NAMED (UINT64_C(1) << 63)

/* The path number in run/cgroups of a value of GROUP_CGROUP or GROUP_CONTAINER;
 * -1: it is the id of a cgroup without a name. */
static inline int64_t group_key_cgroup(uint64_t value)
{
	return value & GROUP_NAMED ? (int64_t)(value & ~GROUP_NAMED) : -1;
}

/* the value of a cgroup: its path number, or else its id; c may be NULL */
uint64_t group_key_of_cgroup(const struct cgroups *c, uint16_t origin,
			     uint64_t id);

struct group_names {
	struct hash by_text;	/* of numbers */
	char **list;
	size_t count, size;
};

void group_names_free(struct group_names *n);

/* Whether io is beyond the last region, so that regions have to grow. */
static inline bool group_key_beyond(const struct io *io, unsigned int shift)
{
	return io->sector >> shift >= GROUP_REGIONS;
}

/* writes io's values for the keys of *o */
void group_key_values(const struct group_options *o, const struct io *io,
		      unsigned int shift, uint64_t values[]);

/* Makes values final: names for processes, start of the larger region for
 * sectors.  0, or -ENOMEM. */
int group_key_finish(const struct group_options *o, struct group_names *n,
		     unsigned int shift, uint64_t values[]);

#endif
