/* SPDX-License-Identifier: GPL-2.0-only */
/* tracefs' option blk_cgroup; see cgroup_switch.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/cgroup_tree.h"
#include "capture/from/cgroup_switch.h"
#include "capture/from/ftrace.h"

#define OPTION "options/blk_cgroup"

/* the file's bytes that are locked; they need not exist */
enum lock {
	LOCK_CHANGE,		/* exclusive, during a change */
	LOCK_WAS_OFF,		/* shared: it was off before the first of us */
};

struct cgroup_switch {
	int fd;
	bool was_off;		/* before the first of us */
};

/* --- locks ---------------------------------------------------------------- */

/* Locks belong to the descriptor, and end with the process. */
static int lock(int fd, enum lock which, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET,
			   .l_start = which, .l_len = 1 };
	int got;

	do
		got = fcntl(fd, F_OFD_SETLKW, &l);
	while (got && errno == EINTR);
	return got ? -errno : 0;
}

static bool others_hold(int fd, enum lock which)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
			   .l_start = which, .l_len = 1 };

	return !fcntl(fd, F_OFD_GETLK, &l) && l.l_type != F_UNLCK;
}

/* --- the option ----------------------------------------------------------- */

static int get(int fd, bool *on)
{
	char text;
	ssize_t got = pread(fd, &text, 1, 0);

	if (got < 0)
		return -errno;
	*on = got && text == '1';
	return got ? 0 : -EIO;
}

static int set(int fd, bool on)
{
	return pwrite(fd, on ? "1" : "0", 1, 0) == 1 ? 0 : -errno;
}

/* tracefs' root, or -errno */
static int open_root(const char *root)
{
	char path[FTRACE_PATH];
	int fd;

	if (!root && !ftrace_find(path))
		root = path;
	if (!root)
		return own_mount("tracefs");
	fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_option(const char *root)
{
	int dir = open_root(root), fd, err;

	if (dir < 0)
		return dir;
	fd = openat(dir, OPTION, O_RDWR | O_CLOEXEC);
	err = errno == ENOENT ? -EOPNOTSUPP : -errno;
	close(dir);
	return fd < 0 ? err : fd;
}

static int turn_on(struct cgroup_switch *s)
{
	bool on = false;
	int err = get(s->fd, &on);

	s->was_off = !on || others_hold(s->fd, LOCK_WAS_OFF);
	return err || on ? err : set(s->fd, true);
}

/* An option that was on before the first of us stays on. */
static int turn_off(struct cgroup_switch *s)
{
	lock(s->fd, LOCK_WAS_OFF, F_UNLCK);
	if (!s->was_off || others_hold(s->fd, LOCK_WAS_OFF))
		return 0;
	return set(s->fd, false);
}

/* --- life ----------------------------------------------------------------- */

int cgroup_switch_on(struct cgroup_switch **out, const char *root)
{
	struct cgroup_switch *s = calloc(1, sizeof(*s));
	int err;

	*out = NULL;
	if (!s)
		return -ENOMEM;
	s->fd = open_option(root);
	err = s->fd < 0 ? s->fd : lock(s->fd, LOCK_CHANGE, F_WRLCK);
	if (!err) {
		err = turn_on(s);
		if (!err && s->was_off)
			err = lock(s->fd, LOCK_WAS_OFF, F_RDLCK);
		lock(s->fd, LOCK_CHANGE, F_UNLCK);
	}
	if (!err) {
		*out = s;
		return 0;
	}
	if (s->fd >= 0)
		close(s->fd);
	free(s);
	return err;
}

int cgroup_switch_off(struct cgroup_switch *s)
{
	int err;

	if (!s)
		return 0;
	err = lock(s->fd, LOCK_CHANGE, F_WRLCK);
	if (!err)
		err = turn_off(s);
	close(s->fd);
	free(s);
	return err;
}
