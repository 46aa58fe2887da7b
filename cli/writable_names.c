/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of files that an opener is told; see writable_names.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/place.h"
#include "cli/writable_names.h"

/* what is in memory there is as elsewhere */
bool writable_is_special(const char *path)
{
	if (!strncmp(path, "/dev/shm/", 9))
		return false;
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

bool writable_is_own(const char *path)
{
	struct stat st;

	if (writable_is_special(path))
		return true;
	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Takes name.begin over; NULL is for no memory. */
static void add(struct writable_names *n, struct opener_name name)
{
	struct opener_name *list = realloc(n->list,
					   (n->count + 1) * sizeof(*list));

	if (!list || !name.begin)
		msg_die("out of memory");
	list[n->count++] = name;
	n->list = list;
}

static void add_exact(struct writable_names *n, char *path)
{
	add(n, (struct opener_name){ .match = OPENER_EXACT, .begin = path });
}

void writable_names_free(struct writable_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free((char *)(uintptr_t)n->list[i].begin);
	free(n->list);
}

/*
 * A path without links, the caller's: of what is not there yet, it is below the
 * last directory that is.  NULL: it cannot be told.
 */
static char *real_of(const char *path)
{
	size_t len = strlen(path);
	char *copy = strdup(path), *real = NULL, *all = NULL;

	while (copy && !(real = realpath(*copy ? copy : ".", NULL)) && len) {
		while (len && copy[len - 1] == '/')
			len--;
		while (len && copy[len - 1] != '/')
			len--;
		copy[len] = '\0';
	}
	if (real && asprintf(&all, "%s%s%s", real,
			     path[len] && real[1] ? "/" : "", path + len) < 0)
		all = NULL;
	free(real);
	free(copy);
	return all;
}

static void add_pair(struct writable_names *n, const char *path)
{
	add_exact(n, strdup(path));
	add_exact(n, place_part(path));
}

/* a file, and what place_open() makes of it, also after the first time */
static void add_file(struct writable_names *n, const char *path)
{
	char *real = real_of(path);

	if (!writable_is_own(path))
		add_pair(n, path);
	if (real && !writable_is_own(real))
		add_pair(n, real);
	free(real);
}

/* without the / that says it is a directory */
static int name_length(const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	return (int)len;
}

static void add_below(struct writable_names *n, const char *path)
{
	char *below;

	if (asprintf(&below, "%.*s/", name_length(path), path) < 0)
		msg_die("out of memory");
	add(n, (struct opener_name){ .match = OPENER_BELOW, .begin = below });
}

/* All below a directory, it, and those above it that are still to be made. */
static void add_folder(struct writable_names *n, const char *path)
{
	char *real = real_of(path), *part = strdup(path), *slash;

	add_below(n, path);
	if (real)
		add_below(n, real);
	free(real);
	while (part && *part && access(part, F_OK)) {
		add_exact(n, strdup(part));
		slash = strrchr(part, '/');
		*(slash ? slash : part) = '\0';
	}
	free(part);
}

void writable_names_add(struct writable_names *n, const struct writable *w)
{
	if (w->kind == WRITABLE_FILE || w->kind == WRITABLE_EXACT)
		add_file(n, w->name);
	else if (w->kind == WRITABLE_PLAIN)
		add_exact(n, strdup(w->name));
	else if (w->kind == WRITABLE_FOLDER)
		add_folder(n, w->name);
	else
		add(n, (struct opener_name){
			.match = w->kind == WRITABLE_TREES ? OPENER_BELOW :
							     OPENER_ONE,
			.begin = strdup(w->name), .end = w->end,
			.has = w->has });
}

