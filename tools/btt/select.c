/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of tables; see select.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "blktrace.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/select.h"

/* room for count + 1 pointers */
static void *new_list(size_t count)
{
	void **list = calloc(count + 1, sizeof(*list));

	if (!list)
		msg_die("out of memory");
	return list;
}

/* appends to the list, which has room for one more even if empty */
static void *add(void *list, size_t *count, void *what)
{
	void **longer = realloc(list, (*count + 2) * sizeof(*longer));

	if (!longer)
		msg_die("out of memory");
	longer[(*count)++] = what;
	return longer;
}

/* --- devices ------------------------------------------------------------- */

/* there may be one on each host */
static void choose_disks(struct disk ***chosen, size_t *count,
			 const struct disks *d, uint32_t number)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i]->number == number)
			*chosen = add(*chosen, count, d->list[i]);
}

struct disk **select_disks(const struct disks *d, const char *list,
			   size_t *count)
{
	struct disk **chosen = new_list(list ? 0 : d->count);
	unsigned int major, minor;

	*count = 0;
	if (!list && d->count) {
		memcpy(chosen, d->list, d->count * sizeof(*chosen));
		*count = d->count;
	}
	while (list && sscanf(list, "%u,%u", &major, &minor) == 2) {
		choose_disks(&chosen, count, d, BLK_DEVICE(major, minor));
		list = strchr(list, ';');
		list = list ? list + 1 : NULL;
	}
	return chosen;
}

/* --- processes ----------------------------------------------------------- */

/* there may be one on each host */
static void choose_processes(struct process ***chosen, size_t *count,
			     const struct processes *p, const char *name,
			     size_t len)
{
	for (size_t i = 0; i < p->count; i++)
		if (process_is(p->list[i], name, len))
			*chosen = add(*chosen, count, p->list[i]);
}

struct process **select_processes(const struct processes *p, const char *list,
				  size_t *count)
{
	struct process **chosen = new_list(list ? 0 : p->count);

	*count = 0;
	if (!list && p->count) {
		memcpy(chosen, p->list, p->count * sizeof(*chosen));
		*count = p->count;
	}
	while (list) {
		size_t len = strcspn(list, ",");

		choose_processes(&chosen, count, p, list, len);
		list = list[len] ? list + len + 1 : NULL;
	}
	return chosen;
}
