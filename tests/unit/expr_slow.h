/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A slow evaluator of expressions, which goes through the text for each io and
 * knows nothing of steps, and the names that it compares.
 */
#ifndef TESTS_UNIT_EXPR_SLOW_H
#define TESTS_UNIT_EXPR_SLOW_H

#include <fnmatch.h>

#include "expr/matcher.h"
#include "make.h"
#include "request/io.h"

/* --- names --------------------------------------------------------------- */

struct asked {
	unsigned int times;
	bool unknown;
	char text[32];
};

static inline const char *some_name(struct asked *a, char what, uint64_t id)
{
	a->times++;
	if (a->unknown || id % 5 == 4)
		return NULL;
	snprintf(a->text, sizeof(a->text), "%c%u/%u", what,
		 (unsigned int)(id % 3), (unsigned int)(id % 7));
	return a->text;
}

static inline const char *device_name(void *ctx, const struct io *io)
{
	return some_name(ctx, 's', io->device);
}

static inline const char *process_name(void *ctx, const struct io *io)
{
	return some_name(ctx, 'p', io->pid + 2 * io->origin);
}

static inline const char *cgroup_name(void *ctx, const struct io *io)
{
	return some_name(ctx, 'c', io->cgroup);
}

static inline const char *host_name(void *ctx, const struct io *io)
{
	return some_name(ctx, 'h', io->origin);
}

static inline struct expr_names names_of(struct asked *a)
{
	return (struct expr_names){ a, device_name, process_name, cgroup_name,
				    host_name };
}

/* --- the slow evaluator -------------------------------------------------- */

struct slow {
	const char *at;
	const struct io *io;
	uint64_t now;
	struct asked *names;
};

static inline bool slow_any(struct slow *s);

static inline bool next_is(struct slow *s, const char *sign)
{
	while (*s->at == ' ')
		s->at++;
	if (strncmp(s->at, sign, strlen(sign)))
		return false;
	s->at += strlen(sign);
	return true;
}

/* the word, or value, at the front */
static void slow_word(struct slow *s, char word[64])
{
	size_t n = 0;

	next_is(s, "");
	for (; *s->at && !strchr(" ()!&|<>=", *s->at); s->at++)
		if (*s->at != '"')
			word[n++] = *s->at;
	word[n] = '\0';
}

static inline const char *slow_op(const struct io *io)
{
	static const char *const ops[IO_OPS] = {
		"read", "write", "discard", "zero", "flush", "zone", "zone",
		"zone", "zone", "zone", "zone"
	};

	if (io->kind == IO_PASS)
		return "passthrough";
	if (io->kind == IO_FLUSH)
		return "flush";
	if (io->op == IO_READ && !io->bytes)
		return "other";
	return ops[io->op];
}

/* whether the word is a flag; *yes: whether it is set */
static inline bool slow_flag(const struct io *io, const char *word, bool *yes)
{
	bool bio = io->kind == IO_BIO || io->kind == IO_PART;
	struct {
		const char *word;
		bool yes;
	} flags[] = {
		{ "error", io->error != 0 },
		{ "sync", io->categories & CAT(SYNC) },
		{ "meta", io->categories & CAT(META) },
		{ "fua", io->categories & CAT(FUA) },
		{ "readahead", io->categories & CAT(AHEAD) },
		{ "open", io->ended == IO_ENDED_OPEN },
		{ "ghost", bio && io->birth != 'Q' && io->birth != 'X' },
		{ "gap", io->gap },
		{ "sure", io->sure },
		{ "requeued", io->requeues != 0 },
		{ "split", io->kind == IO_PART || io->has & 1 << IO_Q2X },
		{ "merged", io->merge != IO_NOT_MERGED },
		{ "misaligned", bio && io->op == IO_WRITE &&
		  (io->sector * 512 % 4096 || io->bytes % 4096) },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (!strcmp(flags[i].word, word))
			return *yes = flags[i].yes, true;
	return false;
}

static inline uint64_t slow_phase(const struct io *io, const char *word)
{
	for (int p = 0; p < IO_PHASES; p++)
		if (!strcmp(io_phase_name((enum io_phase)p), word))
			return io->has & 1u << p ? io->phase[p] : IO_NONE;
	fail_msg("%s", word);
	return 0;
}

/* IO_NONE: it is not known */
static inline uint64_t slow_number(const struct slow *s, const char *word)
{
	const struct io *io = s->io;

	if (!strcmp(word, "pid"))
		return io->pid;
	if (!strcmp(word, "cpu"))
		return io->cpu == IO_NO_CPU ? IO_NONE : io->cpu;
	if (!strcmp(word, "sector"))
		return io->sector;
	if (!strcmp(word, "size"))
		return io->bytes;
	if (!strcmp(word, "depth"))
		return io->depth ? io->depth : IO_NONE;
	if (!strcmp(word, "merges"))
		return io->rq_ios ? io->rq_ios - 1 : IO_NONE;
	if (!strcmp(word, "errno"))
		return io->error;
	if (!strcmp(word, "q2c"))
		return io->birth == 'Q' ? io->total : IO_NONE;
	if (!strcmp(word, "total"))
		return io->total;
	if (!strcmp(word, "time"))
		return io->time;
	if (strcmp(word, "age"))
		return slow_phase(io, word);
	if (io->ended != IO_ENDED_OPEN)
		return io->total;
	return s->now == IO_NONE ? IO_NONE :
		s->now < io->time ? 0 : s->now - io->time;
}

static inline const char *slow_name(const struct slow *s, const char *word)
{
	switch (*word) {
	case 'o':
		return slow_op(s->io);
	case 'd':
		return device_name(s->names, s->io);
	case 'p':
		return process_name(s->names, s->io);
	case 'c':
		return cgroup_name(s->names, s->io);
	default:
		return host_name(s->names, s->io);
	}
}

static inline uint64_t slow_value(const char *text)
{
	static const struct {
		const char *unit;
		uint64_t is;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 }, { "m", 60000000000 }, { "B", 1 },
		{ "K", 1024 }, { "KiB", 1024 }, { "M", 1048576 },
		{ "MiB", 1048576 }, { "G", 1073741824 }, { "GiB", 1073741824 },
		{ "sectors", 512 },
	};
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i].unit, end))
			return n * units[i].is;
	fail_msg("%s", text);
	return 0;
}

static inline bool slow_holds(const char *sign, int order)
{
	return !strcmp(sign, "==") ? order == 0 :
	       !strcmp(sign, "!=") ? order != 0 :
	       !strcmp(sign, "<=") ? order <= 0 :
	       !strcmp(sign, ">=") ? order >= 0 :
	       *sign == '<'	   ? order < 0 :
				     order > 0;
}

static inline bool slow_compare(struct slow *s, const char *word)
{
	static const char *const signs[] = { "==", "!=", "<=", ">=", "<", ">" };
	static const char *const named = "op device process cgroup host";
	const char *sign = NULL, *name;
	char value[64];
	uint64_t n, to;

	for (size_t i = 0; !sign; i++)
		if (next_is(s, signs[i]))
			sign = signs[i];
	slow_word(s, value);
	if (strstr(named, word)) {
		name = slow_name(s, word);
		return name && slow_holds(sign, fnmatch(value, name, 0));
	}
	n = slow_number(s, word);
	to = slow_value(value);
	return n != IO_NONE && slow_holds(sign, n < to ? -1 : n > to);
}

static inline bool slow_not(struct slow *s)
{
	char word[64];
	bool yes;

	if (next_is(s, "!"))
		return !slow_not(s);
	if (next_is(s, "(")) {
		yes = slow_any(s);
		assert_true(next_is(s, ")"));
		return yes;
	}
	slow_word(s, word);
	return slow_flag(s->io, word, &yes) ? yes : slow_compare(s, word);
}

static inline bool slow_all(struct slow *s)
{
	bool yes = slow_not(s);

	while (next_is(s, "&&"))
		yes = slow_not(s) && yes;
	return yes;
}

static inline bool slow_any(struct slow *s)
{
	bool yes = slow_all(s);

	while (next_is(s, "||"))
		yes = slow_all(s) || yes;
	return yes;
}

#endif
