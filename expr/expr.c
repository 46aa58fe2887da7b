/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions that are true or false of an I/O; see expr.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/code.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/fields.h"
#include "expr/matcher.h"
#include "expr/value.h"
#include "request/io.h"

/* --- the parser, one pass from left to right ------------------------------ */

#define BLANKS " \t\r\n"

struct parser {
	const char *text, *at;	/* at: the next character */
	struct expr_code *code;
	struct expr_matcher *matcher;
	uint64_t words;
	unsigned int brackets;	/* open ones */
	int error;		/* -EINVAL: why is set; -ENOMEM */
	struct expr_error *why;
};

/* All of these return false on error, and move at. */
static bool parse_any(struct parser *p, struct expr_part *part);

static bool fail(struct parser *p, const char *at, const char *phrase)
{
	*p->why = (struct expr_error){ (size_t)(at - p->text), phrase };
	p->error = -EINVAL;
	return false;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, BLANKS);
}

/* Skips a sign if it is next. */
static bool take(struct parser *p, const char *sign)
{
	size_t len = strlen(sign);

	skip_blanks(p);
	if (strncmp(p->at, sign, len))
		return false;
	p->at += len;
	return true;
}

/* --- tests --------------------------------------------------------------- */

/* Length of the word at the start of text. */
static size_t word_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static const struct expr_word *parse_word(struct parser *p)
{
	size_t len = word_length(p->at);
	const struct expr_word *w = expr_word_find(p->at, len);

	if (!len)
		fail(p, p->at, "expected a field or flag");
	else if (!w)
		fail(p, p->at, "unknown field or flag");
	else
		p->words |= UINT64_C(1) << expr_word_number(w);
	p->at += w ? len : 0;
	return w;
}

struct sign {
	const char *text;
	enum expr_compare how;
};

/* the longer ones first */
static const struct sign signs[] = {
	{ "==", EXPR_EQUAL },	{ "!=", EXPR_DIFFERS },
	{ "<=", EXPR_AT_MOST }, { ">=", EXPR_AT_LEAST },
	{ "<", EXPR_BELOW },	{ ">", EXPR_ABOVE },
};

enum { SIGNS = sizeof(signs) / sizeof(*signs) };

static bool parse_sign(struct parser *p, enum expr_compare *how)
{
	for (size_t i = 0; i < SIGNS; i++) {
		if (!take(p, signs[i].text))
			continue;
		*how = signs[i].how;
		return true;
	}
	return fail(p, p->at, *p->at == '=' ? "equal is ==" :
		    "expected a comparison (== != < <= > >=)");
}

static bool parse_quoted(struct parser *p, const char **name, size_t *len)
{
	const char *end = strchr(p->at + 1, '"');

	if (!end)
		return fail(p, p->at, "unclosed quote");
	*name = p->at + 1;
	*len = (size_t)(end - *name);
	p->at = end + 1;
	return true;
}

static bool parse_name(struct parser *p, const char **name, size_t *len)
{
	skip_blanks(p);
	if (*p->at == '"')
		return parse_quoted(p, name, len);
	*name = p->at;
	*len = strcspn(p->at, BLANKS "()!&|<>=\"");
	if (!*len)
		return fail(p, p->at, "expected a name");
	p->at += *len;
	return true;
}

static bool add_name(struct parser *p, const struct expr_word *w, bool differs,
		     const char *name, size_t len, struct expr_part *part)
{
	int64_t number;

	if (p->matcher->count >= EXPR_STEPS_MAX) {
		p->code->error = -E2BIG;
		return true;
	}
	number = expr_matcher_add(p->matcher, expr_word_naming(w), differs,
				  name, len);
	if (number < 0) {
		p->error = (int)number;
		return false;
	}
	*part = expr_code_add(p->code, &(struct expr_step){
		.mask = UINT64_MAX,
		.low = 1,
		.at = (uint16_t)number,
		.source = EXPR_NAME,
	});
	return true;
}

static bool parse_name_test(struct parser *p, const struct expr_word *w,
			    enum expr_compare how, struct expr_part *part)
{
	bool differs = how == EXPR_DIFFERS;
	const char *name;
	size_t len;

	if (!parse_name(p, &name, &len))
		return false;
	if (expr_word_class(w) == EXPR_IS_NAME)
		return add_name(p, w, differs, name, len, part);
	if (!expr_word_op(p->code, name, len, part))
		return fail(p, name, "op is read write flush discard zero zone "
			    "passthrough or other");
	if (differs)
		*part = expr_code_not(*part);
	return true;
}

static bool parse_number_test(struct parser *p, const struct expr_word *w,
			      enum expr_compare how, struct expr_part *part)
{
	const char *end;
	uint64_t value = 0;

	skip_blanks(p);
	end = expr_value_read(p->at, expr_word_class(w), &value, p->why);
	if (!end)
		return fail(p, p->at + p->why->at, p->why->phrase);
	p->at = end;
	*part = expr_word_compare(p->code, w, how, value);
	return true;
}

static bool parse_flag(struct parser *p, const struct expr_word *w,
		       struct expr_part *part)
{
	skip_blanks(p);
	if (*p->at && strchr("=<>", *p->at))
		return fail(p, p->at, "a flag has no value");
	if (*p->at == '!' && p->at[1] == '=')
		return fail(p, p->at, "a flag has no value");
	*part = expr_word_flag(p->code, w);
	return true;
}

static bool parse_compare(struct parser *p, const struct expr_word *w,
			  struct expr_part *part)
{
	const char *sign;
	enum expr_compare how;

	skip_blanks(p);
	sign = p->at;
	if (!parse_sign(p, &how))
		return false;
	if (expr_word_class(w) > EXPR_IS_NAME)
		return parse_number_test(p, w, how, part);
	if (how != EXPR_EQUAL && how != EXPR_DIFFERS)
		return fail(p, sign, "names are compared by == and != only");
	return parse_name_test(p, w, how, part);
}

static bool parse_test(struct parser *p, struct expr_part *part)
{
	const char *start = p->at;
	const struct expr_word *w = parse_word(p);

	if (!w)
		return false;
	if (!(expr_word_class(w) == EXPR_IS_FLAG ? parse_flag(p, w, part) :
						   parse_compare(p, w, part)))
		return false;
	if (p->code->error == -E2BIG)
		return fail(p, start, "too long: more than 60,000 steps");
	p->error = p->code->error;
	return !p->error;
}

/* --- operators ------------------------------------------------------------ */

/* The mistake of c, where the expression should continue. */
static const char *unexpected(char c, const char *otherwise)
{
	return c == '&' ? "and is &&" : c == '|' ? "or is ||" : otherwise;
}

static bool parse_brackets(struct parser *p, struct expr_part *part)
{
	const char *open = p->at - 1;

	if (p->brackets == EXPR_BRACKETS_MAX)
		return fail(p, open, "more than 64 nested brackets");
	p->brackets++;
	if (!parse_any(p, part))
		return false;
	p->brackets--;
	if (take(p, ")"))
		return true;
	if (!*p->at)
		return fail(p, open, "unclosed bracket");
	return fail(p, p->at,
		    unexpected(*p->at, "expected &&, || or )"));
}

static bool parse_not(struct parser *p, struct expr_part *part)
{
	bool not = false;

	while (take(p, "!"))
		not = !not;
	if (!(take(p, "(") ? parse_brackets(p, part) : parse_test(p, part)))
		return false;
	if (not)
		*part = expr_code_not(*part);
	return true;
}

static bool parse_all(struct parser *p, struct expr_part *part)
{
	struct expr_part right;

	if (!parse_not(p, part))
		return false;
	while (take(p, "&&")) {
		if (!parse_not(p, &right))
			return false;
		*part = expr_code_and(p->code, *part, right);
	}
	return true;
}

static bool parse_any(struct parser *p, struct expr_part *part)
{
	struct expr_part right;

	if (!parse_all(p, part))
		return false;
	while (take(p, "||")) {
		if (!parse_all(p, &right))
			return false;
		*part = expr_code_or(p->code, *part, right);
	}
	return true;
}

/* code and *matcher are all zeros before; *words: bits of the words used.  0;
 * -EINVAL and *why; or -ENOMEM. */
static int expr_parse(const char *text, struct expr_code *code,
		      struct expr_matcher *matcher, uint64_t *words,
		      struct expr_error *why)
{
	struct parser p = { .text = text, .at = text, .code = code,
			    .matcher = matcher, .why = why };
	struct expr_part whole;

	if (!parse_any(&p, &whole))
		return p.error;
	skip_blanks(&p);
	if (*p.at) {
		fail(&p, p.at, *p.at == ')' ? "unexpected )" :
		     unexpected(*p.at, "expected && or ||"));
		return p.error;
	}
	*words = p.words;
	return expr_code_finish(code, whole);
}

/* --- evaluation ----------------------------------------------------------- */

struct expr {
	struct expr_code code;
	const struct expr_step *end;	/* no; the next: yes */
	struct expr_matcher matcher;
	struct expr_names names;
	uint64_t words;		/* bits of the words used */
	bool plain;		/* needs only the record */
};

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

/* of an open I/O, until now */
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

/* Out of line, as it needs registers that the fast path would have to save. */
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
