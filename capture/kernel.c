/* SPDX-License-Identifier: GPL-2.0-only */
/* One device as the kernel traces it; see kernel.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "base/text.h"
#include "blktrace.h"
#include "capture/kernel.h"
#include "capture/span.h"

int kernel_open(struct kernel_trace *t, const char *path)
{
	*t = (struct kernel_trace){ .path = path };
	t->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return t->fd < 0 ? -errno : 0;
}

/* The name becomes part of paths, and must stay in its directory. */
static int copy_name(struct kernel_trace *t, const char *name, size_t size)
{
	size_t len = strnlen(name, size);

	if (!len || len >= sizeof(t->name) || memchr(name, '/', len) ||
	    !strncmp(name, "..", len))
		return -EBADMSG;
	memcpy(t->name, name, len);
	t->name[len] = '\0';
	return 0;
}

static int set_up_7(struct kernel_trace *t, const struct kernel_setup *s)
{
	struct blk_user_trace_setup u = {
		.act_mask = (uint16_t)(s->mask & VERSION_7_MASK),
		.buf_size = s->buf_size,
		.buf_nr = s->buf_nr,
	};

	/* a mask of newer categories only would mean all of them */
	if (version_7_has_none(s->mask))
		return -EOPNOTSUPP;
	if (ioctl(t->fd, BLKTRACESETUP, &u))
		return -errno;
	t->set_up = true;
	t->version = BLK_VERSION_7;
	return copy_name(t, u.name, sizeof(u.name));
}

static int set_up_8(struct kernel_trace *t, const struct kernel_setup *s)
{
	struct blk_user_trace_setup2 u = {
		.act_mask = s->mask,
		.buf_size = s->buf_size,
		.buf_nr = s->buf_nr,
	};

	if (ioctl(t->fd, BLKTRACESETUP2, &u))
		return -errno;
	t->set_up = true;
	t->version = BLK_VERSION_8;
	return copy_name(t, u.name, sizeof(u.name));
}

int kernel_disk(const char *path, char *name, size_t size)
{
	char place[SYSFS_PATH], *slash;
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	if (sysfs_place(st.st_rdev, place))
		return -ENOENT;
	/* a partition's is below its disk's: .../block/sda/sda1 */
	slash = strstr(place, "/block/");
	slash = slash ? slash + sizeof("/block/") - 1 : place;
	slash[strcspn(slash, "/")] = '\0';
	snprintf(name, size, "%s", slash);
	return 0;
}

static bool is_zoned_device(const struct kernel_trace *t)
{
	char name[64];

	return !kernel_disk(t->path, name, sizeof(name)) &&
	       kernel_is_zoned(name);
}

/* Version 7 lacks zone operations and the newer categories. */
static bool wants_8(const struct kernel_trace *t, const struct kernel_setup *s)
{
	if (s->version)
		return s->version == BLK_VERSION_8;
	return (s->mask & ~VERSION_7_MASK) || is_zoned_device(t);
}

int kernel_set_up(struct kernel_trace *t, const struct kernel_setup *s)
{
	int err;

	if (wants_8(t, s)) {
		err = set_up_8(t, s);
		/* an old kernel returns ENOTTY, or a driver's EINVAL */
		if (err != -ENOTTY && err != -EINVAL)
			return err;
	}
	return set_up_7(t, s);
}

int kernel_start(struct kernel_trace *t)
{
	if (ioctl(t->fd, BLKTRACESTART))
		return -errno;
	t->started = true;
	return 0;
}

int kernel_stop(struct kernel_trace *t)
{
	if (!t->started)
		return 0;
	t->started = false;
	return ioctl(t->fd, BLKTRACESTOP) ? -errno : 0;
}

int kernel_tear_down(struct kernel_trace *t)
{
	if (!t->set_up)
		return 0;
	kernel_stop(t);
	t->set_up = false;
	return ioctl(t->fd, BLKTRACETEARDOWN) ? -errno : 0;
}

int kernel_kill(struct kernel_trace *t)
{
	ioctl(t->fd, BLKTRACESTOP);
	return ioctl(t->fd, BLKTRACETEARDOWN) ? -errno : 0;
}

void kernel_close(struct kernel_trace *t)
{
	if (t->fd < 0)
		return;
	kernel_tear_down(t);
	close(t->fd);
	t->fd = -1;
}

bool kernel_is_zoned(const char *name)
{
	char path[512], text[32];

	snprintf(path, sizeof(path), "/sys/class/block/%s/queue/zoned", name);
	if (text_read(path, text, sizeof(text)))
		return false;
	return strncmp(text, "none", 4) != 0;
}

int kernel_dropped(const char *debugfs, const char *name, uint64_t *n)
{
	char path[512];
	int err;

	*n = 0;
	snprintf(path, sizeof(path), "%s/block/%s/dropped", debugfs, name);
	err = text_number(path, n);
	return err == -EINVAL ? -EBADMSG : err;
}
