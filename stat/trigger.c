/* SPDX-License-Identifier: GPL-2.0-only */
/* A rule that becomes true while ios come and go; see trigger.h. */
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
#include "expr/expr.h"
#include "stat/measure.h"
#include "stat/trigger.h"
#include "stat/trigger_parse.h"

/* --- moving --------------------------------------------------------------- */

/*
 * Numbers of the last while: of ten parts of it the oldest is forgotten when a
 * new one begins.
 */

enum { MOVING_PARTS = 10 };

struct moving {
	uint64_t step;		/* ns, a tenth of the while */
	uint64_t begin;		/* ns, where the newest part begins; 0: it has
				 * not begun */
	unsigned int newest;
	struct histogram parts[MOVING_PARTS];
	struct histogram all;	/* of the while that ended with the last step */
};

/* zeroed before; over: ns, at least 10 */
static void moving_init(struct moving *m, uint64_t over)
{
	m->step = over / MOVING_PARTS;
}

/* adds a number; 0, -ENOMEM or -EOVERFLOW */
static int moving_add(struct moving *m, uint64_t value)
{
	return histogram_add(&m->parts[m->newest], value);
}

/* What cannot be added for want of memory is missing until it would go. */
static void sum_up(struct moving *m)
{
	histogram_free(&m->all);
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		if (m->parts[i].count)
			histogram_merge(&m->all, &m->parts[i]);
}

/* After a long silence nothing is left of what was before it. */
static void forget_all(struct moving *m, uint64_t now)
{
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		histogram_free(&m->parts[i]);
	m->begin = now - m->step;
}

/*
 * It is that late; whether a step has been made, and all is new.  Call until it
 * returns false.
 */
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
	ENOUGH = 5,		/* ios above a percentile, or of a mean */
	FIRED_MAX = 1 << 16,	/* open ios that are remembered */
};

struct trigger {
	char *text;
	struct trigger_rule rule;
	bool wants_open, wants_error;
	struct moving last;	/* of a statistic */
	bool was_true;
	struct hash fired;	/* ids of open ios that made it true */
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

/* What has been exceeded, if there is enough of it; *value is that. */
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

/* The number of an io that the statistic is of; false: it has none. */
static bool number_of(const struct trigger_rule *r, const struct io *io,
		      uint64_t *number)
{
	*number = 0;
	if (r->kind == TRIGGER_DEPTH)
		return io_leads(io) && measure_get(io, IO_D2C, number);
	return r->measure < 0 ||
	       measure_get(io, (unsigned int)r->measure, number);
}

/* What has no memory is not counted. */
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

/* --- ios ------------------------------------------------------------------ */

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
