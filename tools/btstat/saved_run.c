/* SPDX-License-Identifier: GPL-2.0-only */
/* A save file as a run; see saved_run.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "request/io.h"
#include "stat/group_op.h"
#include "stat/saved.h"
#include "tools/btstat/saved_run.h"

/* of an operation and an interval */
struct part {
	uint64_t at;
	enum io_op op;
	const struct histogram *h;
};

struct parts {
	struct part *list;	/* in order of time */
	size_t count;
	bool single;		/* one slice: some are of no interval */
	uint64_t from, to;	/* of the traces */
	uint64_t width;		/* of an interval; 0: only one */
};

static bool op_of(const char *name, enum io_op *op)
{
	static const struct {
		enum group_op group;
		enum io_op op;
	} ops[] = {
		{ GROUP_READ, IO_READ }, { GROUP_WRITE, IO_WRITE },
		{ GROUP_FLUSH, IO_FLUSH_OP }, { GROUP_DISCARD, IO_DISCARD },
		{ GROUP_ZERO, IO_ZEROES },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (!strcmp(name, group_op_name(ops[i].group))) {
			*op = ops[i].op;
			return true;
		}
	return false;
}

uint64_t saved_run_left_out(struct saved *set, const char *phase)
{
	uint64_t count = 0;

	for (size_t i = 0; i < saved_histograms(set); i++) {
		struct saved_key key;
		const struct histogram *h = saved_histogram(set, i, &key);
		enum io_op op;

		if (!strcmp(key.phase, phase) && !op_of(key.op, &op))
			count += h->count;
	}
	return count;
}

/* --- time ----------------------------------------------------------------- */

static void find_span(struct saved *set, struct parts *p)
{
	p->from = UINT64_MAX;
	for (size_t i = 0; i < saved_traces(set); i++) {
		const struct saved_trace *t = saved_trace(set, i);

		p->from = t->from < p->from ? t->from : p->from;
		p->to = t->to > p->to ? t->to : p->to;
	}
	/* the file names no trace */
	if (p->from > p->to)
		p->from = p->to;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *two = b;

	if (one->at != two->at)
		return one->at < two->at ? -1 : 1;
	return (one->op > two->op) - (one->op < two->op);
}

static void find_width(struct parts *p)
{
	qsort(p->list, p->count, sizeof(*p->list), compare_parts);
	for (size_t i = 1; i < p->count; i++)
		p->width = divisor(p->list[i].at - p->list[0].at, p->width);
}

/* the last interval ends with the trace */
static uint64_t end_of(const struct parts *p, const struct part *part)
{
	uint64_t end;

	if (!p->width ||
	    __builtin_add_overflow(part->at, p->width, &end) ||
	    (end > p->to && p->to > part->at))
		end = p->to;
	return end;
}

/* --- histograms ----------------------------------------------------------- */

static int find_parts(struct saved *set, const char *phase, struct parts *p)
{
	size_t count = saved_histograms(set);

	p->list = calloc(count + 1, sizeof(*p->list));
	if (!p->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct part *part = &p->list[p->count];
		struct saved_key key;

		part->h = saved_histogram(set, i, &key);
		part->at = key.at;
		if (strcmp(key.phase, phase) || !op_of(key.op, &part->op))
			continue;
		p->single |= key.at == SAVED_ALWAYS;
		p->count++;
	}
	find_span(set, p);
	find_width(p);
	return 0;
}

int saved_run_add(struct saved *set, const char *phase, struct comparison *c,
		  enum compare_side side, unsigned int run)
{
	struct parts p = { .count = 0 };
	int err = find_parts(set, phase, &p);

	for (size_t i = 0; !err && i < p.count; i++) {
		const struct part *part = &p.list[i];

		err = comparison_histogram(c, side, run, part->op,
					   p.single ? p.from : part->at,
					   p.single ? p.to : end_of(&p, part),
					   part->h);
	}
	free(p.list);
	return err;
}
