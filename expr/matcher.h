/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that an expression compares.
 *
 * Asking for a name and matching it costs much more than all else, so answers
 * are kept by what the name depends on: in a table of fixed size, in which a
 * newer answer takes the place of an older.
 */
#ifndef EXPR_MATCHER_H
#define EXPR_MATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "request/io.h"

/* --- names ---------------------------------------------------------------- */

/*
 * Where names come from.  Each returns the name, good until the next call, or
 * NULL while it is not known; a function may be NULL, too.  The name must
 * depend only on the origin of the io and on what the function has above it, and
 * not change once known.
 */

struct io;			/* request/io.h */

struct expr_names {
	void *ctx;
	/* disk; where that is NULL, device */
	const char *(*device)(void *ctx, const struct io *io);
	/* pid */
	const char *(*process)(void *ctx, const struct io *io);
	/* cgroup */
	const char *(*cgroup)(void *ctx, const struct io *io);
	/* nothing else */
	const char *(*host)(void *ctx, const struct io *io);
};

/* --- matcher -------------------------------------------------------------- */

struct expr_names;		/* expr/matcher.h */

enum expr_naming {
	EXPR_DEVICE,
	EXPR_PROCESS,
	EXPR_CGROUP,
	EXPR_HOST,
	EXPR_NAMINGS
};

/* the answers that are kept; a power of two */
enum { EXPR_ANSWERS = 1 << 13 };

struct expr_pattern {
	char *text;
	enum expr_naming naming;
	bool differs;		/* true of known names that do not fit */
};

/* what one test said of one name */
struct expr_answer {
	uint64_t id;		/* of what the name depends on, with origin */
	uint32_t test;		/* its number + 1; 0: nothing is kept here */
	uint16_t origin;
	bool holds;
};

/* zeroed: no pattern */
struct expr_matcher {
	struct expr_pattern *patterns;
	size_t size;
	uint32_t count;
	uint64_t seed;
	struct expr_answer *answers;	/* NULL until one is added */
};

/* whether text fits the pattern of len bytes, in which * is any text and ? any
 * one character */
bool expr_pattern_fits(const char *pattern, size_t len, const char *text);

/* a test of the name of an io against a text of len bytes, copied; its number,
 * or -ENOMEM */
int64_t expr_matcher_add(struct expr_matcher *m, enum expr_naming naming,
			 bool differs, const char *text, size_t len);

/* what the name depends on, beside origin */
static inline uint64_t expr_naming_id(enum expr_naming naming,
				      const struct io *io)
{
	return naming == EXPR_PROCESS ? io->pid :
	       naming == EXPR_CGROUP  ? io->cgroup :
	       naming == EXPR_HOST    ? 0 :
	       io->disk		      ? (uintptr_t)io->disk :
					io->device;
}

/* slow path of expr_matcher_test(): the answer to wanted, kept there */
bool expr_matcher_ask(const struct expr_matcher *m,
		      const struct expr_names *names, const struct io *io,
		      const struct expr_answer *wanted,
		      struct expr_answer *kept);

/* whether that test holds, false when the name is not known */
static inline bool expr_matcher_test(const struct expr_matcher *m,
				     const struct expr_names *names,
				     uint32_t number, const struct io *io)
{
	uint64_t id = expr_naming_id(m->patterns[number].naming, io);
	struct expr_answer wanted = { id, number + 1, io->origin, false };
	uint64_t key = id ^ (uint64_t)wanted.test << 32 ^
		(uint64_t)wanted.origin << 48;
	struct expr_answer *kept =
		&m->answers[hash_home(m->seed, key, EXPR_ANSWERS - 1)];

	if (kept->test == wanted.test && kept->id == id &&
	    kept->origin == wanted.origin)
		return kept->holds;
	return expr_matcher_ask(m, names, io, &wanted, kept);
}

/* no answer is valid any more */
void expr_matcher_forget(struct expr_matcher *m);

void expr_matcher_free(struct expr_matcher *m);

#endif
