/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares names in expressions; see matcher.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "expr/matcher.h"

enum { FIRST_PATTERNS = 4 };

/* The text after its first UTF-8 character. */
static const char *next_character(const char *text)
{
	for (text++; ((unsigned char)*text & 0xc0) == 0x80; text++)
		;
	return text;
}

bool expr_pattern_fits(const char *pattern, size_t len, const char *text)
{
	const char *p = pattern, *end = pattern + len;
	const char *star = NULL, *resume = text;

	while (*text) {
		if (p < end && *p == '*') {
			star = ++p;
			resume = text;
		} else if (p < end && *p == '?') {
			p++;
			text = next_character(text);
		} else if (p < end && *p == *text) {
			p++;
			text++;
		} else if (star) {	/* it takes one more byte */
			p = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (p < end && *p == '*')
		p++;
	return p == end;
}

static const char *name_of(const struct expr_names *n, enum expr_naming naming,
			   const struct io *io)
{
	const char *(*const functions[EXPR_NAMINGS])(void *,
						     const struct io *) = {
		[EXPR_DEVICE] = n->device,
		[EXPR_PROCESS] = n->process,
		[EXPR_CGROUP] = n->cgroup,
		[EXPR_HOST] = n->host,
	};

	return functions[naming] ? functions[naming](n->ctx, io) : NULL;
}

static int reserve(struct expr_matcher *m)
{
	struct expr_pattern *more;

	if (!m->answers) {
		m->answers = calloc(EXPR_ANSWERS, sizeof(*m->answers));
		m->seed = hash_seed();
	}
	if (!m->answers)
		return -ENOMEM;
	more = array_reserve(m->patterns, m->count, &m->size, FIRST_PATTERNS,
			     sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->patterns = more;
	return 0;
}

int64_t expr_matcher_add(struct expr_matcher *m, enum expr_naming naming,
			 bool differs, const char *text, size_t len)
{
	char *copy;

	if (reserve(m))
		return -ENOMEM;
	copy = strndup(text, len);
	if (!copy)
		return -ENOMEM;
	m->patterns[m->count] = (struct expr_pattern){ copy, naming, differs };
	return m->count++;
}

/* An unknown name may become known, and is not cached. */
bool expr_matcher_ask(const struct expr_matcher *m,
		      const struct expr_names *names, const struct io *io,
		      const struct expr_answer *wanted,
		      struct expr_answer *kept)
{
	const struct expr_pattern *p = &m->patterns[wanted->test - 1];
	const char *name = name_of(names, p->naming, io);

	if (!name)
		return false;
	*kept = *wanted;
	kept->holds = expr_pattern_fits(p->text, strlen(p->text), name) !=
		p->differs;
	return kept->holds;
}

void expr_matcher_forget(struct expr_matcher *m)
{
	if (m->answers)
		memset(m->answers, 0, EXPR_ANSWERS * sizeof(*m->answers));
}

void expr_matcher_free(struct expr_matcher *m)
{
	for (uint32_t i = 0; i < m->count; i++)
		free(m->patterns[i].text);
	free(m->patterns);
	free(m->answers);
	*m = (struct expr_matcher){ 0 };
}
