/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams; see streams.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "report/disks.h"
#include "report/people.h"
#include "report/streams.h"

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
	return one->no_q && d->list[one->disk].has_q;
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
	return one->number < two->number ? -1 : one->number > two->number;
}

/* by process, device and operation; others come last */
static int by_key(const void *a, const void *b)
{
	const struct report_stream *one = a, *two = b;
	uint64_t first = key_of(one->disk, one->op, false, one->process);
	uint64_t second = key_of(two->disk, two->op, false, two->process);

	return first < second ? -1 : first > second;
}

/*
 * Those that have become the same are one, and all are in order.  wanted: what
 * each of the streams before has become.
 */
static void number_anew(struct report_folding *f,
			const struct report_stream *wanted, uint32_t before)
{
	f->count = 0;
	f->before = before;
	for (uint32_t i = 0; i < before; i++) {
		const struct report_stream *one = &wanted[i];

		if (!one->no_q)
			f->list[place(f, one->disk, one->op, one->process)]
				.count += one->count;
	}
	qsort(f->list, f->count, sizeof(*f->list), by_key);
	for (uint32_t i = 0; i < before; i++) {
		const struct report_stream *one = &wanted[i];

		f->map[i] = one->no_q ? REPORT_NO_STREAM :
			    (uint32_t)find(f, one->disk, one->op,
					   one->process);
	}
}

int report_folding_make(struct report_folding *f,
			const struct report_streams *s,
			const struct report_people *p,
			const struct report_disks *d)
{
	struct report_stream *wanted = calloc(s->count + 1, sizeof(*wanted));

	if (!wanted)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t process = s->list[i].process;

		wanted[i] = s->list[i];
		if (process != REPORT_OTHERS)
			wanted[i].process = p->processes[process].same;
		/* from here on: those that are left out */
		wanted[i].no_q = is_out(d, &s->list[i]);
	}
	number_anew(f, wanted, s->count);
	free(wanted);
	return 0;
}

int report_folding_fold(struct report_folding *f, uint32_t most)
{
	struct ranked *ranks = calloc(f->count + 1, sizeof(*ranks));
	struct report_stream *wanted = calloc(f->count + 1, sizeof(*wanted));
	uint32_t count = f->count;

	if (!ranks || !wanted) {
		free(ranks);
		free(wanted);
		return -ENOMEM;
	}
	memcpy(wanted, f->list, count * sizeof(*wanted));
	for (uint32_t i = 0; i < count; i++)
		ranks[i] = (struct ranked){ wanted[i].count, i };
	qsort(ranks, count, sizeof(*ranks), by_count);
	for (uint32_t i = most; i < count; i++)
		wanted[ranks[i].number].process = REPORT_OTHERS;
	number_anew(f, wanted, count);
	free(ranks);
	free(wanted);
	return 0;
}

/* the rank of a process, put at the end if it has none so far */
static struct ranked *rank_of(struct ranked *ranks, uint32_t *count,
			      uint32_t process)
{
	for (uint32_t i = 0; i < *count; i++)
		if (ranks[i].number == process)
			return &ranks[i];
	ranks[*count] = (struct ranked){ 0, process };
	return &ranks[(*count)++];
}

uint32_t *report_folding_processes(const struct report_folding *f,
				   uint32_t *count)
{
	struct ranked *ranks = calloc(f->count + 1, sizeof(*ranks));
	uint32_t *list = calloc(f->count + 1, sizeof(*list));
	bool others = false;

	*count = 0;
	if (!ranks || !list) {
		free(ranks);
		free(list);
		return NULL;
	}
	for (uint32_t i = 0; i < f->count; i++)
		if (f->list[i].process == REPORT_OTHERS)
			others = true;
		else
			rank_of(ranks, count, f->list[i].process)->count +=
				f->list[i].count;
	qsort(ranks, *count, sizeof(*ranks), by_count);
	for (uint32_t i = 0; i < *count; i++)
		list[i] = ranks[i].number;
	if (others)
		list[(*count)++] = REPORT_OTHERS;
	free(ranks);
	return list;
}
