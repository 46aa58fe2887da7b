/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mounted file systems; see mounts.h.
 *
 * A line of mountinfo: id, parent, major:minor, root, path, options, some more,
 * "-", type, source.  File systems of several devices (btrfs) have major 0, and
 * a device as source.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/json.h"
#include "machine/mounts.h"

/* Blanks, tabs, newlines and backslashes are written as \ooo. */
void mounts_unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && strspn(text + 1, "01234567") >= 3) {
			*to++ = (char)((text[1] - '0') << 6 |
				       (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* The mounted device, by its number or source; 0: none. */
static dev_t device_of(unsigned int major, unsigned int minor,
		       const char *source)
{
	struct stat st;

	if (major)
		return makedev(major, minor);
	return *source == '/' && !stat(source, &st) && S_ISBLK(st.st_mode) ?
		st.st_rdev : 0;
}

/* Takes path and type over. */
static void add(struct mounts *m, dev_t dev, char *path, char *type)
{
	struct mount_point *list = dev ?
		array_reserve(m->list, m->count, &m->size, 16, sizeof(*list)) :
		NULL;

	if (!list) {
		free(path);
		free(type);
		return;
	}
	mounts_unescape(path);
	m->list = list;
	list[m->count++] = (struct mount_point){ dev, path, type };
}

static void add_line(struct mounts *m, const char *line)
{
	const char *rest = strstr(line, " - ");
	char *path = NULL, *type = NULL, *source = NULL;
	unsigned int major, minor;

	if (rest &&
	    sscanf(line, "%*u %*u %u:%u %*s %ms", &major, &minor, &path) == 3 &&
	    sscanf(rest, " - %ms %ms", &type, &source) == 2) {
		mounts_unescape(source);
		add(m, device_of(major, minor, source), path, type);
	} else {
		free(path);
		free(type);
	}
	free(source);
}

void mounts_find(struct mounts *m)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	size_t size = 0;
	char *line = NULL;

	*m = (struct mounts){ .list = NULL };
	while (f && getline(&line, &size, f) > 0)
		add_line(m, line);
	free(line);
	if (f)
		fclose(f);
}

void mounts_write(const struct mounts *m, dev_t dev, struct json *j)
{
	bool any = false;

	for (size_t i = 0; i < m->count; i++) {
		if (m->list[i].dev != dev)
			continue;
		if (!any)
			json_put_array(j, "mounts");
		any = true;
		json_put_object(j, NULL);
		json_put_string(j, "path", m->list[i].path);
		json_put_string(j, "type", m->list[i].type);
		json_put_object_end(j);
	}
	if (any)
		json_put_array_end(j);
}

void mounts_free(struct mounts *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->list[i].path);
		free(m->list[i].type);
	}
	free(m->list);
	*m = (struct mounts){ .list = NULL };
}
