/* What the tables show; see select.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "blktrace.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/select.h"

/* Room for count pointers, and never for none. */
static void *new_list(size_t count)
{
	void **list = calloc(count + 1, sizeof(*list));

	if (!list)
		msg_die("out of memory");
	return list;
}

/* How many things there are at most in a list with this between them. */
static size_t count_parts(const char *list, char between)
{
	size_t count = 1;

	while ((list = strchr(list, between))) {
		count++;
		list++;
	}
	return count;
}

/* --- devices ------------------------------------------------------------- */

static struct disk *find_disk(const struct disks *d, unsigned int major,
			      unsigned int minor)
{
	return hash_get(&d->by_number,
			disk_key(0, BLK_DEVICE(major, minor)));
}

struct disk **select_disks(const struct disks *d, const char *list,
			   size_t *count)
{
	struct disk **chosen = new_list(list ? count_parts(list, ';') :
					       d->count);
	unsigned int major, minor;

	*count = 0;
	if (!list && d->count) {
		memcpy(chosen, d->list, d->count * sizeof(*chosen));
		*count = d->count;
	}
	while (list && sscanf(list, "%u,%u", &major, &minor) == 2) {
		struct disk *disk = find_disk(d, major, minor);

		if (disk)
			chosen[(*count)++] = disk;
		list = strchr(list, ';');
		list = list ? list + 1 : NULL;
	}
	return chosen;
}

/* --- processes ----------------------------------------------------------- */

struct process **select_processes(const struct processes *p, const char *list,
				  size_t *count)
{
	struct process **chosen = new_list(list ? count_parts(list, ',') :
						  p->count);

	*count = 0;
	if (!list && p->count) {
		memcpy(chosen, p->list, p->count * sizeof(*chosen));
		*count = p->count;
	}
	while (list) {
		size_t len = strcspn(list, ",");
		struct process *it = processes_named(p, list, len);

		if (it)
			chosen[(*count)++] = it;
		list = list[len] ? list + len + 1 : NULL;
	}
	return chosen;
}
