/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of a trigger, taken apart; see trigger_parse.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/value.h"
#include "stat/measure.h"
#include "stat/trigger_parse.h"

#define BLANKS " \t\r\n"
#define OVER_LEAST (100 * NS_PER_MS)
#define OVER_MOST (24 * 3600 * NS_PER_SECOND)

enum { NAME_MAX_LEN = 16 };

struct parser {
	const char *text, *at;	/* at: what is to be read next */
	const char *over;	/* the last word "over", or NULL */
	struct trigger_rule *rule;
	struct expr_error *why;
	int error;
};

static const struct statistic {
	const char *name;
	enum trigger_kind kind;
	uint32_t percentile;
} statistics[] = {
	{ "p50", TRIGGER_PERCENTILE, 50000 },
	{ "p90", TRIGGER_PERCENTILE, 90000 },
	{ "p99", TRIGGER_PERCENTILE, 99000 },
	{ "p99.9", TRIGGER_PERCENTILE, 99900 },
	{ "mean", TRIGGER_MEAN, 0 },
	{ "max", TRIGGER_MAX, 0 },
	{ "rate", TRIGGER_RATE, 0 },
	{ "count", TRIGGER_COUNT, 0 },
	{ "depth", TRIGGER_DEPTH, 0 },
};

/* All of these return whether they could; at is then behind what they read. */
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

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* That word, if it is next. */
static bool take_word(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(p);
	if (strncmp(p->at, word, len) ||
	    (p->at[len] && !is_blank(p->at[len])))
		return false;
	p->at += len;
	return true;
}

/* The last word "over" that is not within quotes. */
static const char *find_over(const char *text)
{
	const char *found = NULL;
	bool quoted = false;

	for (const char *at = text; *at; at++) {
		quoted ^= *at == '"';
		if (!quoted && at > text && is_blank(at[-1]) &&
		    !strncmp(at, "over", 4) && (!at[4] || is_blank(at[4])))
			found = at;
	}
	return found;
}

/* The statistic that text begins with, or NULL. */
static const struct statistic *statistic_of(const char *text, size_t *len)
{
	*len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.");
	for (size_t i = 0; i < sizeof(statistics) / sizeof(*statistics); i++)
		if (strlen(statistics[i].name) == *len &&
		    !memcmp(statistics[i].name, text, *len))
			return &statistics[i];
	return NULL;
}

/* --- its parts ------------------------------------------------------------ */

/* "(d2c)" */
static bool parse_measure(struct parser *p)
{
	char name[NAME_MAX_LEN];
	size_t len;

	skip_blanks(p);
	if (*p->at != '(')
		return fail(p, p->at, "a phase is expected: p99(d2c)");
	p->at++;
	skip_blanks(p);
	len = strspn(p->at, "abcdefghijklmnopqrstuvwxyz0123456789");
	if (len >= sizeof(name))
		return fail(p, p->at, "there is no such phase");
	memcpy(name, p->at, len);
	name[len] = '\0';
	p->rule->measure = measure_find(name);
	if (p->rule->measure < 0)
		return fail(p, p->at, "there is no such phase");
	p->at += len;
	skip_blanks(p);
	if (*p->at != ')')
		return fail(p, p->at, ") is expected");
	p->at++;
	return true;
}

/* len bytes of the text as an expression. */
static bool compile(struct parser *p, size_t len)
{
	char *part = strndup(p->at, len);
	struct expr_error why;
	int err = part ? expr_compile(&p->rule->expr, part, &why) : -ENOMEM;

	free(part);
	if (err == -EINVAL)
		return fail(p, p->at + why.at, why.phrase);
	p->error = err;
	p->at += len;
	return !err;
}

/* What is between "where" and the last > before "over". */
static bool parse_where(struct parser *p)
{
	const char *sign = NULL;

	if (!take_word(p, "where"))
		return true;
	for (const char *at = p->at; p->over && at < p->over; at++)
		if (*at == '>')
			sign = at;
	if (sign)
		return compile(p, (size_t)(sign - p->at));
	return fail(p, p->text + strlen(p->text), p->over ?
		    "> and a value are expected before over" :
		    "what it must exceed is expected: > 5ms over 10s");
}

static bool parse_value(struct parser *p, enum expr_class class,
			uint64_t *value)
{
	const char *end;

	skip_blanks(p);
	end = expr_value_read(p->at, class, value, p->why);
	if (!end)
		return fail(p, p->at + p->why->at, p->why->phrase);
	p->at = end;
	return true;
}

static bool parse_over(struct parser *p)
{
	const char *time;

	if (!take_word(p, "over"))
		return fail(p, p->at, "a time is expected: over 10s");
	skip_blanks(p);
	time = p->at;
	if (!parse_value(p, EXPR_IS_TIME, &p->rule->over))
		return false;
	if (p->rule->over < OVER_LEAST || p->rule->over > OVER_MOST)
		return fail(p, time, "this time is 100ms to 1440m");
	skip_blanks(p);
	return !*p->at || fail(p, p->at, "nothing is expected behind it");
}

static bool parse_statistic(struct parser *p, const struct statistic *s)
{
	bool of_measure = s->kind <= TRIGGER_MAX;

	p->rule->kind = s->kind;
	p->rule->name = s->name;
	p->rule->percentile = s->percentile;
	if (of_measure && !parse_measure(p))
		return false;
	if (!parse_where(p))
		return false;
	skip_blanks(p);
	if (*p->at != '>')
		return fail(p, p->at, "> or where is expected");
	p->at++;
	return parse_value(p, of_measure ? EXPR_IS_TIME : EXPR_IS_NUMBER,
			   &p->rule->value) && parse_over(p);
}

/* Depth is a field, too. */
static bool parse_any(struct parser *p)
{
	const struct statistic *s;
	const char *begin;
	size_t len;

	skip_blanks(p);
	begin = p->at;
	if (take_word(p, "exit")) {
		p->rule->kind = TRIGGER_EXIT;
		skip_blanks(p);
		return !*p->at || fail(p, p->at, "exit stands alone");
	}
	s = statistic_of(begin, &len);
	if (s && (s->kind != TRIGGER_DEPTH || p->over)) {
		p->at = begin + len;
		return parse_statistic(p, s);
	}
	p->at = p->text;
	p->rule->kind = TRIGGER_IO;
	return compile(p, strlen(p->text));
}

int trigger_parse(struct trigger_rule *r, const char *text,
		  struct expr_error *why)
{
	struct parser p = { .text = text, .at = text, .rule = r, .why = why,
			    .over = find_over(text) };

	*r = (struct trigger_rule){ .measure = -1 };
	if (parse_any(&p))
		return 0;
	expr_free(r->expr);
	r->expr = NULL;
	return p.error;
}
