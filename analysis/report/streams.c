/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams; see streams.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/disks.h"
#include "analysis/report/people.h"
#include "analysis/report/streams.h"
#include "base/hint.h"

void report_streams_free(struct report_streams *s)
{
	hash_free(&s->by_key);
	s->count = 0;
	s->last = 0;
}

/* --- while ios come ------------------------------------------------------- */

/* no two streams have the same */
static uint64_t key_of(uint32_t disk, uint8_t op, bool no_q, uint32_t process)
{
	return (uint64_t)process << 16 | (uint64_t)disk << 8 |
	       (uint64_t)op << 1 | no_q;
}

static COLD int64_t add(struct report_streams *s, uint32_t disk, uint8_t op,
			bool no_q, uint32_t process)
{
	uint64_t key;
	int64_t number;

	/* others have 2 * 5 * 128 at most, for which there is always room */
	if (s->count >= REPORT_STREAMS)
		process = REPORT_OTHERS;
	key = key_of(disk, op, no_q, process);
	number = hash_get_number(&s->by_key, key);
	if (number >= 0)
		return number;
	s->list[s->count] = (struct report_stream){
		.disk = disk, .op = op, .no_q = no_q, .process = process,
	};
	if (hash_put_number(&s->by_key, key, s->count))
		return -ENOMEM;
	return s->count++;
}

int64_t report_streams_add(struct report_streams *s, uint32_t disk, uint8_t op,
			   bool no_q, uint32_t process)
{
	uint64_t key = key_of(disk, op, no_q, process);
	int64_t number = s->last_number;

	if (UNLIKELY(key + 1 != s->last)) {
		number = hash_get_number(&s->by_key, key);
		if (UNLIKELY(number < 0))
			number = add(s, disk, op, no_q, process);
		if (UNLIKELY(number < 0))
			return number;
		s->last = key + 1;
		s->last_number = (uint32_t)number;
	}
	s->list[number].count++;
	return number;
}

/* --- the end -------------------------------------------------------------- */

static bool is_out(const struct report_disks *d,
		   const struct report_stream *one)
{
	return one->no_q && one->op != REPORT_FLUSH && d->list[one->disk].has_q;
}

static int64_t find(const struct report_folding *f, uint32_t disk, uint8_t op,
		    uint32_t process)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (f->list[i].disk == disk && f->list[i].op == op &&
		    f->list[i].process == process)
			return i;
	return -1;
}

/* the number of a new stream like that, made if there is none */
static uint32_t place(struct report_folding *f, uint32_t disk, uint8_t op,
		      uint32_t process)
{
	int64_t number = find(f, disk, op, process);

	if (number >= 0)
		return (uint32_t)number;
	f->list[f->count] = (struct report_stream){
		.disk = disk, .op = op, .process = process,
	};
	return f->count++;
}

/* streams of one process become one */
static void join(const struct report_streams *s, const struct report_people *p,
		 const struct report_disks *d, struct report_folding *f)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct report_stream *one = &s->list[i];
		uint32_t process = one->process;

		f->map[i] = REPORT_NO_STREAM;
		if (is_out(d, one))
			continue;
		if (process != REPORT_OTHERS)
			process = p->processes[process].same;
		f->map[i] = place(f, one->disk, one->op, process);
		f->list[f->map[i]].count += one->count;
	}
}

/* most ios first; of as many, in the order in which they came */
struct ranked {
	uint64_t count;
	uint32_t number;
};

static int by_count(const void *a, const void *b)
{
	const struct ranked *one = a, *two = b;

	if (one->count != two->count)
		return one->count < two->count ? 1 : -1;
	return one->number < two->number ? -1 : 1;
}

/* all but the largest are of others from now on */
static int fold(struct report_folding *f, uint32_t most)
{
	struct ranked *ranks = calloc(f->count + 1, sizeof(*ranks));

	if (!ranks)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->count; i++)
		ranks[i] = (struct ranked){ f->list[i].count, i };
	qsort(ranks, f->count, sizeof(*ranks), by_count);
	for (uint32_t i = most; i < f->count; i++)
		f->list[ranks[i].number].process = REPORT_OTHERS;
	free(ranks);
	return 0;
}

/* the index of each process that is left; those with most ios come first */
static int list_processes(struct report_folding *f, size_t count)
{
	struct ranked *ranks = calloc(count + 1, sizeof(*ranks));
	uint32_t *index = calloc(count + 1, sizeof(*index));

	f->processes = calloc(count + 1, sizeof(*f->processes));
	if (!ranks || !index || !f->processes) {
		free(ranks);
		free(index);
		return -ENOMEM;
	}
	/* others have the last place */
	for (uint32_t i = 0; i <= count; i++)
		ranks[i].number = i;
	for (uint32_t i = 0; i < f->count; i++)
		if (f->list[i].process != REPORT_OTHERS)
			ranks[f->list[i].process].count += f->list[i].count;
	qsort(ranks, count, sizeof(*ranks), by_count);
	for (uint32_t i = 0; i < count && ranks[i].count; i++) {
		index[ranks[i].number] = f->process_count;
		f->processes[f->process_count++] = ranks[i].number;
	}
	for (uint32_t i = 0; i < f->count; i++)
		f->list[i].process = f->list[i].process == REPORT_OTHERS ?
				     REPORT_OTHERS : index[f->list[i].process];
	free(ranks);
	free(index);
	return 0;
}

static void add_others(struct report_folding *f)
{
	bool any = false;

	for (uint32_t i = 0; i < f->count; i++)
		if (f->list[i].process == REPORT_OTHERS) {
			f->list[i].process = f->process_count;
			any = true;
		}
	if (any)
		f->processes[f->process_count++] = REPORT_OTHERS;
}

/* by process, device and operation */
static int by_key(const void *a, const void *b)
{
	const struct report_stream *one = a, *two = b;
	uint64_t first = key_of(one->disk, one->op, false, one->process);
	uint64_t second = key_of(two->disk, two->op, false, two->process);

	return first < second ? -1 : first > second;
}

/*
 * Streams that have become the same are one, and all are in order; map then
 * leads to their places.
 */
static int number_anew(struct report_folding *f, uint32_t old)
{
	struct report_stream *before = calloc(f->count + 1, sizeof(*before));
	uint32_t count = f->count;

	if (!before)
		return -ENOMEM;
	memcpy(before, f->list, count * sizeof(*before));
	f->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct report_stream *one = &before[i];
		uint32_t to = place(f, one->disk, one->op, one->process);

		f->list[to].count += one->count;
	}
	qsort(f->list, f->count, sizeof(*f->list), by_key);
	for (uint32_t i = 0; i < old; i++) {
		const struct report_stream *one;

		if (f->map[i] == REPORT_NO_STREAM)
			continue;
		one = &before[f->map[i]];
		f->map[i] = (uint32_t)find(f, one->disk, one->op, one->process);
	}
	free(before);
	return 0;
}

int report_streams_fold(const struct report_streams *s,
			const struct report_people *p,
			const struct report_disks *d, uint32_t most,
			struct report_folding *f)
{
	int err;

	f->count = f->process_count = 0;
	f->processes = NULL;
	join(s, p, d, f);
	err = fold(f, most);
	if (!err)
		err = list_processes(f, p->process_count);
	if (err)
		return err;
	add_others(f);
	return number_anew(f, s->count);
}

void report_folding_free(struct report_folding *f)
{
	free(f->processes);
	f->processes = NULL;
}
