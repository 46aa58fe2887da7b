/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions that say yes or no of an io; see expr.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/code.h"
#include "expr/expr.h"
#include "expr/fields.h"
#include "expr/matcher.h"
#include "expr/names.h"
#include "expr/parse.h"
#include "request/io.h"

struct expr {
	struct expr_code code;
	const struct expr_step *end;	/* behind the last step: no; behind
					 * that: yes */
	struct expr_matcher matcher;
	struct expr_names names;
	uint64_t words;		/* bits of those in it */
	bool plain;		/* it needs nothing but the record */
};

/* --- evaluation ---------------------------------------------------------- */

static inline const struct expr_step *go_on(const struct expr_step *s,
					    uint64_t number)
{
	return s->next[(number & s->mask) - s->low <= s->span].step;
}

static inline uint64_t record_number(const struct io *io, uint16_t at)
{
	uint64_t number;

	memcpy(&number, (const char *)io + at, sizeof(number));
	return number;
}

/* of what is still open, until now */
static uint64_t age(const struct io *io, uint64_t now)
{
	if (io->ended != IO_ENDED_OPEN)
		return io->total;
	if (io->age != IO_NONE)
		return io->age;
	if (now == IO_NONE)
		return IO_NONE;
	return now > io->time ? now - io->time : 0;
}

/* Apart, as it needs registers that the usual way would have to save. */
__attribute__((noinline))
static bool matches_any(const struct expr *e, const struct io *io, uint64_t now)
{
	const struct expr_step *s = e->code.steps;

	do {
		if (s->source == EXPR_RECORD)
			s = go_on(s, record_number(io, s->at));
		else if (s->source == EXPR_NAME)
			s = go_on(s, expr_matcher_test(&e->matcher, &e->names,
						       s->at, io));
		else
			s = go_on(s, age(io, now));
	} while (s < e->end);
	return s > e->end;
}

bool expr_matches(struct expr *e, const struct io *io, uint64_t now)
{
	const struct expr_step *s = e->code.steps, *end = e->end;

	if (!e->plain)
		return matches_any(e, io, now);
	do {
		s = go_on(s, record_number(io, s->at));
	} while (s < end);
	return s > end;
}

/* --- life ---------------------------------------------------------------- */

static bool is_plain(const struct expr_code *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->steps[i].source != EXPR_RECORD)
			return false;
	return true;
}

int expr_compile(struct expr **e, const char *text, struct expr_error *why)
{
	struct expr *made = calloc(1, sizeof(*made));
	int err;

	if (!made)
		return -ENOMEM;
	err = expr_parse(text, &made->code, &made->matcher, &made->words, why);
	if (err) {
		expr_free(made);
		return err;
	}
	made->end = made->code.steps + made->code.count;
	made->plain = is_plain(&made->code);
	*e = made;
	return 0;
}

void expr_set_names(struct expr *e, const struct expr_names *names)
{
	e->names = *names;
	expr_matcher_forget(&e->matcher);
}

void expr_set_block(struct expr *e, uint32_t bytes)
{
	struct expr_step *s = e->code.steps;

	for (uint32_t i = 0; i < e->code.count; i++)
		if (s[i].block_unit)
			s[i].mask = bytes / s[i].block_unit - 1;
}

bool expr_uses(const struct expr *e, const char *word)
{
	const struct expr_word *w = expr_word_find(word, strlen(word));

	return w && e->words >> expr_word_number(w) & 1;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_code_free(&e->code);
	expr_matcher_free(&e->matcher);
	free(e);
}
