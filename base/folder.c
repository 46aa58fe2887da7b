/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the things in directories; see folder.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"

struct list {
	char **names;
	size_t count;
	folder_stem *stem;
	const void *ctx;
};

void folder_free(char **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

static int add(struct list *l, const char *file, size_t len)
{
	char **names = realloc(l->names, (l->count + 1) * sizeof(*names));

	if (!names)
		return -ENOMEM;
	l->names = names;
	names[l->count] = strndup(file, len);
	if (!names[l->count])
		return -ENOMEM;
	l->count++;
	return 0;
}

static int add_item(void *ctx, const struct folder_item *item)
{
	struct list *l = ctx;
	size_t len = l->stem(item->name, l->ctx);

	return len ? add(l, item->name, len) : 0;
}

int folder_walk_directory(const char *dir, folder_each *each, void *ctx)
{
	DIR *d = opendir(*dir ? dir : ".");
	struct dirent *de;
	int err = 0;

	if (!d)
		return -errno;
	while (!err && (de = readdir(d)))
		err = each(ctx, &(struct folder_item){
			.name = de->d_name,
			.fill = de->d_type == DT_REG ? FOLDER_REGULAR :
						       FOLDER_UNKNOWN });
	closedir(d);
	return err;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void drop_repeated(struct list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (kept && !strcmp(l->names[kept - 1], l->names[i]))
			free(l->names[i]);
		else
			l->names[kept++] = l->names[i];
	}
	l->count = kept;
}

int folder_names(const char *dir, folder_walk *walk, folder_stem *stem,
		 const void *ctx, char ***names, int count)
{
	struct list l = { *names, (size_t)count, stem, ctx };
	int err = walk(dir, add_item, &l);

	*names = l.names;
	if (err) {
		while (l.count > (size_t)count)
			free(l.names[--l.count]);
		return err;
	}
	if (l.count)
		qsort(l.names, l.count, sizeof(*l.names), by_name);
	drop_repeated(&l);
	*names = l.names;
	return (int)l.count;
}
