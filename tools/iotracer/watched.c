/* SPDX-License-Identifier: GPL-2.0-only */
/* A file to watch; see watched.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/sysfs.h"
#include "base/time.h"
#include "blktrace.h"
#include "bpf/bpf.h"
#include "tools/iotracer/watched.h"

static bool is_other(const struct stat *st)
{
	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode);
}

/* Checks the type first, as opening a device or a pipe has effects. */
int watched_open(struct watched *t, const char *path)
{
	struct stat st;
	int err = 0;

	*t = (struct watched){ .path = path, .fd = -1 };
	if (!stat(path, &st) && is_other(&st))
		return WATCHED_OTHER;
	t->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (t->fd < 0 || fstat(t->fd, &st)) {
		err = -errno;
		msg_warn("%s:", path);
	} else if (is_other(&st)) {
		err = WATCHED_OTHER;
	} else {
		t->directory = S_ISDIR(st.st_mode);
	}
	if (err)
		watched_close(t);
	return err;
}

int watched_open_regular(struct watched *t, const char *path)
{
	int err = watched_open(t, path);

	if (err != WATCHED_OTHER && (err || !t->directory))
		return err;
	msg_warn("%s is not a regular file", path);
	watched_close(t);
	return -EINVAL;
}

void watched_close(struct watched *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

/* --- its device -------------------------------------------------------- */

/* The last part of a path, safe as a part of another one. */
static int name_of(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	int n = snprintf(name, size, "%s", slash ? slash + 1 : path);

	return n > 0 && (size_t)n < size ? 0 : -ENAMETOOLONG;
}

/* The kernel's name of a block device, by sysfs' link of its number. */
static int device_name(uint32_t device, char *name, size_t size)
{
	char place[SYSFS_PATH];
	int err = sysfs_place(makedev(BLK_MAJOR(device), BLK_MINOR(device)),
			      place);

	return err ? err : name_of(place, name, size);
}

/*
 * The mount source of a filesystem with several devices, or none, by mountinfo,
 * which has the superblock's number, unlike stat(2).
 */
static int source_name(uint32_t device, char *name, size_t size)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	unsigned int major, minor;
	char *line = NULL, *tail, source[256];
	size_t room = 0;
	int err = -ENODEV;

	while (f && err && getline(&line, &room, f) > 0) {
		tail = strstr(line, " - ");
		if (!tail ||
		    sscanf(line, "%*u %*u %u:%u", &major, &minor) != 2 ||
		    BLK_DEVICE(major, minor) != device)
			continue;
		if (sscanf(tail, " - %*s %255s", source) == 1)
			err = name_of(source, name, size);
	}
	free(line);
	if (f)
		fclose(f);
	return err;
}

bool watched_is_mounted(uint32_t device)
{
	char name[256];

	return source_name(device, name, sizeof(name)) != -ENODEV;
}

/* Whether its data may be on several devices. */
static bool spans_devices(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && (uint32_t)fs.f_type == BTRFS_SUPER_MAGIC;
}

/* The device of its bios, and the device's name. */
static int find_device(struct watched *t, char *name, size_t size)
{
	bool many = spans_devices(t->fd);

	t->file.bdev = many ? 0 : t->found.bdev;
	if (!many && !t->found.bdev) {
		msg_warn("%s has no block device under it (as on tmpfs or NFS):"
			 " its I/O never becomes a bio", t->path);
		return -EPERM;
	}
	if (t->file.bdev && !device_name(t->file.bdev, name, size))
		return 0;
	if (!source_name(t->found.key.device, name, size))
		return 0;
	msg_warn("%s: cannot find the name of its block device",
		 t->path);
	return -ENODEV;
}

/* --- its name ---------------------------------------------------------- */

/* By the kernel's numbers, as stat(2)'s may be a subvolume's. */
int watched_find(struct watched *t, struct bpf *b, bool by_pointer)
{
	char device[24];
	int err = bpf_file_find(b, t->fd, &t->found);

	if (err) {
		msg_warn("%s: %s", t->path, b->why);
		return err;
	}
	err = find_device(t, device, sizeof(device));
	if (err)
		return err;
	t->file.inode = by_pointer ? t->found.inode : 0;
	t->file.key = t->found.key;
	t->file.zero_time = time_now();
	snprintf(t->file.name, sizeof(t->file.name), "%s_%llu", device,
		 (unsigned long long)t->found.key.inode);
	return 0;
}

/* The directory's real path, and the last part unchanged. */
static char *absolute_in(const char *dir, const char *base)
{
	char *real = realpath(dir, NULL), *path = NULL;

	if (real && asprintf(&path, "%s/%s", strcmp(real, "/") ? real : "",
			     base) < 0)
		path = NULL;
	free(real);
	return path;
}

char *watched_absolute(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir, *absolute;

	if (!slash)
		return absolute_in(".", path);
	dir = slash == path ? strdup("/") :
		strndup(path, (size_t)(slash - path));
	if (!dir)
		return NULL;
	absolute = absolute_in(dir, slash + 1);
	free(dir);
	return absolute;
}
