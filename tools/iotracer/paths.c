/* SPDX-License-Identifier: GPL-2.0-only */
/* The paths of pinned watches; see paths.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/syscall.h"
#include "tools/iotracer/paths.h"

enum { PATHS_MAX = 4096 };

/* keyed by a number that grows: `added` */
int paths_new(void)
{
	return bpf_map_new(BPF_MAP_TYPE_HASH, sizeof(uint64_t),
			   sizeof(struct path_entry), PATHS_MAX,
			   BPF_F_NO_PREALLOC);
}

/* for qsort() */
static int newer_first(const void *a, const void *b)
{
	const struct path_entry *x = a, *y = b;

	return (x->added < y->added) - (x->added > y->added);
}

int paths_read(int map, struct path_entry **list)
{
	struct path_entry *all = malloc(sizeof(*all)), *more;
	const uint64_t *at = NULL;
	uint64_t key;
	int count = 0;

	while (all && !bpf_map_next(map, at, &key)) {
		at = &key;
		if (bpf_map_get(map, &key, &all[count]))
			continue;
		all[count].text[PATH_MAX - 1] = '\0';
		count++;
		more = realloc(all, (size_t)(count + 1) * sizeof(*all));
		if (!more)
			free(all);
		all = more;
	}
	if (!all)
		return -ENOMEM;
	qsort(all, (size_t)count, sizeof(*all), newer_first);
	*list = all;
	return count;
}

int paths_find(int map, const char *text, struct path_entry *e)
{
	struct path_entry *list;
	int n = paths_read(map, &list), err = -ENOENT;

	if (n < 0)
		return n;
	for (int i = 0; err && i < n; i++)
		if (!strcmp(list[i].text, text)) {
			*e = list[i];
			err = 0;
		}
	free(list);
	return err;
}

/* one more than the newest has */
static int next_number(int map, uint64_t *number)
{
	struct path_entry *list;
	int n = paths_read(map, &list);

	if (n < 0)
		return n;
	*number = n ? list[0].added + 1 : 1;
	free(list);
	return 0;
}

int paths_add(int map, uint32_t file, const char *text, struct path_entry *e)
{
	int err = paths_find(map, text, e);

	if (err != -ENOENT)
		return err ? err : -EEXIST;
	*e = (struct path_entry){ .file = file };
	if (strlen(text) >= sizeof(e->text))
		return -ENAMETOOLONG;
	strcpy(e->text, text);
	err = next_number(map, &e->added);
	return err ? err : bpf_map_set(map, &e->added, e);
}

/* how many paths a file has */
static int count_of(int map, uint32_t file, unsigned int *count)
{
	struct path_entry *list;
	int n = paths_read(map, &list);

	if (n < 0)
		return n;
	*count = 0;
	for (int i = 0; i < n; i++)
		*count += list[i].file == file;
	free(list);
	return 0;
}

int paths_remove(int map, const char *text, unsigned int *left)
{
	struct path_entry e;
	int err = paths_find(map, text, &e);

	if (!err)
		err = bpf_map_remove(map, &e.added);
	return err ? err : count_of(map, e.file, left);
}

int paths_remove_file(int map, uint32_t file)
{
	struct path_entry *list;
	int n = paths_read(map, &list), err = 0;

	if (n < 0)
		return n;
	for (int i = 0; !err && i < n; i++)
		if (list[i].file == file)
			err = bpf_map_remove(map, &list[i].added);
	free(list);
	return err;
}
