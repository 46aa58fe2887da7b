/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdbool.h>
#include <string.h>

#include "base/msg.h"
#include "base/nearest.h"
#include "emit/row.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/row_table.h"

/* --- fields --------------------------------------------------------------- */

static void add(struct fields *f, const struct row_table *t,
		unsigned int number)
{
	unsigned int n = f->shape.count++;

	f->numbers[n] = number;
	f->columns[n] = row_table_column(t, number);
}

static __attribute__((noreturn)) void die_unknown(const struct row_table *t,
						  const char *name, size_t len)
{
	struct nearest n = { .text = name, .len = len };

	for (unsigned int i = 0; i < t->count; i++)
		nearest_try(&n, row_table_column(t, i)->name);
	if (n.word)
		msg_die("--fields: table %s has no column %.*s; it has %s",
			t->name, (int)len, name, n.word);
	msg_die("--fields: table %s has no column %.*s; --schema lists them",
		t->name, (int)len, name);
}

/* marks a column of the list, which may name it only once */
static unsigned int find(const struct row_table *t, bool *named,
			 const char *name, size_t len)
{
	int number = row_table_find(t, name, len);

	if (number < 0)
		die_unknown(t, name, len);
	if (named[number])
		msg_die("--fields: %.*s is named twice", (int)len, name);
	named[number] = true;
	return (unsigned int)number;
}

static void add_others(struct fields *f, const struct row_table *t,
		       const bool *named)
{
	for (unsigned int i = 0; i < t->count; i++)
		if (!named[i])
			add(f, t, i);
	if (!f->shape.count)
		msg_die("--fields leaves nothing of table %s", t->name);
}

void fields_choose(struct fields *f, const struct row_table *t,
		   const char *list)
{
	bool named[ROW_COLUMNS] = { false }, without = list && *list == '-';
	const char *name = list;

	f->shape = (struct row_shape){ t->name, f->columns, 0 };
	while (name) {
		size_t len = strcspn(name, ",");
		unsigned int number;

		if ((*name == '-') != without)
			msg_die("--fields names columns that are wanted or,"
				" each with a -, columns that are not");
		number = find(t, named, name + without, len - without);
		if (!without)
			add(f, t, number);
		name = name[len] ? name + len + 1 : NULL;
	}
	if (!list || without)
		add_others(f, t, named);
}

void fields_of_query(struct fields *f, const struct row_table *t,
		     const struct query *q)
{
	f->shape = (struct row_shape){ t->name, f->columns, 0 };
	for (unsigned int i = 0; i < t->count; i++)
		if (query_names(q, row_table_column(t, i)->name))
			add(f, t, i);
}
