/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions that are true or false of an I/O; see expr.h.
 *
 * A step tests an I/O and continues with one of two later steps, or at the end.
 * Nearly every test is whether some bits of the record, as a number, are in a
 * range; whether the number is known is a test before it.
 *
 * Parts are joined by && || ! with open exits, which code_finish() sets.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "blktrace.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/matcher.h"
#include "expr/value.h"
#include "request/io.h"

/* --- steps ---------------------------------------------------------------- */

/* the number that must be in the range */
enum source {
	RECORD,			/* eight bytes of the record */
	AGE,			/* the I/O's age, or IO_NONE */
	NAME_TEST,		/* result of name test number at: 1 or 0 */
};

union exit {
	uint32_t link;		/* until finished: the number of the next exit
				 * in a list, from 1, or 0 */
	const struct step *step;
};

struct step {
	uint64_t mask;		/* of the eight bytes */
	uint64_t low, span;	/* yes: low to low + span */
	union exit next[2];	/* no, yes */
	uint16_t at;		/* offset in struct io */
	uint8_t source;		/* enum source */
	uint16_t block_unit;	/* not 0: mask depends on the size of a block,
				 * counted in units of this many bytes */
};

/* all zeros: empty */
struct code {
	struct step *steps;
	size_t size;
	uint32_t count;
	int error;		/* 0, -ENOMEM, or -E2BIG: too many steps, which
				 * are dropped */
};

/* exits to the same step, linked */
struct exits {
	uint32_t first, last;
};

struct part {
	uint32_t start;		/* its first step */
	struct exits out[2];	/* no, yes */
};

enum { FIRST_STEPS = 8, ENDS = 2 };

/* The exit with this number, from 1; each step has two. */
static union exit *exit_of(const struct code *c, uint32_t number)
{
	return &c->steps[(number - 1) / 2].next[(number - 1) % 2];
}

static struct exits join(const struct code *c, struct exits a, struct exits b)
{
	if (!a.first)
		return b;
	if (!b.first)
		return a;
	exit_of(c, a.last)->link = b.first;
	return (struct exits){ a.first, b.last };
}

/* The links become numbers of steps. */
static void lead_to(const struct code *c, struct exits list, uint32_t step)
{
	uint32_t next;

	for (uint32_t number = list.first; number; number = next) {
		next = exit_of(c, number)->link;
		exit_of(c, number)->link = step;
	}
}

static int reserve(struct code *c)
{
	struct step *more;

	if (c->error)
		return c->error;
	if (c->count >= EXPR_STEPS_MAX)
		return c->error = -E2BIG;
	more = array_reserve(c->steps, c->count, &c->size, FIRST_STEPS,
			     sizeof(*more));
	if (!more)
		return c->error = -ENOMEM;
	c->steps = more;
	return 0;
}

/* A part of one step, without next; join parts in the order of adding. */
static struct part code_add(struct code *c, const struct step *step)
{
	uint32_t at = c->count, no = 2 * at + 1, yes = 2 * at + 2;

	if (reserve(c))
		return (struct part){ 0 };
	c->steps[at] = *step;
	c->steps[at].next[0].link = c->steps[at].next[1].link = 0;
	c->count++;
	return (struct part){ at, { { no, no }, { yes, yes } } };
}

/* Left's exits on one side lead to right, the others join right's. */
static struct part chain(const struct code *c, struct part left,
			 struct part right, bool side)
{
	lead_to(c, left.out[side], right.start);
	right.out[!side] = join(c, left.out[!side], right.out[!side]);
	right.start = left.start;
	return right;
}

static struct part code_and(struct code *c, struct part left, struct part right)
{
	return c->error ? left : chain(c, left, right, true);
}

static struct part code_or(struct code *c, struct part left, struct part right)
{
	return c->error ? left : chain(c, left, right, false);
}

static struct part code_not(struct part part)
{
	struct exits no = part.out[0];

	part.out[0] = part.out[1];
	part.out[1] = no;
	return part;
}

/*
 * Finishes the whole expression, which starts at step 0 and ends at steps +
 * count (no) or steps + count + 1 (yes), which are no steps.  0, or the error.
 */
static int code_finish(struct code *c, struct part whole)
{
	struct step *steps;

	if (c->error)
		return c->error;
	/* the ends after the last step are never read, only pointed to */
	steps = array_resize(c->steps, c->count + ENDS, sizeof(*steps));
	if (!steps)
		return c->error = -ENOMEM;
	c->steps = steps;
	lead_to(c, whole.out[0], c->count);
	lead_to(c, whole.out[1], c->count + 1);
	for (struct step *s = steps; s < steps + c->count; s++) {
		s->next[0].step = steps + s->next[0].link;
		s->next[1].step = steps + s->next[1].link;
	}
	return 0;
}

static void code_free(struct code *c)
{
	free(c->steps);
	*c = (struct code){ 0 };
}

/* --- words: flags, fields and ops ----------------------------------------- */

/* bytes of a block, for misaligned */
enum { BLOCK = 4096 };

enum compare {
	EQUAL,
	DIFFERS,
	BELOW,
	AT_MOST,
	ABOVE,
	AT_LEAST,
};

/*
 * Steps read eight bytes of the record and mask the member, which is at their
 * start or end, by the byte order.
 */
#define SIZE(member) sizeof(((struct io *)0)->member)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AT(member) offsetof(struct io, member)
#else
#define AT(member) (offsetof(struct io, member) + SIZE(member) - 8)
#endif
#define MASK(member) (UINT64_MAX >> (64 - 8 * SIZE(member)))

_Static_assert(offsetof(struct io, rq_ios) + 8 <= sizeof(struct io),
	       "the last member read has eight bytes");

/* whether bits are in a range, or not */
struct question {
	uint16_t at;
	uint64_t mask, low, high;
	bool not;
	bool or;		/* joined to the last one by or, else by and */
	uint16_t unit;		/* block_unit of a step */
};

#define RANGE(member, first, last) \
	.at = AT(member), .mask = MASK(member), .low = (first), .high = (last)
#define IS(member, value) RANGE(member, value, value)
#define HAS(member, bits) \
	.at = AT(member), .mask = (bits), .low = 1, .high = UINT64_MAX
#define BELOW_BLOCK(member, bytes) \
	HAS(member, BLOCK / (bytes) - 1), .unit = (bytes)
#define IS_BIO RANGE(kind, IO_BIO, IO_PART)

/*
 * An op of IO_BIO or IO_PART in one test: kind and op are adjacent, and the two
 * kinds differ in one bit.
 */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KIND_OP(kind, op) ((uint64_t)(op) << 32 | (kind))
#else
#define KIND_OP(kind, op) ((uint64_t)(kind) << 32 | (op))
#endif
#define BIO_DOES(what)                                                 \
	.at = offsetof(struct io, kind),                               \
	.mask = ~KIND_OP(IO_BIO ^ IO_PART, 0),                         \
	.low = KIND_OP(IO_BIO & IO_PART, what),                        \
	.high = KIND_OP(IO_BIO & IO_PART, what)

_Static_assert(offsetof(struct io, op) == offsetof(struct io, kind) + 4 &&
	       SIZE(op) == 4, "one number has both");
_Static_assert(IO_BIO + IO_PART == 1, "they differ in one bit");

enum { QUESTIONS = 4, OP_WORDS = 8 };

/* mask 0 marks the end */
struct named {
	const char *name;
	struct question all[QUESTIONS];
};

static const struct named ops[OP_WORDS] = {
	{ "read", { { BIO_DOES(IO_READ) }, { RANGE(bytes, 1, UINT64_MAX) } } },
	{ "write", { { BIO_DOES(IO_WRITE) } } },
	{ "flush", { { IS(op, IO_FLUSH_OP) },
		     { IS(kind, IO_FLUSH), .or = true },
		     { IS(kind, IO_PASS), .not = true } } },
	{ "discard", { { BIO_DOES(IO_DISCARD) } } },
	{ "zero", { { BIO_DOES(IO_ZEROES) } } },
	{ "zone", { { RANGE(op, IO_APPEND, IO_CLOSE_ZONE) }, { IS_BIO } } },
	{ "passthrough", { { IS(kind, IO_PASS) } } },
	{ "other", { { BIO_DOES(IO_READ) }, { IS(bytes, 0) } } },
};

struct word {
	const char *name;
	enum expr_class class;
	struct question flag[QUESTIONS];
	enum expr_naming naming;
	/* of a number: whether it is known; its place and range; what is added
	 * to it there */
	struct question known, value;
	uint64_t bias;
	enum source source;
};

#define FLAG(word, ...) { word, EXPR_IS_FLAG, .flag = { __VA_ARGS__ } }
#define CATEGORY(word, c) FLAG(word, { HAS(categories, BLK_TC_BIT(c)) })
#define NAME(word, n) { word, EXPR_IS_NAME, .naming = (n) }
#define NUMBER(word, kind, member, first, last) \
	{ word, kind, .value = { RANGE(member, first, last) } }
#define PHASE(word, p)                                             \
	{ word, EXPR_IS_TIME, .known = { HAS(has, 1u << (p)) },    \
	  .value = { RANGE(phase[p], 0, UINT64_MAX) } }

static const struct word words[] = {
	FLAG("error", { HAS(error, UINT16_MAX) }),
	CATEGORY("sync", BLK_TC_SYNC),
	CATEGORY("meta", BLK_TC_META),
	CATEGORY("fua", BLK_TC_FUA),
	CATEGORY("readahead", BLK_TC_AHEAD),
	FLAG("open", { IS(ended, IO_ENDED_OPEN) }),
	FLAG("ghost", { IS(birth, 'Q'), .not = true }, { IS_BIO },
	     { IS(birth, 'X'), .not = true }),
	FLAG("gap", { RANGE(gap, 1, 1) }),
	FLAG("sure", { RANGE(sure, 1, 1) }),
	FLAG("requeued", { RANGE(requeues, 1, UINT32_MAX) }),
	FLAG("split", { IS(kind, IO_PART) }, { HAS(has, 1u << IO_Q2X),
					       .or = true }),
	FLAG("merged", { IS(merge, IO_NOT_MERGED), .not = true }),
	FLAG("misaligned", { BIO_DOES(IO_WRITE) }, { BELOW_BLOCK(sector, 512) },
	     { BELOW_BLOCK(bytes, 1), .or = true }),

	{ .name = "op", .class = EXPR_IS_OP },
	NAME("device", EXPR_DEVICE),
	NAME("process", EXPR_PROCESS),
	NAME("cgroup", EXPR_CGROUP),
	NAME("host", EXPR_HOST),

	NUMBER("pid", EXPR_IS_NUMBER, pid, 0, UINT32_MAX),
	NUMBER("cpu", EXPR_IS_NUMBER, cpu, 0, IO_NO_CPU - 1),
	NUMBER("sector", EXPR_IS_NUMBER, sector, 0, IO_NONE - 1),
	NUMBER("size", EXPR_IS_SIZE, bytes, 0, UINT64_MAX),
	NUMBER("depth", EXPR_IS_NUMBER, depth, 1, UINT32_MAX),
	{ "merges", EXPR_IS_NUMBER, .value = { RANGE(rq_ios, 1, UINT32_MAX) },
	  .bias = 1 },
	NUMBER("errno", EXPR_IS_NUMBER, error, 0, UINT16_MAX),

	{ "q2c", EXPR_IS_TIME, .known = { IS(birth, 'Q') },
	  .value = { RANGE(total, 0, IO_NONE - 1) } },
	PHASE("q2g", IO_Q2G),
	PHASE("q2m", IO_Q2M),
	PHASE("g2i", IO_G2I),
	PHASE("g2d", IO_G2D),
	PHASE("i2d", IO_I2D),
	PHASE("m2d", IO_M2D),
	PHASE("d2c", IO_D2C),
	NUMBER("total", EXPR_IS_TIME, total, 0, IO_NONE - 1),
	NUMBER("time", EXPR_IS_TIME, time, 0, IO_NONE - 1),
	{ "age", EXPR_IS_TIME, .value = { .mask = UINT64_MAX,
					  .high = IO_NONE - 1 },
	  .source = AGE },
};

enum { WORDS = sizeof(words) / sizeof(*words) };

_Static_assert(WORDS <= 64, "numbers of words are bits");

/* --- words --------------------------------------------------------------- */

/* The flag or field with a name of len bytes, or NULL. */
static const struct word *word_find(const char *name, size_t len)
{
	for (size_t i = 0; i < WORDS; i++)
		if (strlen(words[i].name) == len &&
		    !memcmp(words[i].name, name, len))
			return &words[i];
	return NULL;
}

/* Its number among all words, below 64. */
static unsigned int word_number(const struct word *w)
{
	return (unsigned int)(w - words);
}

/* --- questions ----------------------------------------------------------- */

static struct part ask(struct code *c, const struct question *q,
		       enum source source)
{
	struct part part = code_add(c, &(struct step){
		.mask = q->mask,
		.low = q->low,
		.span = q->high - q->low,
		.at = q->at,
		.source = (uint8_t)source,
		.block_unit = q->unit,
	});

	return q->not ? code_not(part) : part;
}

/* The first of all, and those joined to it by or. */
static struct part ask_any(struct code *c, const struct question *all,
			   int *count)
{
	struct part part = ask(c, all, RECORD), more;

	for (*count = 1; *count < QUESTIONS && all[*count].or; ++*count) {
		more = ask(c, &all[*count], RECORD);
		part = code_or(c, part, more);
	}
	return part;
}

static struct part ask_all(struct code *c, const struct question *all)
{
	int used, more;
	struct part part = ask_any(c, all, &used), next;

	for (; used < QUESTIONS && all[used].mask; used += more) {
		next = ask_any(c, all + used, &more);
		part = code_and(c, part, next);
	}
	return part;
}

static struct part word_flag(struct code *c, const struct word *w)
{
	return ask_all(c, w->flag);
}

/* The steps of all ops whose names fit the pattern; false: none. */
static bool word_op(struct code *c, const char *pattern, size_t len,
		    struct part *part)
{
	struct part more;
	bool any = false;

	for (size_t i = 0; i < OP_WORDS; i++) {
		if (!expr_pattern_fits(pattern, len, ops[i].name))
			continue;
		more = ask_all(c, ops[i].all);
		*part = any ? code_or(c, *part, more) : more;
		any = true;
	}
	return any;
}

/* --- comparisons --------------------------------------------------------- */

struct range {
	uint64_t low, high;	/* low above high: empty */
};

static const struct range nothing = { 1, 0 };

/* the values that compare so; of DIFFERS, those that do not */
static struct range range_of(enum compare how, uint64_t value)
{
	switch (how) {
	case BELOW:
		return value ? (struct range){ 0, value - 1 } : nothing;
	case AT_MOST:
		return (struct range){ 0, value };
	case ABOVE:
		return value < UINT64_MAX ?
			(struct range){ value + 1, UINT64_MAX } : nothing;
	case AT_LEAST:
		return (struct range){ value, UINT64_MAX };
	default:
		return (struct range){ value, value };
	}
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The range in the record, without values that stand for none. */
static struct range place(const struct word *w, struct range r)
{
	if (r.low > r.high)
		return nothing;
	r.low = add(r.low, w->bias);
	r.high = add(r.high, w->bias);
	if (r.low < w->value.low)
		r.low = w->value.low;
	if (r.high > w->value.high)
		r.high = w->value.high;
	return r;
}

static struct part ask_range(struct code *c, const struct word *w,
			     struct range r)
{
	struct question q = w->value;

	q.low = r.low;
	q.high = r.high;
	if (r.low > r.high) {	/* never: no bits are not 0 */
		q.mask = q.low = 0;
		q.high = UINT64_MAX;
		q.not = true;
	}
	return ask(c, &q, w->source);
}

/* whether a value in the record stands for none */
static bool may_lack(const struct word *w)
{
	return w->value.low || w->value.high < w->value.mask;
}

static struct part ask_value(struct code *c, const struct word *w,
			     enum compare how, uint64_t value)
{
	struct range r = place(w, range_of(how, value));
	struct part part, there;

	if (how != DIFFERS)
		return ask_range(c, w, r);
	if (!may_lack(w))
		return code_not(ask_range(c, w, r));
	there = ask(c, &w->value, w->source);
	part = code_not(ask_range(c, w, r));
	return code_and(c, there, part);
}

static struct part word_compare(struct code *c, const struct word *w,
				enum compare how, uint64_t value)
{
	struct part known, part;

	if (!w->known.mask)
		return ask_value(c, w, how, value);
	known = ask(c, &w->known, RECORD);
	part = ask_value(c, w, how, value);
	return code_and(c, known, part);
}

/* --- the parser, one pass from left to right ------------------------------ */

#define BLANKS " \t\r\n"

struct parser {
	const char *text, *at;	/* at: the next character */
	struct code *code;
	struct expr_matcher *matcher;
	uint64_t words;
	unsigned int brackets;	/* open ones */
	int error;		/* -EINVAL: why is set; -ENOMEM */
	struct expr_error *why;
};

/* All of these return false on error, and move at. */
static bool parse_any(struct parser *p, struct part *part);

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

static const struct word *parse_word(struct parser *p)
{
	size_t len = word_length(p->at);
	const struct word *w = word_find(p->at, len);

	if (!len)
		fail(p, p->at, "expected a field or flag");
	else if (!w)
		fail(p, p->at, "unknown field or flag");
	else
		p->words |= UINT64_C(1) << word_number(w);
	p->at += w ? len : 0;
	return w;
}

struct sign {
	const char *text;
	enum compare how;
};

/* the longer ones first */
static const struct sign signs[] = {
	{ "==", EQUAL },	{ "!=", DIFFERS },
	{ "<=", AT_MOST }, { ">=", AT_LEAST },
	{ "<", BELOW },	{ ">", ABOVE },
};

enum { SIGNS = sizeof(signs) / sizeof(*signs) };

static bool parse_sign(struct parser *p, enum compare *how)
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

static bool add_name(struct parser *p, const struct word *w, bool differs,
		     const char *name, size_t len, struct part *part)
{
	int64_t number;

	if (p->matcher->count >= EXPR_STEPS_MAX) {
		p->code->error = -E2BIG;
		return true;
	}
	number = expr_matcher_add(p->matcher, w->naming, differs,
				  name, len);
	if (number < 0) {
		p->error = (int)number;
		return false;
	}
	*part = code_add(p->code, &(struct step){
		.mask = UINT64_MAX,
		.low = 1,
		.at = (uint16_t)number,
		.source = NAME_TEST,
	});
	return true;
}

static bool parse_name_test(struct parser *p, const struct word *w,
			    enum compare how, struct part *part)
{
	bool differs = how == DIFFERS;
	const char *name;
	size_t len;

	if (!parse_name(p, &name, &len))
		return false;
	if (w->class == EXPR_IS_NAME)
		return add_name(p, w, differs, name, len, part);
	if (!word_op(p->code, name, len, part))
		return fail(p, name, "op is read write flush discard zero zone "
			    "passthrough or other");
	if (differs)
		*part = code_not(*part);
	return true;
}

static bool parse_number_test(struct parser *p, const struct word *w,
			      enum compare how, struct part *part)
{
	const char *end;
	uint64_t value = 0;

	skip_blanks(p);
	end = expr_value_read(p->at, w->class, &value, p->why);
	if (!end)
		return fail(p, p->at + p->why->at, p->why->phrase);
	p->at = end;
	*part = word_compare(p->code, w, how, value);
	return true;
}

static bool parse_flag(struct parser *p, const struct word *w,
		       struct part *part)
{
	skip_blanks(p);
	if (*p->at && strchr("=<>", *p->at))
		return fail(p, p->at, "a flag has no value");
	if (*p->at == '!' && p->at[1] == '=')
		return fail(p, p->at, "a flag has no value");
	*part = word_flag(p->code, w);
	return true;
}

static bool parse_compare(struct parser *p, const struct word *w,
			  struct part *part)
{
	const char *sign;
	enum compare how;

	skip_blanks(p);
	sign = p->at;
	if (!parse_sign(p, &how))
		return false;
	if (w->class > EXPR_IS_NAME)
		return parse_number_test(p, w, how, part);
	if (how != EQUAL && how != DIFFERS)
		return fail(p, sign, "names are compared by == and != only");
	return parse_name_test(p, w, how, part);
}

static bool parse_test(struct parser *p, struct part *part)
{
	const char *start = p->at;
	const struct word *w = parse_word(p);

	if (!w)
		return false;
	if (!(w->class == EXPR_IS_FLAG ? parse_flag(p, w, part) :
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

static bool parse_brackets(struct parser *p, struct part *part)
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

static bool parse_not(struct parser *p, struct part *part)
{
	bool not = false;

	while (take(p, "!"))
		not = !not;
	if (!(take(p, "(") ? parse_brackets(p, part) : parse_test(p, part)))
		return false;
	if (not)
		*part = code_not(*part);
	return true;
}

static bool parse_all(struct parser *p, struct part *part)
{
	struct part right;

	if (!parse_not(p, part))
		return false;
	while (take(p, "&&")) {
		if (!parse_not(p, &right))
			return false;
		*part = code_and(p->code, *part, right);
	}
	return true;
}

static bool parse_any(struct parser *p, struct part *part)
{
	struct part right;

	if (!parse_all(p, part))
		return false;
	while (take(p, "||")) {
		if (!parse_all(p, &right))
			return false;
		*part = code_or(p->code, *part, right);
	}
	return true;
}

/* code and *matcher are all zeros before; *words: bits of the words used.  0;
 * -EINVAL and *why; or -ENOMEM. */
static int parse(const char *text, struct code *code,
		 struct expr_matcher *matcher, uint64_t *used,
		 struct expr_error *why)
{
	struct parser p = { .text = text, .at = text, .code = code,
			    .matcher = matcher, .why = why };
	struct part whole;

	if (!parse_any(&p, &whole))
		return p.error;
	skip_blanks(&p);
	if (*p.at) {
		fail(&p, p.at, *p.at == ')' ? "unexpected )" :
		     unexpected(*p.at, "expected && or ||"));
		return p.error;
	}
	*used = p.words;
	return code_finish(code, whole);
}

/* --- evaluation ----------------------------------------------------------- */

struct expr {
	struct code code;
	const struct step *end;	/* no; the next: yes */
	struct expr_matcher matcher;
	struct expr_names names;
	uint64_t words;		/* bits of the words used */
	bool plain;		/* needs only the record */
};

static inline const struct step *leave(const struct step *s, uint64_t number)
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
	const struct step *s = e->code.steps;

	do {
		if (s->source == RECORD)
			s = leave(s, record_number(io, s->at));
		else if (s->source == NAME_TEST)
			s = leave(s, expr_matcher_test(&e->matcher, &e->names,
						       s->at, io));
		else
			s = leave(s, age(io, now));
	} while (s < e->end);
	return s > e->end;
}

bool expr_matches(struct expr *e, const struct io *io, uint64_t now)
{
	const struct step *s = e->code.steps, *end = e->end;

	if (!e->plain)
		return matches_any(e, io, now);
	do {
		s = leave(s, record_number(io, s->at));
	} while (s < end);
	return s > end;
}

/* --- life ---------------------------------------------------------------- */

static bool is_plain(const struct code *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->steps[i].source != RECORD)
			return false;
	return true;
}

int expr_compile(struct expr **e, const char *text, struct expr_error *why)
{
	struct expr *made = calloc(1, sizeof(*made));
	int err;

	if (!made)
		return -ENOMEM;
	err = parse(text, &made->code, &made->matcher, &made->words, why);
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
	struct step *s = e->code.steps;

	for (uint32_t i = 0; i < e->code.count; i++)
		if (s[i].block_unit)
			s[i].mask = bytes / s[i].block_unit - 1;
}

bool expr_uses(const struct expr *e, const char *word)
{
	const struct word *w = word_find(word, strlen(word));

	return w && e->words >> word_number(w) & 1;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	code_free(&e->code);
	expr_matcher_free(&e->matcher);
	free(e);
}
