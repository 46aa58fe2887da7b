/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of the table ios: names, types and sources.  A row is an I/O of
 * request/io.h, with names and with times that need no other table.
 *
 * Only io_row.c includes this: with constant columns, the compiler makes code
 * without branches or loops.
 */
#ifndef TOOLS_BTEXPORT_IO_COLUMNS_H
#define TOOLS_BTEXPORT_IO_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "emit/row.h"
#include "request/io.h"

/* the type of a member of struct io, and when it is not null */
enum io_source {
	IO_WIDE,		/* 64 bits, always */
	IO_WIDE_OR_NONE,
	IO_WIDE_OR_0,
	IO_WORD,		/* 32 bits, always */
	IO_WORD_OR_NONE,
	IO_WORD_OR_0,
	IO_PHASE,		/* at is its number */
	IO_NAME,		/* an enum with words: at is an enum io_words */
	IO_CALL,		/* by make(), if selected */
	IO_MADE			/* computed: at is an enum io_made */
};

enum io_words {
	IO_WORDS_LINK,
	IO_WORDS_KIND,
	IO_WORDS_OP,
	IO_WORDS_MERGE,
	IO_WORDS_ENDED,
	IO_WORDS
};

enum io_made {
	IO_MADE_HOST,
	IO_MADE_DISK,
	IO_MADE_DEV,
	IO_MADE_FLAGS,
	IO_MADE_PROCESS,
	IO_MADE_CGROUP_PATH,
	IO_MADE_UNIX,
	IO_MADE_COMPLETE,
	IO_MADE_BIRTH,
	IO_MADE_ERROR,
	IO_MADE_RQ_BYTES,
	IO_MADE_SEEK,
	IO_MADE_FROM_DEV,
	IO_MADE_FROM_SECTOR,
	IO_MADE_GAP,
	IO_MADE_TRACE,
	IO_MADE_SURE,
	IO_MADE_SEGMENT,
	IO_MADES
};

struct io_row;

struct io_column {
	struct column column;
	enum io_source source;
	uint16_t at;
	void (*make)(struct io_row *row, const struct io *io, struct cell *c);
};

#define SECTORS "sectors of 512 bytes"

#define NEVER_NULL false
#define MAYBE_NULL true

/* where it is: see enum io_source */
#define FIELD(member) offsetof(struct io, member)
#define WIDE(member) IO_WIDE, FIELD(member), NULL
#define WIDE_OR_NONE(member) IO_WIDE_OR_NONE, FIELD(member), NULL
#define WIDE_OR_0(member) IO_WIDE_OR_0, FIELD(member), NULL
#define WORD(member) IO_WORD, FIELD(member), NULL
#define WORD_OR_NONE(member) IO_WORD_OR_NONE, FIELD(member), NULL
#define WORD_OR_0(member) IO_WORD_OR_0, FIELD(member), NULL
#define PHASE(name) IO_PHASE, IO_##name, NULL
#define NAME(which) IO_NAME, IO_WORDS_##which, NULL
#define MADE(which) IO_MADE, IO_MADE_##which, NULL
#define CALL(function) IO_CALL, 0, function

/* io_row.c's */
static void make_container(struct io_row *row, const struct io *io,
			   struct cell *c);

static const struct io_column io_columns[] = {
	{ { "host", COLUMN_TEXT, NEVER_NULL, "",
	    "the machine: its directory's name, or its own" },
	  MADE(HOST) },
	{ { "disk", COLUMN_TEXT, MAYBE_NULL, "",
	    "the device's name, or its dev" },
	  MADE(DISK) },
	{ { "dev", COLUMN_TEXT, NEVER_NULL, "",
	    "major and minor number, as recorded" },
	  MADE(DEV) },
	{ { "id", COLUMN_INT64, NEVER_NULL, "",
	    "from 1, in the order of birth" },
	  WIDE(id) },
	{ { "parent", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the I/O above, on another device, or of the one split" },
	  WIDE_OR_0(parent) },
	{ { "link", COLUMN_TEXT, MAYBE_NULL, "",
	    "why there is a parent: remap, split" },
	  NAME(LINK) },
	{ { "rq", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the io that stands for its request; of that itself "
	    "the same as id" },
	  WIDE_OR_0(rq) },
	{ { "kind", COLUMN_TEXT, NEVER_NULL, "",
	    "io, part of one that was split, flush of the kernel's own,"
	    " pass: a passthrough command" },
	  NAME(KIND) },
	{ { "op", COLUMN_TEXT, NEVER_NULL, "",
	    "read, write, discard, zeroes, flush, append, reset, "
	    "reset-all, finish, open, close" },
	  NAME(OP) },
	{ { "flags", COLUMN_TEXT, NEVER_NULL, "",
	    "the RWBS letters of its first event" },
	  MADE(FLAGS) },
	{ { "sector", COLUMN_INT64, NEVER_NULL, SECTORS,
	    "its first, as queued" },
	  WIDE(sector) },
	{ { "bytes", COLUMN_INT64, NEVER_NULL, "bytes",
	    "as queued; of a part its piece" },
	  WIDE(bytes) },
	{ { "pid", COLUMN_INT32, NEVER_NULL, "",
	    "process of the first event" },
	  WORD(pid) },
	{ { "process", COLUMN_TEXT, MAYBE_NULL, "",
	    "name of that process" },
	  MADE(PROCESS) },
	{ { "cgroup", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the control group of the first event" },
	  WIDE_OR_0(cgroup) },
	{ { "cgroup_path", COLUMN_TEXT, MAYBE_NULL, "",
	    "its path, by the trace's card" },
	  MADE(CGROUP_PATH) },
	{ { "queue_cpu", COLUMN_INT32, NEVER_NULL, "",
	    "CPU of the first event" },
	  WORD(cpu) },
	{ { "issue_cpu", COLUMN_INT32, MAYBE_NULL, "",
	    "CPU of its request's last issue" },
	  WORD_OR_NONE(cpu_d) },
	{ { "complete_cpu", COLUMN_INT32, MAYBE_NULL, "",
	    "CPU of the last completion" },
	  WORD_OR_NONE(cpu_c) },
	{ { "unix_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "time_ns as the time of day: since 1970, UTC" },
	  MADE(UNIX) },
	{ { "time_ns", COLUMN_INT64, NEVER_NULL, "ns",
	    "its first event, since the first of the trace" },
	  WIDE(time) },
	{ { "issue_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "its request's last issue, since the first event of the "
	    "trace" },
	  WIDE_OR_NONE(issued) },
	{ { "complete_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "its end, since the first event of the trace" },
	  MADE(COMPLETE) },
	{ { "birth", COLUMN_TEXT, NEVER_NULL, "",
	    "action of its first event: Q; X of a part; else its "
	    "beginning was lost" },
	  MADE(BIRTH) },
	{ { "merge", COLUMN_TEXT, MAYBE_NULL, "",
	    "how it came into another's request: back, front, request, "
	    "silent" },
	  NAME(MERGE) },
	{ { "ended", COLUMN_TEXT, NEVER_NULL, "",
	    "C: completed; below: all below was; open, lost, evicted: "
	    "not known when" },
	  NAME(ENDED) },
	{ { "error", COLUMN_INT32, NEVER_NULL, "",
	    "errno of its completion, or 0" },
	  MADE(ERROR) },
	{ { "total_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "from its first event to its end, if ended is C or below" },
	  WIDE_OR_NONE(total) },
	{ { "q2a_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "of a stacked device: until it was first remapped" },
	  PHASE(Q2A) },
	{ { "lower_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until all below was done" },
	  PHASE(LOWER) },
	{ { "a2c_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "from there to its own completion" },
	  PHASE(A2C) },
	{ { "q2x_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "of one that was split: until that" },
	  PHASE(Q2X) },
	{ { "x2c_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until its last part was done" },
	  PHASE(X2C) },
	{ { "q2g_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until it had a request" },
	  PHASE(Q2G) },
	{ { "q2m_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until it was merged into another's request" },
	  PHASE(Q2M) },
	{ { "preflush_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until the flush before its data was done" },
	  PHASE(PREFLUSH) },
	{ { "g2m_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until its request was merged into another" },
	  PHASE(G2M) },
	{ { "g2i_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until its request was inserted" },
	  PHASE(G2I) },
	{ { "g2d_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "until its request was issued, if no insertion was seen" },
	  PHASE(G2D) },
	{ { "i2d_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "in the scheduler: from insertion to issue" },
	  PHASE(I2D) },
	{ { "m2d_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "from the merge to the issue" },
	  PHASE(M2D) },
	{ { "requeue_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "from the first to the last issue" },
	  PHASE(REQUEUE) },
	{ { "d2c_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "at the driver and the device: last issue to the completion"
	    " of its data" },
	  PHASE(D2C) },
	{ { "postflush_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "from there to its end, with a flush after its data" },
	  PHASE(POSTFLUSH) },
	{ { "rest_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "to completion, when nothing was seen in between" },
	  PHASE(REST) },
	{ { "depth", COLUMN_INT32, MAYBE_NULL, "",
	    "requests at the driver after its request's last issue, "
	    "itself included" },
	  WORD_OR_0(depth) },
	{ { "issues", COLUMN_INT32, NEVER_NULL, "",
	    "how often its request was issued" },
	  WORD(issues) },
	{ { "requeues", COLUMN_INT32, NEVER_NULL, "",
	    "how often its request was sent back" },
	  WORD(requeues) },
	{ { "rq_bytes", COLUMN_INT64, MAYBE_NULL, "bytes",
	    "of its request, at the first issue" },
	  MADE(RQ_BYTES) },
	{ { "rq_ios", COLUMN_INT32, MAYBE_NULL, "",
	    "I/Os in its request" },
	  WORD_OR_0(rq_ios) },
	{ { "done_bytes", COLUMN_INT64, MAYBE_NULL, "bytes",
	    "of the completions that count to it: those of its request,"
	    " if it is the lead" },
	  WIDE_OR_0(done) },
	{ { "seek_sectors", COLUMN_INT64, MAYBE_NULL, SECTORS,
	    "from the end of the device's previous request to the start"
	    " of this one; 0: sequential; only where id = rq" },
	  MADE(SEEK) },
	{ { "children", COLUMN_INT32, MAYBE_NULL, "",
	    "I/Os that were remapped from it" },
	  WORD_OR_0(children) },
	{ { "from_dev", COLUMN_TEXT, MAYBE_NULL, "",
	    "the uppermost device that it was remapped from" },
	  MADE(FROM_DEV) },
	{ { "from_sector", COLUMN_INT64, MAYBE_NULL, SECTORS,
	    "where it was there" },
	  MADE(FROM_SECTOR) },
	{ { "at_sector", COLUMN_INT64, MAYBE_NULL, SECTORS,
	    "where an append was written" },
	  WIDE_OR_NONE(at) },
	{ { "plug_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "of g2i, g2d or m2d: held in the plug of its process" },
	  WIDE_OR_NONE(plug) },
	{ { "zplug_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "of q2g or q2m: held in the plug of its zone" },
	  WIDE_OR_NONE(zplug) },
	{ { "flush", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the flush before its data, or that ended it" },
	  WIDE_OR_0(flush) },
	{ { "flush2", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the flush after its data" },
	  WIDE_OR_0(flush2) },
	{ { "gap", COLUMN_INT32, NEVER_NULL, "",
	    "1: events were lost while it was open, so that times may "
	    "be a neighbour's" },
	  MADE(GAP) },
	{ { "events", COLUMN_INT32, NEVER_NULL, "",
	    "events that count to it; of a request all to its lead" },
	  WORD(events) },
	{ { "trace", COLUMN_TEXT, NEVER_NULL, "",
	    "id of the trace, 16 hexadecimal digits; with id the key of "
	    "a row" },
	  MADE(TRACE) },
	{ { "age_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "of one without total_ns: from its first event to the end "
	    "of the trace or window, or until it was evicted" },
	  WIDE_OR_NONE(age) },
	{ { "sure", COLUMN_INT32, NEVER_NULL, "",
	    "1: each of its events could be about no other I/O" },
	  MADE(SURE) },
	{ { "container", COLUMN_TEXT, MAYBE_NULL, "",
	    "id of the container that its control group belongs to" },
	  CALL(make_container) },
	{ { "segment", COLUMN_INT32, NEVER_NULL, "",
	    "of the trace, if it is exported by segments; else 0" },
	  MADE(SEGMENT) },
};

#undef SECTORS
#undef NEVER_NULL
#undef MAYBE_NULL
#undef FIELD
#undef WIDE
#undef WIDE_OR_NONE
#undef WIDE_OR_0
#undef WORD
#undef WORD_OR_NONE
#undef WORD_OR_0
#undef PHASE
#undef NAME
#undef MADE
#undef CALL

#endif
