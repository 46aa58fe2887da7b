/* SPDX-License-Identifier: GPL-2.0-only */
/* Pids and processes; see people.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "report/people.h"

void report_people_free(struct report_people *p)
{
	hash_free(&p->by_pid);
	hash_free(&p->by_name);
	free(p->list);
	free(p->processes);
	*p = (struct report_people){ .list = NULL };
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

/* what is known of the process of a pid by now */
static struct report_process process_of(const struct report_people *p,
					uint32_t first)
{
	const struct report_person *person = &p->list[first];
	struct report_process one = { .first = first };
	const char *name = p->name ? p->name(p->names, person->origin,
					     person->pid) : NULL;

	if (!name || !*name)
		return one;
	one.name = workers_of(name);
	one.workers = one.name;
	if (!one.name)
		one.name = name;
	return one;
}

static uint64_t name_key(const struct report_people *p, const char *name)
{
	return hash_text(&p->by_name, name, strlen(name));
}

static int64_t add_process(struct report_people *p,
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
static int64_t find_process(struct report_people *p, uint32_t first)
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

static COLD int64_t add(struct report_people *p, uint16_t origin, uint32_t pid,
			uint64_t key)
{
	uint32_t number = (uint32_t)p->count;
	struct report_person *list;
	int64_t process;

	if (number == REPORT_PIDS)
		return REPORT_PIDS - 1;
	list = array_reserve(p->list, number, &p->size, 64, sizeof(*list));
	if (!list)
		return -ENOMEM;
	p->list = list;
	list[number] = (struct report_person){ .pid = pid, .origin = origin };
	process = find_process(p, number);
	if (process < 0 || hash_put_number(&p->by_pid, key, number))
		return -ENOMEM;
	p->list[number].process = (uint32_t)process;
	p->count++;
	return number;
}

int64_t report_people_find(struct report_people *p, uint16_t origin,
			   uint32_t pid)
{
	uint64_t key = (uint64_t)origin << 32 | pid;
	int64_t number;

	if (LIKELY(p->count && key == p->last))
		return p->last_number;
	number = hash_get_number(&p->by_pid, key);
	if (UNLIKELY(number < 0))
		number = add(p, origin, pid, key);
	if (LIKELY(number >= 0)) {
		p->last = key;
		p->last_number = (uint32_t)number;
	}
	return number;
}

/* a process that had no name may have one now, which others may have, too */
static int name_late(struct report_people *p, uint32_t number)
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

int report_people_end(struct report_people *p)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < p->process_count; i++)
		err = name_late(p, i);
	return err;
}
