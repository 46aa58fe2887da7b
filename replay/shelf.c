/* Where replay files are; see shelf.h. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/shelf.h"

char *shelf_path(const char *dir, const char *name, const char *base,
		 uint32_t cpu)
{
	char *path;

	if (asprintf(&path, "%s/%s.%s.%u", dir, name, base, cpu) < 0)
		return NULL;
	return path;
}

uint32_t shelf_next_cpu(const char *dir, const char *name, const char *base,
			uint32_t cpu)
{
	for (; cpu < SHELF_CPUS; cpu++) {
		char *path = shelf_path(dir, name, base, cpu);
		bool there = path && !access(path, R_OK);

		free(path);
		if (there)
			return cpu;
	}
	return cpu;
}

/* --- all devices of a directory ------------------------------------------ */

/* How much of file is a device's name, 0 if it is no replay file. */
static size_t name_length(const char *file, const char *base)
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

static bool is_known(char **names, int count, const char *name, size_t len)
{
	for (int i = 0; i < count; i++)
		if (!strncmp(names[i], name, len) && !names[i][len])
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int shelf_names(const char *dir, const char *base, char ***names)
{
	DIR *d = opendir(dir);
	struct dirent *de;
	char **list = NULL;
	int count = 0;

	if (!d)
		return -errno;
	while ((de = readdir(d))) {
		size_t len = name_length(de->d_name, base);
		char **more;

		if (!len || is_known(list, count, de->d_name, len))
			continue;
		more = realloc(list, (size_t)(count + 1) * sizeof(*list));
		if (!more)
			break;
		list = more;
		list[count] = strndup(de->d_name, len);
		if (!list[count])
			break;
		count++;
	}
	closedir(d);
	if (count)
		qsort(list, (size_t)count, sizeof(*list), by_name);
	*names = list;
	return count;
}
