/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares names in expressions.
 *
 * Looking a name up and matching it is slow, so a table of fixed size caches
 * the answers.
 */
#ifndef EXPR_MATCHER_H
#define EXPR_MATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "request/io.h"

/*
 * Where names come from.  Each function, or NULL, returns the name, valid until
 * the next call, or NULL while it is unknown.  A known name must not change,
 * and must depend only on the I/O's origin and the members in the comment.
 */
struct expr_names {
	void *ctx;
	/* disk; or if that is NULL, device */
	const char *(*device)(void *ctx, const struct io *io);
	/* pid */
	const char *(*process)(void *ctx, const struct io *io);
	/* cgroup */
	const char *(*cgroup)(void *ctx, const struct io *io);
	/* no more */
	const char *(*host)(void *ctx, const struct io *io);
};

enum expr_naming {
	EXPR_DEVICE,
	EXPR_PROCESS,
	EXPR_CGROUP,
	EXPR_HOST,
	EXPR_NAMINGS
};

/* cached answers; a power of two */
enum { EXPR_ANSWERS = 1 << 13 };

struct expr_pattern {
	char *text;
	enum expr_naming naming;
	bool differs;		/* true of known names that do not fit */
};

/* the result of one test for one name */
struct expr_answer {
	uint64_t id;		/* expr_naming_id() */
	uint32_t test;		/* its number + 1; 0: empty */
	uint16_t origin;
	bool holds;
};

/* all zeros: no tests */
struct expr_matcher {
	struct expr_pattern *patterns;
	size_t size;
	uint32_t count;
	uint64_t seed;
	struct expr_answer *answers;	/* NULL without tests */
};

/* whether text fits the pattern of len bytes, with * for any text and ? for any
 * character */
bool expr_pattern_fits(const char *pattern, size_t len, const char *text);

/* adds a test of names against a pattern of len bytes, copied; its number, or
 * -ENOMEM */
int64_t expr_matcher_add(struct expr_matcher *m, enum expr_naming naming,
			 bool differs, const char *text, size_t len);

/* what the name depends on, apart from origin */
static inline uint64_t expr_naming_id(enum expr_naming naming,
				      const struct io *io)
{
	return naming == EXPR_PROCESS ? io->pid :
	       naming == EXPR_CGROUP  ? io->cgroup :
	       naming == EXPR_HOST    ? 0 :
	       io->disk		      ? (uintptr_t)io->disk :
					io->device;
}

/* slow path of expr_matcher_test(): the answer to wanted, cached in *kept */
bool expr_matcher_ask(const struct expr_matcher *m,
		      const struct expr_names *names, const struct io *io,
		      const struct expr_answer *wanted,
		      struct expr_answer *kept);

/* whether a test holds; false: the name is unknown */
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

/* drops all cached answers */
void expr_matcher_forget(struct expr_matcher *m);

void expr_matcher_free(struct expr_matcher *m);

#endif
