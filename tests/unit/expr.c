/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions, beside a slow evaluator: random ones, asked of random ios. */
#include "expr/error.h"
#include "expr/expr.h"
#include "expr_slow.h"
#include "make.h"
#include "request/io.h"
#include "rounds.h"

/* --- random expressions -------------------------------------------------- */

struct text {
	uint64_t seed;
	size_t len;
	char text[8192];
};

static void put(struct text *t, const char *more)
{
	size_t len = strlen(more);

	assert_true(t->len + len < sizeof(t->text));
	memcpy(t->text + t->len, more, len + 1);
	t->len += len;
	if (chance(&t->seed) % 4 == 0) {
		t->text[t->len++] = ' ';
		t->text[t->len] = '\0';
	}
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__ })
#define PICK(t, ...)                                             \
	(LIST(__VA_ARGS__)[chance(&(t)->seed) %                  \
			   (sizeof(LIST(__VA_ARGS__)) / sizeof(char *))])

#define SIGNS "==", "!=", "<", "<=", ">", ">="

static void put_number(struct text *t)
{
	put(t, PICK(t, "pid", "cpu", "sector", "depth", "merges", "errno"));
	put(t, PICK(t, SIGNS));
	put(t, PICK(t, "0", "1", "2", "3", "4", "5", "7", "8", "4294967294",
		    "4294967295", "18446744073709551615"));
}

static void put_size(struct text *t)
{
	put(t, "size");
	put(t, PICK(t, SIGNS));
	put(t, PICK(t, "0", "1", "8sectors", "4096", "4K", "4KiB", "5B", "1M",
		    "1MiB", "1G", "0GiB", "18446744073709551615"));
}

static void put_time(struct text *t)
{
	put(t, PICK(t, "q2c", "q2g", "q2m", "g2i", "g2d", "i2d", "m2d", "d2c",
		    "total", "time", "age"));
	put(t, PICK(t, SIGNS));
	put(t, PICK(t, "0ns", "1ns", "2ns", "3us", "3000ns", "5ms", "1s",
		    "1m", "18446744073709551615ns"));
}

static void put_name(struct text *t)
{
	put(t, PICK(t, "device", "process", "cgroup", "host"));
	put(t, PICK(t, "==", "!="));
	put(t, PICK(t, "*", "p0/0", "?1*", "*/1", "\"s1/1\"", "p*", "c?/?",
		    "*1*", "h1/1", "\"\"", "**2", "p?/?"));
}

static void put_op(struct text *t)
{
	put(t, "op");
	put(t, PICK(t, "==", "!="));
	put(t, PICK(t, "read", "write", "flush", "discard", "zero", "zone",
		    "passthrough", "other", "*", "z*", "*r*", "?????"));
}

static void put_flag(struct text *t)
{
	put(t, PICK(t, "error", "sync", "meta", "fua", "readahead", "open",
		    "ghost", "gap", "sure", "requeued", "split", "merged",
		    "misaligned"));
}

static void put_test(struct text *t)
{
	void (*const kinds[])(struct text *) = {
		put_number, put_size, put_time, put_time, put_name, put_op,
		put_flag, put_flag
	};

	kinds[chance(&t->seed) % 8](t);
}

static void put_any(struct text *t, int depth)
{
	do {
		while (chance(&t->seed) % 4 == 0)
			put(t, "!");
		if (depth && chance(&t->seed) % 3 == 0) {
			put(t, "(");
			put_any(t, depth - 1);
			put(t, ")");
		} else {
			put_test(t);
		}
		if (chance(&t->seed) % 5 < 3)
			return;
		put(t, PICK(t, "&&", "||"));
	} while (true);
}

/* --- random ios ---------------------------------------------------------- */

static uint64_t some_time(uint64_t *seed)
{
	const uint64_t times[] = { 0, 1, 2, 3, 2999, 3000, 3001, 5000000,
				   1000000000, 60000000000, IO_NONE,
				   IO_NONE - 1 };

	return times[chance(seed) % 12];
}

static uint32_t some_number(uint64_t *seed)
{
	const uint32_t numbers[] = { 0, 0, 1, 2, 3, 4, 5, 8, UINT32_MAX,
				     UINT32_MAX - 1 };

	return numbers[chance(seed) % 10];
}

static struct io some_io(uint64_t *seed)
{
	const uint64_t sizes[] = { 0, 0, 1, 5, 4096, 4095, 4097, 1 << 20,
				   1 << 30, IO_NONE - 1 };
	struct io io = {
		.kind = chance(seed) % 3 ? IO_BIO : chance(seed) % IO_KINDS,
		.op = chance(seed) % IO_OPS,
		.merge = chance(seed) % IO_MERGES,
		.ended = chance(seed) % IO_ENDINGS,
		.age = IO_NONE,
		.birth = "QQQXAGMFIDC"[chance(seed) % 11],
		.gap = chance(seed) % 2,
		.origin = (uint16_t)(chance(seed) % 3),
		.device = chance(seed) % 8,
		.sector = some_time(seed),
		.bytes = sizes[chance(seed) % 10],
		.categories = 1u << chance(seed) % 32 | 1u << chance(seed) % 32,
		.pid = some_number(seed),
		.cpu = some_number(seed),
		.cgroup = chance(seed) % 8,
		.error = chance(seed) % 2 ? 5 : 0,
		.time = some_time(seed),
		.total = some_time(seed),
		.has = chance(seed) % (1u << IO_PHASES),
		.requeues = some_number(seed),
		.rq_ios = some_number(seed),
		.depth = some_number(seed),
	};

	for (int p = 0; p < IO_PHASES; p++)
		if (io.has & 1u << p)
			io.phase[p] = some_time(seed) % IO_NONE;
	return io;
}

/* --- tests --------------------------------------------------------------- */

static struct expr *compiled(const char *text)
{
	struct expr_error why = { 0, "" };
	struct expr *e = NULL;

	if (expr_compile(&e, text, &why))
		fail_msg("%s: %s at %zu", text, why.phrase, why.at);
	return e;
}

/* The same twice: from names that are asked for, and that are kept. */
static unsigned int check_one(struct text *t, struct io *ios, unsigned int n)
{
	struct asked a = { 0 };
	struct expr_names names = names_of(&a);
	struct expr *e = compiled(t->text);
	unsigned int yes = 0;

	expr_set_names(e, &names);
	for (unsigned int i = 0; i < 2 * n; i++) {
		struct slow s = { t->text, &ios[i % n], some_time(&t->seed),
				  &a };
		bool fast = expr_matches(e, &ios[i % n], s.now);

		if (slow_any(&s) != fast)
			fail_msg("%s: io %u: %d", t->text, i, fast);
		yes += fast;
	}
	expr_free(e);
	return yes;
}

static void test_truth(void **state)
{
	enum { IOS = 4 };
	const int count = rounds(100000);
	struct text t = { .seed = 1 };
	unsigned int yes = 0;

	(void)state;
	for (int i = 0; i < count; i++) {
		struct io ios[IOS];

		for (int k = 0; k < IOS; k++)
			ios[k] = some_io(&t.seed);
		t.len = 0;
		put_any(&t, 3);
		yes += check_one(&t, ios, IOS);
	}
	/* neither side has the upper hand */
	assert_in_range(yes, count * IOS * 2 / 5, count * IOS * 8 / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
