/* SPDX-License-Identifier: GPL-2.0-only */
/* Who uses a device; see processes.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/histogram.h"
#include "findings/finding.h"
#include "findings/processes.h"

void processes_clear(struct processes *p)
{
	free(p->list);
	hash_free(&p->by_pid);
	hash_free(&p->by_name);
}

/* One more process, the first of its name; its number or -ENOMEM. */
static int add(struct processes *p, uint32_t pid)
{
	struct process *list = array_reserve(p->list, p->count, &p->size, 8,
					    sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count] = (struct process){
		.pid = pid, .first = p->count,
		.next = { UINT64_MAX, UINT64_MAX },
	};
	return (int)p->count++;
}

/* Finds the first process of this name, which may be number itself. */
static int set_name(struct processes *p, const char *name, uint32_t number)
{
	uint64_t key = hash_text(&p->by_name, name, strlen(name));
	int64_t first = hash_get_number(&p->by_name, key);

	p->list[number].kworker = !strncmp(name, "kworker", 7);
	if (first < 0)
		return hash_put_number(&p->by_name, key, number);
	p->list[number].first = (uint32_t)first;
	return 0;
}

static int add_pid(struct processes *p, uint32_t pid)
{
	const char *name = p->name ? p->name(p->names, p->origin, pid) : NULL;
	int number = add(p, pid), err;

	if (number < 0)
		return number;
	err = name ? set_name(p, name, (uint32_t)number) : 0;
	if (!err)
		err = hash_put_number(&p->by_pid, pid, (uint32_t)number);
	return err ? err : number;
}

int processes_look_up(struct processes *p, uint32_t pid)
{
	int64_t number = hash_get_number(&p->by_pid, pid);

	if (number >= 0) {
		p->near[pid % PROCESSES_NEAR] = (uint16_t)number;
		return (int)number;
	}
	if (!p->count && add(p, 0) < 0)
		return -ENOMEM;
	return p->count < PROCESSES_MAX ? add_pid(p, pid) : PROCESSES_OTHERS;
}

void processes_count(struct processes *p, uint32_t process,
		     enum processes_what what)
{
	p->list[processes_first(p, process)].counts[what]++;
}

/* Who did most of it, except this one; -1: nobody else did it. */
static int most(const struct processes *p, enum processes_what what, int except)
{
	int found = -1;

	for (int i = 1; i < (int)p->count; i++)
		if (i != except && p->list[i].counts[what] &&
		    (found < 0 || p->list[i].counts[what] >
				  p->list[found].counts[what]))
			found = i;
	return found;
}

uint64_t processes_holder(const struct processes *p, uint64_t *share)
{
	const struct process *found = NULL;
	struct wide all = { 0, 0 };

	for (uint32_t i = 0; i < p->count; i++) {
		wide_add(&all, p->list[i].held);
		if (i && (!found || p->list[i].held > found->held))
			found = &p->list[i];
	}
	if (!found || !found->held)
		return FINDING_NONE;
	*share = wide_divide(wide_product(found->held, 1000), all, NULL).low;
	return found->pid;
}

void processes_most(const struct processes *p, enum processes_what what,
		    uint64_t *pid, uint64_t *pid2)
{
	int first = most(p, what, -1);
	int second = first < 0 ? -1 : most(p, what, first);

	*pid = first < 0 ? FINDING_NONE : p->list[first].pid;
	*pid2 = second < 0 ? FINDING_NONE : p->list[second].pid;
}
