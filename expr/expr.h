/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions that say yes or no of an io: "op==write && q2c>5ms".
 *
 *	expr  = and { "||" and }	and = not { "&&" not }
 *	not   = "!" not | "(" expr ")" | test
 *	test  = flag | field ("==" | "!=" | "<" | "<=" | ">" | ">=") value
 *	value = number [unit] | name | '"' any '"'
 *
 * Names are compared by == and != only; in them * is any text and ? any one
 * character.  Without quotes a name ends at a blank or any of ()!&|<>=".
 * Numbers are decimal, and may have a fraction where a unit follows.  A time
 * must have a unit (ns us ms s m), a size may (B K KiB M MiB G GiB sectors; K
 * is 1,024), other numbers have none.
 *
 * op		read, write, discard, zero; flush: the category without bytes,
 *		and the kernel's own flush request; zone: append, reset,
 *		reset-all, finish, open, close; passthrough: a command;
 *		other: N, what has no bytes and is none of these
 * device, process, cgroup, host	names, asked of the caller
 * pid cpu	of the first event
 * sector size	as queued; bytes
 * depth	requests at the driver behind its last D, with it
 * merges	how many other ios its request carried
 * errno	of its C, 0 without one
 * q2c		total of an io whose Q was seen
 * q2g q2m g2i g2d i2d m2d d2c	phases
 * total	from its first event to its end
 * time		of its first event
 * age		total; of an io that is still open, how long it has been
 *
 * error	errno is not 0
 * sync meta fua readahead	categories of the first event
 * open		open at the end, or still
 * ghost	an io whose beginning was not seen: times are lower bounds
 * gap		events were lost while it was open
 * requeued	its request was sent back
 * split	was split, or is part of what was
 * merged	rode in another's request
 * misaligned	a write that does not begin and end at borders of blocks
 *
 * Comparing what is not known is false, with != too; ! of that is true.
 */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include <stdbool.h>
#include <stdint.h>

/* --- parse ---------------------------------------------------------------- */

/*
 * The text of an expression, read once from left to right into steps.
 */

struct expr_code;		/* expr/code.h */
struct expr_error;		/* expr/error.h */
struct expr_matcher;		/* expr/matcher.h */

enum { EXPR_BRACKETS_MAX = 64 };

/* --- expr ----------------------------------------------------------------- */

struct expr;
struct expr_names;		/* expr/matcher.h */
struct io;			/* request/io.h */

/* 0 and *e; -EINVAL and *why; or -ENOMEM */
int expr_compile(struct expr **e, const char *text, struct expr_error *why);

/*
 * From now on names come from there; *names is copied, its ctx must stay.
 * Until this is called no name is known.
 */
void expr_set_names(struct expr *e, const struct expr_names *names);

/* bytes of a block, a power of two from 512 on, in place of 4,096 */
void expr_set_block(struct expr *e, uint32_t bytes);

/*
 * Whether it is true of *io.  now, in ns as io->time, is for the age of what
 * is open; IO_NONE: that is not known.  Not for two threads at once.
 */
bool expr_matches(struct expr *e, const struct io *io, uint64_t now);

/* whether that field or flag is in it */
bool expr_uses(const struct expr *e, const char *word);

/* frees e; NULL is fine */
void expr_free(struct expr *e);

#endif
