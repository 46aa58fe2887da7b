/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions that are true or false of an I/O: "op==write && q2c>5ms".
 *
 *	expr  = and { "||" and }	and = not { "&&" not }
 *	not   = "!" not | "(" expr ")" | test
 *	test  = flag | field ("==" | "!=" | "<" | "<=" | ">" | ">=") value
 *	value = number [unit] | name | '"' any '"'
 *
 * Names take only == and !=, * for any text and ? for any character.  Without
 * quotes a name ends at a blank or any of ()!&|<>=".  Numbers are decimal, with
 * a fraction if a unit follows.  A time needs a unit (ns us ms s m), a size may
 * have one (B K KiB M MiB G GiB sectors; K is 1,024), other numbers have none.
 *
 * op		read, write, discard, zero; flush: the category without bytes,
 *		and the kernel's own flush request; zone: append, reset,
 *		reset-all, finish, open, close; passthrough: a command;
 *		other: N, no bytes and none of these
 * device, process, cgroup, host	names, from the caller
 * pid cpu	of the first event
 * sector size	as queued; bytes
 * depth	requests in flight after its last D, with it
 * merges	other I/Os in its request
 * errno	of its C, or 0
 * q2c		total of an I/O with a Q
 * q2g q2m g2i g2d i2d m2d d2c	phases
 * total	from its first event to its end
 * time		of its first event
 * age		total; of an open I/O, the time since its first event
 *
 * error	errno is not 0
 * sync meta fua readahead	categories of the first event
 * open		open now, or at the end
 * ghost	its first events are missing: times are lower bounds
 * gap		events were lost while it was open
 * requeued	its request was requeued
 * split	was split, or is a part
 * merged	was merged into another I/O's request
 * misaligned	a write that does not start and end at borders of blocks
 *
 * Comparing an unknown value is false, with != too; ! of that is true.
 */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include <stdbool.h>
#include <stdint.h>

enum { EXPR_BRACKETS_MAX = 64, EXPR_STEPS_MAX = 60000 };

struct expr;
struct expr_error;		/* expr/error.h */
struct expr_names;		/* expr/matcher.h */
struct io;			/* request/io.h */

/* 0 and *e; -EINVAL and *why; or -ENOMEM */
int expr_compile(struct expr **e, const char *text, struct expr_error *why);

/* Sets where names come from, without which none is known; copies *names, whose
 * ctx must outlive e. */
void expr_set_names(struct expr *e, const struct expr_names *names);

/* bytes of a block, a power of two from 512, instead of 4,096 */
void expr_set_block(struct expr *e, uint32_t bytes);

/*
 * Whether it is true of *io.  now, in ns as io->time, is for the age of open
 * I/Os, or IO_NONE: unknown.  Not thread-safe.
 */
bool expr_matches(struct expr *e, const struct io *io, uint64_t now);

/* whether it has this field or flag */
bool expr_uses(const struct expr *e, const char *word);

/* frees e; NULL is fine */
void expr_free(struct expr *e);

#endif
