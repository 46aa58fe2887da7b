/* SPDX-License-Identifier: GPL-2.0-only */
/* A rule over I/Os that becomes true; see trigger.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/histogram.h"
#include "base/time.h"
#include "base/unit.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/value.h"
#include "stat/measure.h"
#include "stat/trigger.h"

/* --- trigger parse -------------------------------------------------------- */

/* The parsed text of a trigger, whose grammar is in trigger.h. */

struct expr;			/* expr/expr.h */
struct expr_error;		/* expr/error.h */

enum trigger_kind {
	TRIGGER_IO,		/* an expression */
	TRIGGER_EXIT,
	TRIGGER_PERCENTILE,
	TRIGGER_MEAN,
	TRIGGER_MAX,
	TRIGGER_RATE,
	TRIGGER_COUNT,
	TRIGGER_DEPTH,
};

struct trigger_rule {
	enum trigger_kind kind;
	const char *name;	/* of a statistic: "p99" */
	uint32_t percentile;	/* in thousandths */
	int measure;		/* enum measure, or -1 */
	struct expr *expr;	/* owned; NULL: all I/Os */
	uint64_t value;		/* to exceed: ns or a number */
	uint64_t over;		/* ns */
};

#define BLANKS " \t\r\n"
#define OVER_LEAST (100 * NS_PER_MS)
#define OVER_MOST (24 * 3600 * NS_PER_SECOND)

enum { NAME_MAX_LEN = 16 };

struct parser {
	const char *text, *at;	/* at: next to read */
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

/* These return whether they succeeded, with at after the text read. */
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

/* The last word "over" outside of quotes. */
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

/* The statistic at the start of text, or NULL. */
static const struct statistic *statistic_of(const char *text, size_t *len)
{
	*len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.");
	for (size_t i = 0; i < sizeof(statistics) / sizeof(*statistics); i++)
		if (strlen(statistics[i].name) == *len &&
		    !memcmp(statistics[i].name, text, *len))
			return &statistics[i];
	return NULL;
}

/* --- parts ---------------------------------------------------------------- */

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
		return fail(p, p->at, "unknown phase");
	memcpy(name, p->at, len);
	name[len] = '\0';
	p->rule->measure = measure_find(name);
	if (p->rule->measure < 0)
		return fail(p, p->at, "unknown phase");
	p->at += len;
	skip_blanks(p);
	if (*p->at != ')')
		return fail(p, p->at, ") is expected");
	p->at++;
	return true;
}

/* Compiles len bytes as an expression. */
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

/* Reads between "where" and the last > before "over". */
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
		    "expected a limit, like > 5ms over 10s");
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
	return !*p->at || fail(p, p->at, "unexpected text after it");
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

/* Depth is also a field. */
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

/* 0 and *r, whose expr the caller frees; -EINVAL and *why; or -ENOMEM */
static int trigger_parse(struct trigger_rule *r, const char *text,
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

/* --- moving --------------------------------------------------------------- */

/* Numbers of a moving window, in ten parts: a new part replaces the oldest. */

enum { MOVING_PARTS = 10 };

struct moving {
	uint64_t step;		/* ns, a tenth of the window */
	uint64_t begin;		/* of the newest part, ns, or 0 */
	unsigned int newest;
	struct histogram parts[MOVING_PARTS];
	struct histogram all;	/* the window up to the last step */
};

/* m is zeroed before; over: ns, at least 10 */
static void moving_init(struct moving *m, uint64_t over)
{
	m->step = over / MOVING_PARTS;
}

/* adds a number; 0, -ENOMEM or -EOVERFLOW */
static int moving_add(struct moving *m, uint64_t value)
{
	return histogram_add(&m->parts[m->newest], value);
}

/* Parts that do not fit in memory are missing until they leave the window. */
static void sum_up(struct moving *m)
{
	histogram_free(&m->all);
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		if (m->parts[i].count)
			histogram_merge(&m->all, &m->parts[i]);
}

/* Nothing is left after a silence of a window. */
static void forget_all(struct moving *m, uint64_t now)
{
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		histogram_free(&m->parts[i]);
	m->begin = now - m->step;
}

/* Steps towards now, with new sums; false: now is reached.  Call repeatedly. */
static bool moving_step(struct moving *m, uint64_t now)
{
	if (!m->begin)
		m->begin = now;
	if (now < m->begin || now - m->begin < m->step)
		return false;
	if (now - m->begin >= (MOVING_PARTS + 1) * m->step)
		forget_all(m, now);
	sum_up(m);
	m->newest = (m->newest + 1) % MOVING_PARTS;
	histogram_free(&m->parts[m->newest]);
	m->begin += m->step;
	return true;
}

static void moving_free(struct moving *m)
{
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		histogram_free(&m->parts[i]);
	histogram_free(&m->all);
}

/* --- trigger -------------------------------------------------------------- */

enum {
	ENOUGH = 5,		/* I/Os above a percentile, or of a mean */
	FIRED_MAX = 1 << 16,	/* open I/Os remembered */
};

struct trigger {
	char *text;
	struct trigger_rule rule;
	bool wants_open, wants_error;
	struct moving last;	/* for a statistic */
	bool was_true;
	struct hash fired;	/* ids of open I/Os that made it true */
	char value[TRIGGER_VALUE];
};

/* --- life ----------------------------------------------------------------- */

static void take_apart(struct trigger *t)
{
	const struct expr *e = t->rule.expr;

	if (t->rule.kind == TRIGGER_IO) {
		t->wants_open = expr_uses(e, "age") || expr_uses(e, "open");
		t->wants_error = expr_uses(e, "error") ||
				 expr_uses(e, "errno");
	}
	if (t->rule.over)
		moving_init(&t->last, t->rule.over);
}

int trigger_compile(struct trigger **out, const char *text,
		    struct expr_error *why)
{
	struct trigger *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	err = trigger_parse(&t->rule, text, why);
	t->text = strdup(text);
	if (!err && !t->text)
		err = -ENOMEM;
	if (err) {
		trigger_free(t);
		return err;
	}
	take_apart(t);
	*out = t;
	return 0;
}

void trigger_free(struct trigger *t)
{
	if (!t)
		return;
	moving_free(&t->last);
	hash_free(&t->fired);
	expr_free(t->rule.expr);
	free(t->text);
	free(t);
}

const char *trigger_text(const struct trigger *t)
{
	return t->text;
}

void trigger_set_names(struct trigger *t, const struct expr_names *names)
{
	if (t->rule.expr)
		expr_set_names(t->rule.expr, names);
}

bool trigger_wants_open(const struct trigger *t)
{
	return t->wants_open;
}

bool trigger_wants_exit(const struct trigger *t)
{
	return t->rule.kind == TRIGGER_EXIT;
}

/* --- statistics ----------------------------------------------------------- */

/* Whether the statistic, *value, exceeds the limit and has enough I/Os. */
static bool exceeds(const struct trigger *t, uint64_t *value)
{
	const struct trigger_rule *r = &t->rule;
	const struct histogram *h = &t->last.all;

	switch (r->kind) {
	case TRIGGER_PERCENTILE:
		*value = histogram_kth(h, histogram_rank(h->count,
							 r->percentile));
		return histogram_above(h->count, r->percentile) >= ENOUGH &&
		       *value > r->value;
	case TRIGGER_MEAN:
		*value = h->count ? wide_over(h->sum, h->count).low :
				    0;
		return h->count >= ENOUGH && *value > r->value;
	case TRIGGER_MAX:
		*value = h->max;
		return *value > r->value;
	case TRIGGER_COUNT:
		*value = h->count;
		return *value > r->value;
	case TRIGGER_RATE:
		*value = h->count;
		return wide_less(wide_product(r->value, r->over),
				 wide_product(h->count, NS_PER_SECOND));
	default:
		*value = 0;
		return wide_less(wide_product(r->value, r->over), h->sum);
	}
}

static void say_statistic(struct trigger *t, uint64_t value)
{
	const struct trigger_rule *r = &t->rule;
	char number[UNIT_MAX];

	if (r->kind == TRIGGER_RATE)
		unit_rate(number, value, r->over);
	else if (r->kind == TRIGGER_COUNT)
		unit_decimal(number, value, 1);
	else if (r->kind == TRIGGER_DEPTH)
		unit_ratio(number, t->last.all.sum, r->over);
	else
		unit_time(number, value);
	if (r->measure < 0)
		snprintf(t->value, sizeof(t->value), "%s %s", r->name, number);
	else
		snprintf(t->value, sizeof(t->value), "%s(%s) %s", r->name,
			 measure_name((unsigned int)r->measure), number);
}

bool trigger_time(struct trigger *t, uint64_t now)
{
	bool becomes = false;
	uint64_t value;

	if (!t->rule.over)
		return false;
	while (moving_step(&t->last, now)) {
		bool is_true = exceeds(t, &value);

		if (is_true && !t->was_true) {
			becomes = true;
			say_statistic(t, value);
		}
		t->was_true = is_true;
	}
	return becomes;
}

/* The I/O's number for the statistic; false: none. */
static bool number_of(const struct trigger_rule *r, const struct io *io,
		      uint64_t *number)
{
	*number = 0;
	if (r->kind == TRIGGER_DEPTH)
		return io_leads(io) && measure_get(io, IO_D2C, number);
	return r->measure < 0 ||
	       measure_get(io, (unsigned int)r->measure, number);
}

/* Without memory, the I/O is not counted. */
static bool count_io(struct trigger *t, const struct io *io)
{
	uint64_t number;
	bool becomes;

	if (!io_completed(io))
		return false;
	becomes = trigger_time(t, io->time + io->total);
	if ((!t->rule.expr || expr_matches(t->rule.expr, io, IO_NONE)) &&
	    number_of(&t->rule, io, &number))
		moving_add(&t->last, number);
	return becomes;
}

/* --- I/Os ----------------------------------------------------------------- */

static void say_io(struct trigger *t, const struct io *io)
{
	char number[UNIT_MAX];

	if (t->wants_error && io->error) {
		snprintf(t->value, sizeof(t->value), "errno %u", io->error);
	} else if (io->total == IO_NONE) {
		snprintf(t->value, sizeof(t->value), "its end was not seen");
	} else {
		unit_time(number, io->total);
		snprintf(t->value, sizeof(t->value), "%s %s",
			 io->birth == 'Q' ? "q2c" : "total", number);
	}
}

bool trigger_io(struct trigger *t, const struct io *io)
{
	if (t->rule.over)
		return count_io(t, io);
	if (t->rule.kind != TRIGGER_IO)
		return false;
	if (t->fired.count && hash_del(&t->fired, io->id))
		return false;
	if (!expr_matches(t->rule.expr, io, IO_NONE))
		return false;
	say_io(t, io);
	return true;
}

bool trigger_open(struct trigger *t, const struct io *io, uint64_t now)
{
	char number[UNIT_MAX];

	if (!t->wants_open || io->gap || hash_get(&t->fired, io->id) ||
	    !expr_matches(t->rule.expr, io, now))
		return false;
	if (t->fired.count >= FIRED_MAX)
		hash_free(&t->fired);
	if (hash_put(&t->fired, io->id, t))
		return false;
	unit_time(number, now - io->time);
	snprintf(t->value, sizeof(t->value), "age %s", number);
	return true;
}

void trigger_value(const struct trigger *t, char text[TRIGGER_VALUE])
{
	memcpy(text, t->value, sizeof(t->value));
}
