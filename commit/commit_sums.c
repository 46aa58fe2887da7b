/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that waited for the disk; see commit_sums.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commit/commit_sums.h"

/* --- rows ----------------------------------------------------------------- */

static struct commit_sum *new_row(struct commit_list *l, uint64_t key,
				  const char *name)
{
	struct commit_sum *row = &l->rows[l->count];

	if (l->count == COMMIT_ROWS - 1)
		name = "(other)";
	row->name = strdup(name);
	if (!row->name || hash_put_number(&l->by_name, key, l->count))
		return NULL;
	l->count++;
	return row;
}

/* NULL: no memory */
static struct commit_sum *row_of(struct commit_list *l, const char *name)
{
	uint64_t key = hash_text(&l->by_name, name, strlen(name));
	int64_t number = hash_get_number(&l->by_name, key);

	if (number >= 0)
		return &l->rows[number];
	return l->count == COMMIT_ROWS ? &l->rows[COMMIT_ROWS - 1] :
					 new_row(l, key, name);
}

static int add(struct commit_sum *row, const struct commit *c)
{
	row->count++;
	row->unsure += c->unsure;
	row->time += c->duration;
	for (int i = 0; i < COMMIT_PARTS; i++)
		row->parts[i] += c->parts[i];
	return histogram_add(&row->durations, c->duration) ? -ENOMEM : 0;
}

static int add_named(struct commit_list *l, const char *name,
		     const struct commit *c)
{
	struct commit_sum *row = row_of(l, name);

	return row ? add(row, c) : -ENOMEM;
}

/* --- the slowest ---------------------------------------------------------- */

static void free_slow(struct slow_commit *s)
{
	free(s->file);
	free(s->process);
	free(s->other);
}

static int keep(struct slow_commit *to, const struct commit *c,
		const struct commit_names *names)
{
	*to = (struct slow_commit){
		.is = *c, .file = strdup(names->file),
		.process = strdup(names->process),
		.other = names->other ? strdup(names->other) : NULL,
	};
	return to->file && to->process && (to->other || !names->other) ?
		       0 : -ENOMEM;
}

static int keep_slowest(struct commit_sums *s, const struct commit *c,
			const struct commit_names *names)
{
	unsigned int at = s->slow_count;

	while (at && s->slowest[at - 1].is.duration < c->duration)
		at--;
	if (at == COMMIT_SLOWEST)
		return 0;
	if (s->slow_count == COMMIT_SLOWEST)
		free_slow(&s->slowest[COMMIT_SLOWEST - 1]);
	else
		s->slow_count++;
	memmove(&s->slowest[at + 1], &s->slowest[at],
		(s->slow_count - 1 - at) * sizeof(*s->slowest));
	return keep(&s->slowest[at], c, names);
}

/* --- sums ----------------------------------------------------------------- */

int commit_sums_add(struct commit_sums *s, const struct commit *c,
		    const struct commit_names *names)
{
	int err = add(&s->all, c);

	if (!err)
		err = add_named(&s->files, names->file, c);
	if (!err)
		err = add_named(&s->processes, names->process, c);
	return err ? err : keep_slowest(s, c, names);
}

static int by_time(const void *a, const void *b)
{
	const struct commit_sum *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return strcmp(x->name, y->name);
}

void commit_sums_sort(struct commit_sums *s)
{
	qsort(s->files.rows, s->files.count, sizeof(*s->files.rows), by_time);
	qsort(s->processes.rows, s->processes.count,
	      sizeof(*s->processes.rows), by_time);
}

static void free_list(struct commit_list *l)
{
	for (unsigned int i = 0; i < l->count; i++) {
		free(l->rows[i].name);
		histogram_free(&l->rows[i].durations);
	}
	hash_free(&l->by_name);
	l->count = 0;
}

void commit_sums_free(struct commit_sums *s)
{
	free_list(&s->files);
	free_list(&s->processes);
	for (unsigned int i = 0; i < s->slow_count; i++)
		free_slow(&s->slowest[i]);
	s->slow_count = 0;
	histogram_free(&s->all.durations);
}
