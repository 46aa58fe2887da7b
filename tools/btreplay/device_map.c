/* SPDX-License-Identifier: GPL-2.0-only */
/* The devices to replay on; see device_map.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/btreplay/device_map.h"

static int add(struct device_map *m, char *from, char *to)
{
	struct device_map_pair *pairs =
		realloc(m->pairs, (m->count + 1) * sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	m->pairs = pairs;
	pairs[m->count++] = (struct device_map_pair){ from, to };
	return 0;
}

int device_map_read(struct device_map *m, const char *path)
{
	FILE *f = fopen(path, "re");
	char *from = NULL, *to = NULL;
	int got, err = 0;

	if (!f)
		return -errno;
	while (!err && (got = fscanf(f, "%ms %ms", &from, &to)) == 2) {
		err = add(m, from, to);
		if (!err)
			from = to = NULL;
	}
	if (!err && got == 1)
		err = -ENODATA;
	if (!err && ferror(f))
		err = -errno;
	free(from);
	free(to);
	fclose(f);
	return err;
}

const char *device_map_find(const struct device_map *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->pairs[i].from, name))
			return m->pairs[i].to;
	return name;
}

void device_map_free(struct device_map *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->pairs[i].from);
		free(m->pairs[i].to);
	}
	free(m->pairs);
	*m = (struct device_map){ 0 };
}

/* --- nodes --------------------------------------------------------------- */

/* Names, which may come from file names, must not lead out of /dev. */
static bool stays_below(const char *path)
{
	while (*path) {
		size_t len = strcspn(path, "/");

		if (!len || (len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
		if (*path && !*++path)
			return false;
	}
	return true;
}

static char *node_below_dev(const char *name)
{
	char *node;

	if (!*name || !stays_below(name)) {
		errno = EINVAL;
		return NULL;
	}
	return asprintf(&node, "/dev/%s", name) < 0 ? NULL : node;
}

char *device_map_node(const char *name)
{
	char *node = node_below_dev(name), *other, *parts;

	if (!node || !access(node, F_OK) || !strchr(name, '_'))
		return node;
	parts = strdup(name);
	if (!parts) {
		free(node);
		return NULL;
	}
	for (char *p = parts; *p; p++)
		*p = *p == '_' ? '/' : *p;
	other = node_below_dev(parts);
	free(parts);
	free(node);
	return other;
}
