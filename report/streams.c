/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams; see streams.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "report/disks.h"
#include "report/streams.h"

/* --- pids --------------------------------------------------------------- */

void report_pids_free(struct report_pids *p)
{
	hash_free(&p->by_pid);
	hash_free(&p->by_name);
	free(p->list);
	free(p->processes);
	*p = (struct report_pids){ .list = NULL };
}

/* --- processes ------------------------------------------------------------ */

/* processes of this kind are one; NULL: it is none */
static const char *workers_of(const char *name)
{
	static const char *const kinds[] = { "kworker/", "ksoftirqd/" };

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return kinds[i];
	return NULL;
}

/* the process of a pid, as known by now */
static struct report_process process_of(const struct report_pids *p,
					uint32_t first)
{
	const struct report_pid *pid = &p->list[first];
	struct report_process one = { .first = first };
	const char *name = p->name ? p->name(p->names, pid->origin,
					     pid->pid) : NULL;

	if (!name || !*name)
		return one;
	one.name = workers_of(name);
	one.workers = one.name;
	if (!one.name)
		one.name = name;
	return one;
}

static uint64_t name_key(const struct report_pids *p, const char *name)
{
	return hash_text(&p->by_name, name, strlen(name));
}

static int64_t add_process(struct report_pids *p,
			   const struct report_process *one)
{
	uint32_t number = (uint32_t)p->process_count;
	struct report_process *list = array_reserve(p->processes, number,
						    &p->process_size, 16,
						    sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->processes = list;
	list[number] = *one;
	list[number].same = number;
	p->process_count++;
	return number;
}

/* the process of the pid with that number, which is new */
static int64_t find_process(struct report_pids *p, uint32_t first)
{
	struct report_process one = process_of(p, first);
	int64_t number;
	uint64_t key;

	if (!one.name)
		return add_process(p, &one);
	key = name_key(p, one.name);
	number = hash_get_number(&p->by_name, key);
	if (number >= 0)
		return number;
	number = add_process(p, &one);
	if (number >= 0 && hash_put_number(&p->by_name, key, (uint32_t)number))
		return -ENOMEM;
	return number;
}

/* --- pids ----------------------------------------------------------------- */

static COLD int64_t pids_add(struct report_pids *p, uint16_t origin,
			     uint32_t pid, uint64_t key)
{
	uint32_t number = (uint32_t)p->count;
	struct report_pid *list;
	int64_t process;

	if (number == REPORT_PIDS)
		return REPORT_PIDS - 1;
	list = array_reserve(p->list, number, &p->size, 64, sizeof(*list));
	if (!list)
		return -ENOMEM;
	p->list = list;
	list[number] = (struct report_pid){ .pid = pid, .origin = origin };
	process = find_process(p, number);
	if (process < 0 || hash_put_number(&p->by_pid, key, number))
		return -ENOMEM;
	p->list[number].process = (uint32_t)process;
	p->count++;
	return number;
}

int64_t report_pids_find(struct report_pids *p, uint16_t origin, uint32_t pid)
{
	uint64_t key = (uint64_t)origin << 32 | pid;
	int64_t number;

	if (LIKELY(p->count && key == p->last))
		return p->last_number;
	number = hash_get_number(&p->by_pid, key);
	if (UNLIKELY(number < 0))
		number = pids_add(p, origin, pid, key);
	if (LIKELY(number >= 0)) {
		p->last = key;
		p->last_number = (uint32_t)number;
	}
	return number;
}

/* a process that had no name may have one now, which others may have, too */
static int name_late(struct report_pids *p, uint32_t number)
{
	struct report_process *one = &p->processes[number];
	struct report_process now = process_of(p, one->first);
	int64_t same;

	if (one->name || !now.name)
		return 0;
	one->name = now.name;
	one->workers = now.workers;
	same = hash_get_number(&p->by_name, name_key(p, now.name));
	if (same >= 0) {
		one->same = (uint32_t)same;
		return 0;
	}
	return hash_put_number(&p->by_name, name_key(p, now.name), number);
}

int report_pids_end(struct report_pids *p)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < p->process_count; i++)
		err = name_late(p, i);
	return err;
}

/* --- streams -------------------------------------------------------------- */

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

	/* others have 2 * 5 * 128 at most, which always fit */
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

/* the number of a new stream like that, made if missing */
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
			const struct report_pids *p,
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
