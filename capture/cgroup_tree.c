/* SPDX-License-Identifier: GPL-2.0-only */
/* The cgroups of this machine; see cgroup_tree.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/cgroup_tree.h"
#include "machine/mounts.h"

/* --- own mount ------------------------------------------------------------ */

/* System calls without functions before glibc 2.36; same numbers everywhere. */
enum { FS_OPEN = 430, FS_CONFIG = 431, FS_MOUNT = 432 };

/* their flags: FSOPEN_CLOEXEC and so on */
enum { OPEN_CLOEXEC = 1, CONFIG_CREATE = 6, MOUNT_CLOEXEC = 1 };

int own_mount(const char *kind)
{
	int fs = (int)syscall(FS_OPEN, kind, OPEN_CLOEXEC), root = -1, err;

	if (fs < 0)
		return -errno;
	if (!syscall(FS_CONFIG, fs, CONFIG_CREATE, NULL, NULL, 0))
		root = (int)syscall(FS_MOUNT, fs, MOUNT_CLOEXEC, 0);
	err = -errno;
	close(fs);
	return root < 0 ? err : root;
}

/* --- where it is ---------------------------------------------------------- */

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, word, len) && (!at[len] || at[len] == ',' ||
						at[len] == '\n'))
			return true;
	}
	return false;
}

/*
 * How useful a mount is: a controller is in one tree only, so v1's with blkio
 * wins where it exists; a whole tree is better than a part.
 */
static int rank_of(const char *root, const char *type, const char *options)
{
	int whole = !strcmp(root, "/");

	if (!strcmp(type, "cgroup") && has_word(options, "blkio"))
		return 3 + whole;
	return strcmp(type, "cgroup2") ? 0 : 1 + whole;
}

/* Takes the line's tree if it ranks above best; returns the better rank. */
static int take_line(struct cgroup_tree *t, const char *line, int best)
{
	const char *rest = strstr(line, " - ");
	char *above = NULL, *root = NULL, *type = NULL, *options = NULL;
	int rank = 0;

	if (rest && sscanf(line, "%*u %*u %*s %ms %ms", &above, &root) == 2 &&
	    sscanf(rest, " - %ms %*s %ms", &type, &options) == 2)
		rank = rank_of(above, type, options);
	if (rank > best) {
		cgroup_tree_free(t);
		mounts_unescape(root);
		mounts_unescape(above);
		if (!strcmp(above, "/"))
			*above = '\0';
		*t = (struct cgroup_tree){ root, above, -1 };
		root = above = NULL;
	}
	free(above);
	free(root);
	free(type);
	free(options);
	return rank > best ? rank : best;
}

static int mount_own(struct cgroup_tree *t)
{
	t->fd = own_mount("cgroup2");
	if (t->fd < 0)
		return t->fd == -ENODEV ? -ENOENT : t->fd;
	t->above = strdup("");
	if (asprintf(&t->root, "/proc/self/fd/%d", t->fd) < 0)
		t->root = NULL;
	if (t->root && t->above)
		return 0;
	cgroup_tree_free(t);
	return -ENOMEM;
}

int cgroup_tree_find(struct cgroup_tree *t, const char *mountinfo)
{
	FILE *f = fopen(mountinfo ? mountinfo : "/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int best = 0;

	*t = (struct cgroup_tree){ .fd = -1 };
	while (f && getline(&line, &size, f) > 0)
		best = take_line(t, line, best);
	free(line);
	if (f)
		fclose(f);
	return best ? 0 : mount_own(t);
}

void cgroup_tree_free(struct cgroup_tree *t)
{
	free(t->root);
	free(t->above);
	if (t->fd >= 0)
		close(t->fd);
	*t = (struct cgroup_tree){ .fd = -1 };
}

/* --- ids ------------------------------------------------------------------ */

/*
 * The handle's eight bytes are the kernel's id: an inode number and its
 * generation before Linux 5.5, a 64-bit number since.
 */
int cgroup_tree_id(const char *directory, uint64_t *id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} h = { .handle.handle_bytes = MAX_HANDLE_SZ };
	int mount;

	if (name_to_handle_at(AT_FDCWD, directory, &h.handle, &mount,
			      AT_SYMLINK_FOLLOW))
		return -errno;
	if (h.handle.handle_bytes < sizeof(*id))
		return -EOPNOTSUPP;
	memcpy(id, h.handle.f_handle, sizeof(*id));
	return 0;
}
