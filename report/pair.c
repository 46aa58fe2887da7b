/* SPDX-License-Identifier: GPL-2.0-only */
/* Two pages as one; see pair.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/pair.h"

typedef const char *name_of(const struct report_page *p, uint32_t index,
			    char text[PAGE_NAME_MAX]);

/* the place of a name in a page, or PAIR_NONE */
static uint32_t find(const struct report_page *p, uint32_t count,
		     name_of *name, const char *wanted)
{
	char text[PAGE_NAME_MAX];

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(name(p, i, text), wanted))
			return i;
	return PAIR_NONE;
}

/* names of a side are told apart by their place: the first of several that are
 * the same has the other side's */
static bool is_first(const struct report_page *p, uint32_t i, name_of *name,
		     const char *text)
{
	return find(p, i, name, text) == PAIR_NONE;
}

static void add_side(struct pair_list *l, const struct report_pair *pair,
		     enum compare_side side,
		     const uint32_t count[COMPARE_SIDES], name_of *name)
{
	const struct report_page *mine = pair->side[side];
	const struct report_page *other = pair->side[!side];
	char text[PAGE_NAME_MAX];

	for (uint32_t i = 0; i < count[side]; i++) {
		uint32_t there = PAIR_NONE;

		name(mine, i, text);
		if (is_first(mine, i, name, text))
			there = find(other, count[!side], name, text);
		if (side == COMPARE_B && there != PAIR_NONE)
			continue;
		l->list[l->count][side] = i;
		l->list[l->count++][!side] = there;
	}
}

static int join(struct pair_list *l, const struct report_pair *pair,
		uint32_t a, uint32_t b, name_of *name)
{
	const uint32_t count[COMPARE_SIDES] = { a, b };

	l->list = calloc((size_t)a + b + 1, sizeof(*l->list));
	if (!l->list)
		return -ENOMEM;
	add_side(l, pair, COMPARE_A, count, name);
	add_side(l, pair, COMPARE_B, count, name);
	return 0;
}

int pair_init(struct report_pair *pair)
{
	const struct report_page *a = pair->side[COMPARE_A];
	const struct report_page *b = pair->side[COMPARE_B];
	int err;

	pair->processes = pair->devices = (struct pair_list){ .count = 0 };
	err = join(&pair->processes, pair, a->process_count, b->process_count,
		   page_process);
	if (err)
		return err;
	return join(&pair->devices, pair, a->r->disks.there, b->r->disks.there,
		    page_device);
}

void pair_free(struct report_pair *pair)
{
	free(pair->processes.list);
	free(pair->devices.list);
}

const struct report_table_row *pair_row(const struct report_page *p,
					unsigned int kind, uint64_t key)
{
	const struct report_table *t = &p->tables->of[kind];

	for (uint32_t i = 0; i < t->count; i++)
		if (t->rows[i].key == key)
			return &t->rows[i];
	return NULL;
}

void pair_note_absent(struct report_remarks *to, const struct report_page *mine,
		      const struct report_page *other)
{
	static const char *const names[REPORT_SPANS] = { "Q2C", "D2C", "Q2D" };
	struct remark *one;
	size_t len = 0;
	char list[32];

	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		if (!page_has(mine, i) && page_has(other, i))
			len += (size_t)snprintf(list + len, sizeof(list) - len,
						"%s%s", len ? ", " : "",
						names[i]);
	one = len ? remarks_add(to, REMARK_WARNING) : NULL;
	if (!one)
		return;
	snprintf(one->head, sizeof(one->head), "No %s on this side", list);
	snprintf(one->text, sizeof(one->text), "Its trace lacks the events"
		 " that these times start with: they cannot be compared.");
	remarks_sort(to);
}

const char *pair_letter(enum compare_side side)
{
	return side == COMPARE_A ? "A" : "B";
}
