/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed files as directories; see shelf.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/shelf.h"
#include "pack/format.h"
#include "pack/list.h"

/* 1: path is a regular file; 0: below one, maybe; or -errno */
static int look(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno == ENOTDIR ? 0 : -errno;
	return S_ISREG(st.st_mode) ? 1 : -ENOTDIR;
}

int shelf_split(const char *path, char **file, const char **below)
{
	char *at = strdup(path), *slash;
	int got;

	if (!at)
		return -ENOMEM;
	while (!(got = look(at)) && (slash = strrchr(at, '/')))
		*slash = '\0';
	if (got != 1) {
		free(at);
		return got ? got : -ENOTDIR;
	}
	*file = at;
	*below = path + strlen(at);
	*below += **below == '/';
	return 0;
}

bool shelf_is_packed(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t magic[PACK_MAGIC_LEN];
	ssize_t n = fd < 0 ? 0 : pread(fd, magic, sizeof(magic), 0);

	if (fd >= 0)
		close(fd);
	return n > 0 && pack_is(magic, (size_t)n);
}

/* The part of a member's name in the directory below ("" for the top, maybe with
 * a slash at its end), of *len bytes; NULL: it is not in there. */
static const char *part_in(const struct pack_member *m, const char *below,
			   size_t *len)
{
	size_t skip = strlen(below);
	const char *rest;

	while (skip && below[skip - 1] == '/')
		skip--;
	rest = m->name + skip;
	if (strncmp(m->name, below, skip) || (skip && *rest != '/'))
		return NULL;
	rest += skip != 0;
	*len = strcspn(rest, "/");
	return rest;
}

static int walk_list(const struct pack_list *l, const char *below,
		     folder_each *each, void *ctx)
{
	int err = 0;

	for (size_t i = 0; !err && i < l->count; i++) {
		const struct pack_member *m = &l->members[i];
		struct folder_item item = {
			.fill = m->empty ? FOLDER_EMPTY : FOLDER_FILLED,
		};
		size_t len;
		const char *part = part_in(m, below, &len);
		char *name = part ? strndup(part, len) : NULL;

		if (part && !name)
			return -ENOMEM;
		item.name = name;
		if (name)
			err = each(ctx, &item);
		free(name);
	}
	return err;
}

static int walk_packed(const char *dir, folder_each *each, void *ctx)
{
	struct pack_list l;
	const char *below;
	char *file;
	int err = shelf_split(dir, &file, &below), fd;

	if (err)
		return err;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	free(file);
	if (fd < 0)
		return -errno;
	err = pack_list_read(&l, fd, "");
	close(fd);
	if (err)
		return err == -ENODATA ? -ENOTDIR : err;
	err = walk_list(&l, below, each, ctx);
	pack_list_free(&l);
	return err;
}

int shelf_walk(const char *dir, folder_each *each, void *ctx)
{
	int err = folder_walk_directory(dir, each, ctx);

	return err == -ENOTDIR ? walk_packed(dir, each, ctx) : err;
}
