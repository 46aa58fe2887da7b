/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of expressions; see fields.h. */
#include <string.h>

#include "blktrace.h"
#include "expr/fields.h"
#include "expr/matcher.h"
#include "request/io.h"

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
	HAS(member, EXPR_BLOCK / (bytes) - 1), .unit = (bytes)
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

struct expr_word {
	const char *name;
	enum expr_class class;
	struct question flag[QUESTIONS];
	enum expr_naming naming;
	/* of a number: whether it is known; its place and range; what is added
	 * to it there */
	struct question known, value;
	uint64_t bias;
	enum expr_source source;
};

#define FLAG(word, ...) { word, EXPR_IS_FLAG, .flag = { __VA_ARGS__ } }
#define CATEGORY(word, c) FLAG(word, { HAS(categories, BLK_TC_BIT(c)) })
#define NAME(word, n) { word, EXPR_IS_NAME, .naming = (n) }
#define NUMBER(word, kind, member, first, last) \
	{ word, kind, .value = { RANGE(member, first, last) } }
#define PHASE(word, p)                                             \
	{ word, EXPR_IS_TIME, .known = { HAS(has, 1u << (p)) },    \
	  .value = { RANGE(phase[p], 0, UINT64_MAX) } }

static const struct expr_word words[] = {
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
	  .source = EXPR_AGE },
};

enum { WORDS = sizeof(words) / sizeof(*words) };

_Static_assert(WORDS <= 64, "numbers of words are bits");

/* --- words --------------------------------------------------------------- */

const struct expr_word *expr_word_find(const char *name, size_t len)
{
	for (size_t i = 0; i < WORDS; i++)
		if (strlen(words[i].name) == len &&
		    !memcmp(words[i].name, name, len))
			return &words[i];
	return NULL;
}

enum expr_class expr_word_class(const struct expr_word *w)
{
	return w->class;
}

int expr_word_naming(const struct expr_word *w)
{
	return (int)w->naming;
}

unsigned int expr_word_number(const struct expr_word *w)
{
	return (unsigned int)(w - words);
}

/* --- questions ----------------------------------------------------------- */

static struct expr_part ask(struct expr_code *c, const struct question *q,
			    enum expr_source source)
{
	struct expr_part part = expr_code_add(c, &(struct expr_step){
		.mask = q->mask,
		.low = q->low,
		.span = q->high - q->low,
		.at = q->at,
		.source = (uint8_t)source,
		.block_unit = q->unit,
	});

	return q->not ? expr_code_not(part) : part;
}

/* The first of all, and those joined to it by or. */
static struct expr_part ask_any(struct expr_code *c, const struct question *all,
				int *count)
{
	struct expr_part part = ask(c, all, EXPR_RECORD), more;

	for (*count = 1; *count < QUESTIONS && all[*count].or; ++*count) {
		more = ask(c, &all[*count], EXPR_RECORD);
		part = expr_code_or(c, part, more);
	}
	return part;
}

static struct expr_part ask_all(struct expr_code *c, const struct question *all)
{
	int used, more;
	struct expr_part part = ask_any(c, all, &used), next;

	for (; used < QUESTIONS && all[used].mask; used += more) {
		next = ask_any(c, all + used, &more);
		part = expr_code_and(c, part, next);
	}
	return part;
}

struct expr_part expr_word_flag(struct expr_code *c, const struct expr_word *w)
{
	return ask_all(c, w->flag);
}

bool expr_word_op(struct expr_code *c, const char *pattern, size_t len,
		  struct expr_part *part)
{
	struct expr_part more;
	bool any = false;

	for (size_t i = 0; i < OP_WORDS; i++) {
		if (!expr_pattern_fits(pattern, len, ops[i].name))
			continue;
		more = ask_all(c, ops[i].all);
		*part = any ? expr_code_or(c, *part, more) : more;
		any = true;
	}
	return any;
}

/* --- comparisons --------------------------------------------------------- */

struct range {
	uint64_t low, high;	/* low above high: empty */
};

static const struct range nothing = { 1, 0 };

/* the values that compare so; of EXPR_DIFFERS, those that do not */
static struct range range_of(enum expr_compare how, uint64_t value)
{
	switch (how) {
	case EXPR_BELOW:
		return value ? (struct range){ 0, value - 1 } : nothing;
	case EXPR_AT_MOST:
		return (struct range){ 0, value };
	case EXPR_ABOVE:
		return value < UINT64_MAX ?
			(struct range){ value + 1, UINT64_MAX } : nothing;
	case EXPR_AT_LEAST:
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
static struct range place(const struct expr_word *w, struct range r)
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

static struct expr_part ask_range(struct expr_code *c,
				  const struct expr_word *w, struct range r)
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
static bool may_lack(const struct expr_word *w)
{
	return w->value.low || w->value.high < w->value.mask;
}

static struct expr_part ask_value(struct expr_code *c,
				  const struct expr_word *w,
				  enum expr_compare how, uint64_t value)
{
	struct range r = place(w, range_of(how, value));
	struct expr_part part, there;

	if (how != EXPR_DIFFERS)
		return ask_range(c, w, r);
	if (!may_lack(w))
		return expr_code_not(ask_range(c, w, r));
	there = ask(c, &w->value, w->source);
	part = expr_code_not(ask_range(c, w, r));
	return expr_code_and(c, there, part);
}

struct expr_part expr_word_compare(struct expr_code *c,
				   const struct expr_word *w,
				   enum expr_compare how, uint64_t value)
{
	struct expr_part known, part;

	if (!w->known.mask)
		return ask_value(c, w, how, value);
	known = ask(c, &w->known, EXPR_RECORD);
	part = ask_value(c, w, how, value);
	return expr_code_and(c, known, part);
}
