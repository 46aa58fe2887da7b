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

static int add_all(struct list *l, DIR *d, folder_stem *stem, const void *ctx)
{
	struct dirent *de;
	int err = 0;

	while (!err && (de = readdir(d))) {
		size_t len = stem(de->d_name, ctx);

		if (len)
			err = add(l, de->d_name, len);
	}
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

int folder_names(const char *dir, folder_stem *stem, const void *ctx,
		 char ***names, int count)
{
	struct list l = { *names, (size_t)count };
	DIR *d = opendir(dir);
	int err;

	if (!d)
		return -errno;
	err = add_all(&l, d, stem, ctx);
	closedir(d);
	*names = l.names;
	if (err) {
		while (l.count > (size_t)count)
			free(l.names[--l.count]);
		return err;
	}
	if (l.count)
		qsort(l.names, l.count, sizeof(*l.names), by_name);
	drop_repeated(&l);
	return (int)l.count;
}
