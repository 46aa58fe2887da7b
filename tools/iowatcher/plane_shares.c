/* SPDX-License-Identifier: GPL-2.0-only */
/* Who has a part in Device IO; see plane_shares.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"
#include "tools/iowatcher/colors.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/plane_shares.h"
#include "tools/iowatcher/traced.h"

/* so many are told apart at most: of callers as many as there are colours */
enum { SHOWN_MAX = 48 };

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

/* --- what there is -------------------------------------------------------- */

/* directions of names, else directions */
static size_t classes_of(const struct watch_options *o, const struct traced *t)
{
	return RATE_CLASSES * (o->per_process ? t->callers.name_count : 1);
}

/* the class of a raster by name in place of pid */
static unsigned int named_class(const struct watch_options *o,
				const struct traced *t, unsigned int class)
{
	unsigned int nr = class / RATE_CLASSES;

	if (!o->per_process)
		return class;
	return t->callers.list[nr].name * RATE_CLASSES + class % RATE_CLASSES;
}

static char *label_of(const struct watch_options *o, const struct traced *t,
		      unsigned int class)
{
	static const char *const words[RATE_CLASSES] = {
		[RATE_READ] = "Reads",
		[RATE_WRITE] = "Writes",
		[RATE_OTHER] = "Others",
	};
	const char *name = o->per_process ?
			   t->callers.names[class / RATE_CLASSES] : "";
	char *text;

	if (asprintf(&text, "%s%s%s%s%s", t->label, *t->label ? " " : "", name,
		     *name ? " " : "", words[class % RATE_CLASSES]) < 0)
		msg_die("out of memory");
	return text;
}

struct counting {
	struct plane_share *shares;	/* of the trace, by class */
	const struct watch_options *o;
	const struct traced *t;
};

static void count_cell(void *ctx, const struct raster_cell *c)
{
	struct counting *k = ctx;

	k->shares[named_class(k->o, k->t, c->class)].count += c->count;
}

static void count_marks(struct plane_share *shares,
			const struct watch_options *o, const struct traced *t)
{
	struct counting k = { .shares = shares, .o = o, .t = t };

	for (size_t i = 0; i < t->device_count; i++)
		raster_each(&t->devices[i].raster, count_cell, &k);
}

static void add_trace(struct plane_shares *s, const struct watch_options *o,
		      const struct traced *t, size_t trace)
{
	size_t classes = classes_of(o, t);
	struct plane_share *list = &s->list[s->count];

	for (size_t i = 0; i < classes; i++)
		list[i] = (struct plane_share){ .trace = trace,
					  .class = (unsigned int)i };
	count_marks(list, o, t);
	for (size_t i = 0; i < classes; i++) {
		list[i].label = label_of(o, t, (unsigned int)i);
		list[i].listed = list[i].count ||
			(!o->per_process && i != RATE_OTHER);
	}
	s->count += classes;
}

/* --- colours and places --------------------------------------------------- */

static int by_count(const void *a, const void *b)
{
	const struct plane_share *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	if (one->trace != other->trace)
		return one->trace < other->trace ? -1 : 1;
	return one->class < other->class ? -1 : 1;
}

static void set_colors(struct plane_shares *s, const struct watch_options *o)
{
	for (size_t i = 0; i < s->count; i++) {
		struct plane_share *one = &s->list[i];
		unsigned int nr = (unsigned int)i;

		if (!o->per_process)
			nr = one->class == RATE_OTHER ? COLORS :
			     (unsigned int)(2 * one->trace) + one->class;
		one->color = color_of(nr);
	}
}

/* how many of them are told apart */
static unsigned int shown_of(const struct plane_shares *s,
			     const struct watch_options *o)
{
	size_t most = o->per_process ? COLORS + 1 : SHOWN_MAX;

	return (unsigned int)(s->count < most ? s->count : most);
}

static void set_places(struct plane_shares *s, const struct watch_options *o,
		       const struct traced *traces, size_t count)
{
	unsigned int *place = allocate(s->count, sizeof(*place));
	size_t first = 0;

	s->by_class = allocate(count, sizeof(*s->by_class));
	s->traces = count;
	for (size_t i = 0; i < count; i++) {
		const struct traced *t = &traces[i];
		size_t pids = o->per_process ? t->callers.count : 1;

		for (size_t k = 0; k < s->count; k++)
			if (s->list[k].trace == i)
				place[first + s->list[k].class] =
					(unsigned int)k;
		s->by_class[i] = allocate(pids * RATE_CLASSES,
					  sizeof(**s->by_class));
		for (unsigned int c = 0; c < pids * RATE_CLASSES; c++)
			s->by_class[i][c] =
				place[first + named_class(o, t, c)];
		first += classes_of(o, t);
	}
	free(place);
}

unsigned int plane_shares_find(const struct plane_shares *s, size_t trace,
			 unsigned int class)
{
	unsigned int place = s->by_class[trace][class];

	return place < s->shown ? place : s->shown - 1;
}

const char *plane_shares_label(const struct plane_shares *s,
			       unsigned int share)
{
	return share + 1 == s->shown && s->shown < s->count ?
		"others" : s->list[share].label;
}

void plane_shares_find_all(struct plane_shares *s,
			   const struct watch_options *o,
			   const struct traced *traces, size_t count)
{
	size_t all = 0;

	*s = (struct plane_shares){ .mixed = count == 1 && !o->per_process };
	for (size_t i = 0; i < count; i++)
		all += classes_of(o, &traces[i]);
	s->list = allocate(all, sizeof(*s->list));
	for (size_t i = 0; i < count; i++)
		add_trace(s, o, &traces[i], i);
	if (o->per_process)
		qsort(s->list, s->count, sizeof(*s->list), by_count);
	set_colors(s, o);
	s->shown = shown_of(s, o);
	set_places(s, o, traces, count);
}

void plane_shares_free(struct plane_shares *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].label);
	for (size_t i = 0; i < s->traces; i++)
		free(s->by_class[i]);
	free(s->by_class);
	free(s->list);
}
