/* SPDX-License-Identifier: GPL-2.0-only */
/* Segments of one trace; see segments.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "file/segment.h"
#include "file/segments.h"

void segments_free(struct segments *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].path);
	free(s->list);
	*s = (struct segments){ 0 };
}

static unsigned int number_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return segment_number(slash ? slash + 1 : path);
}

static int by_number(const void *a, const void *b)
{
	const struct segments_one *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Takes path over, also on failure; the order is the caller's to make. */
static int append(struct segments *s, char *path)
{
	struct segments_one *list = path ? realloc(s->list, (s->count + 1) *
						   sizeof(*list)) : NULL;

	if (!list) {
		free(path);
		return -ENOMEM;
	}
	s->list = list;
	list[s->count++] = (struct segments_one){ number_of(path), path };
	return 0;
}

int segments_add(struct segments *s, const char *path)
{
	int err;

	if (!number_of(path))
		return -EINVAL;
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->list[i].path, path))
			return 0;
	err = append(s, strdup(path));
	if (!err)
		qsort(s->list, s->count, sizeof(*s->list), by_number);
	return err;
}

static int append_all(struct segments *s, const char *dir, DIR *d)
{
	size_t len = strlen(dir);
	struct dirent *de;
	char *path;
	int err = 0;

	while (!err && (de = readdir(d))) {
		if (!segment_number(de->d_name))
			continue;
		if (text_print(&path, "%s%s%s", dir,
			       len && dir[len - 1] != '/' ? "/" : "",
			       de->d_name) < 0)
			path = NULL;
		err = append(s, path);
	}
	return err;
}

int segments_find(struct segments *s, const char *dir)
{
	DIR *d = opendir(*dir ? dir : ".");
	int err;

	*s = (struct segments){ 0 };
	if (!d)
		return -errno;
	err = append_all(s, dir, d);
	closedir(d);
	if (!err && !s->count)
		err = -ENOENT;
	if (err)
		segments_free(s);
	else
		qsort(s->list, s->count, sizeof(*s->list), by_number);
	return err;
}
