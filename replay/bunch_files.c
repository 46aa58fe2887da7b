/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds replay files; see bunch_files.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "replay/bunch_files.h"

bool named_has(const struct named *n, const char *name)
{
	for (int i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], name))
			return true;
	return false;
}

int named_add(struct named *n, const char *name)
{
	const char **list;

	if (named_has(n, name))
		return 0;
	list = realloc(n->list, (size_t)(n->count + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	n->list = list;
	list[n->count++] = name;
	return 0;
}

void named_free(struct named *n)
{
	free(n->list);
	*n = (struct named){ 0 };
}

char *bunch_files_path(const char *dir, const char *name, const char *base,
		       uint32_t cpu)
{
	char *path;

	if (asprintf(&path, "%s/%s.%s.%u", dir, name, base, cpu) < 0)
		return NULL;
	return path;
}

uint32_t bunch_files_next_cpu(const char *dir, const char *name,
			      const char *base, uint32_t cpu)
{
	for (; cpu < BUNCH_FILES_CPUS; cpu++) {
		char *path = bunch_files_path(dir, name, base, cpu);
		bool there = path && !access(path, R_OK);

		free(path);
		if (there)
			return cpu;
	}
	return cpu;
}

static size_t name_stem(const char *file, const void *base)
{
	const char *cpu = strrchr(file, '.');
	size_t len, tail = strlen(base) + 1;

	if (!cpu || !cpu[1] || cpu[1 + strspn(cpu + 1, "0123456789")])
		return 0;
	len = (size_t)(cpu - file);
	if (len <= tail || file[len - tail] != '.' ||
	    strncmp(file + len - tail + 1, base, tail - 1))
		return 0;
	return len - tail;
}

int bunch_files_names(const char *dir, const char *base, char ***names)
{
	*names = NULL;
	return folder_names(dir, folder_walk_directory, name_stem, base,
			    names, 0);
}
