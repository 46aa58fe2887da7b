/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes of a trace; see callers.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "record/record.h"
#include "run/reader.h"
#include "tools/iowatcher/callers.h"

/* the number of the one that all are who came too late */
enum { OTHERS = CALLERS_MAX };

enum { LIST_FIRST = 64, NAME_MAX_BYTES = 64 };

static int add(struct callers *p, uint16_t origin, uint32_t pid)
{
	struct caller *list = array_reserve(p->list, p->count, &p->size,
					    LIST_FIRST, sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count] = (struct caller){ .origin = origin, .pid = pid };
	return (int)p->count++;
}

int callers_find(struct callers *p, uint16_t origin, uint32_t pid)
{
	uint64_t key = origin_key(origin, pid);
	int64_t known = hash_get_number(&p->by_pid, key);
	int nr;

	if (known >= 0)
		return (int)known;
	if (p->count > OTHERS)
		return OTHERS;
	nr = add(p, origin, pid);
	if (nr >= 0 && nr < OTHERS &&
	    hash_put_number(&p->by_pid, key, (uint32_t)nr))
		return -ENOMEM;
	return nr;
}

/* --- names ---------------------------------------------------------------- */

/* what the kernel has one of for each CPU, or more */
static const char *const families[] = { "kworker", "ksoftirqd" };

/* how much of a name is a family's: "kworker" of "kworker/0:1" */
static size_t family_length(const char *name)
{
	size_t len = strcspn(name, "/");

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strlen(families[i]) == len &&
		    !memcmp(name, families[i], len))
			return len;
	return strlen(name);
}

static void name_of(const struct callers *p, const struct reader *r,
		    uint32_t nr, char text[NAME_MAX_BYTES])
{
	const struct caller *one = &p->list[nr];
	const char *name = reader_process(r, one->origin, one->pid);

	if (nr == OTHERS)
		snprintf(text, NAME_MAX_BYTES, "others");
	else if (name)
		snprintf(text, NAME_MAX_BYTES, "%.*s",
			 (int)family_length(name), name);
	else
		snprintf(text, NAME_MAX_BYTES, "%u", one->pid);
}

/* the number of a name, which is added if it is new; or -ENOMEM */
static int64_t number_of(struct callers *p, struct hash *known,
			 const char *text)
{
	uint64_t key = hash_text(known, text, strlen(text));
	int64_t nr = hash_get_number(known, key);

	if (nr >= 0)
		return nr;
	p->names[p->name_count] = strdup(text);
	if (!p->names[p->name_count] ||
	    hash_put_number(known, key, p->name_count)) {
		free(p->names[p->name_count]);
		return -ENOMEM;
	}
	return p->name_count++;
}

int callers_name(struct callers *p, const struct reader *r)
{
	struct hash known = { .count = 0 };
	int64_t nr = 0;

	p->names = calloc((size_t)p->count + 1, sizeof(*p->names));
	if (!p->names)
		return -ENOMEM;
	for (uint32_t i = 0; nr >= 0 && i < p->count; i++) {
		char text[NAME_MAX_BYTES];

		name_of(p, r, i, text);
		nr = number_of(p, &known, text);
		p->list[i].name = nr < 0 ? 0 : (uint32_t)nr;
	}
	hash_free(&known);
	return nr < 0 ? -ENOMEM : 0;
}

void callers_free(struct callers *p)
{
	for (uint32_t i = 0; i < p->name_count; i++)
		free(p->names[i]);
	free(p->names);
	free(p->list);
	hash_free(&p->by_pid);
	*p = (struct callers){ .count = 0 };
}
