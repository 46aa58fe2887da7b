/* SPDX-License-Identifier: GPL-2.0-only */
/* A device to replay on; see target.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/text.h"
#include "tools/btreplay/scan.h"
#include "tools/btreplay/target.h"

/* --- guard ---------------------------------------------------------------- */

enum { PATH_ROOM = 512 };

/* the device, or one that shares sectors with it */
struct part {
	dev_t dev;
	uint64_t start, end;	/* sectors of the device */
};

struct look {
	struct guard_uses *uses;
	const char *root;
	struct part *parts;
	unsigned int count;
	int error;
};

void guard_free(struct guard_uses *u)
{
	free(u->list);
	*u = (struct guard_uses){ 0 };
}

/* --- what is found ------------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static void add_use(struct look *l, const struct part *p, const char *fmt, ...)
{
	struct guard_uses *u = l->uses;
	struct region *list = realloc(u->list, (u->count + 1) * sizeof(*list));
	struct region *r;
	va_list ap;

	if (!list) {
		l->error = -ENOMEM;
		return;
	}
	u->list = list;
	r = &list[u->count++];
	*r = (struct region){ .start = p->start, .end = p->end };
	va_start(ap, fmt);
	vsnprintf(r->what, sizeof(r->what), fmt, ap);
	va_end(ap);
}

static void add_part(struct look *l, dev_t dev, uint64_t start, uint64_t end)
{
	struct part *parts = realloc(l->parts, (l->count + 1) * sizeof(*parts));

	if (!parts) {
		l->error = -ENOMEM;
		return;
	}
	l->parts = parts;
	parts[l->count++] = (struct part){ dev, start, end };
}

static const struct part *part_of(const struct look *l, dev_t dev)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (l->parts[i].dev == dev)
			return &l->parts[i];
	return NULL;
}

/* The part with the node at path, or NULL. */
static const struct part *part_at(const struct look *l, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		return NULL;
	return part_of(l, st.st_rdev);
}

/* --- text files ---------------------------------------------------------- */

/* A path below the root; "" (no file) if too long. */
__attribute__((format(printf, 3, 4)))
static const char *path_to(const struct look *l, char path[PATH_ROOM],
			   const char *fmt, ...)
{
	size_t len = (size_t)snprintf(path, PATH_ROOM, "%s", l->root);
	va_list ap;
	int n;

	if (len < PATH_ROOM) {
		va_start(ap, fmt);
		n = vsnprintf(path + len, PATH_ROOM - len, fmt, ap);
		va_end(ap);
		len += (size_t)n;
	}
	if (len >= PATH_ROOM)
		*path = '\0';
	return path;
}

static DIR *open_list(const struct look *l, const char *path)
{
	char whole[PATH_ROOM];

	if ((size_t)snprintf(whole, sizeof(whole), "%s%s", l->root, path) >=
	    sizeof(whole))
		return NULL;
	return opendir(whole);
}

/* The number in a file of sysfs; 0: none. */
static uint64_t number_in(const struct look *l, const char *dir,
			  const char *name, const char *file)
{
	char path[PATH_ROOM];
	uint64_t n = 0;

	text_number(path_to(l, path, "%s/%s/%s", dir, name, file), &n);
	return n;
}

/* "major:minor" in a file of sysfs; false: none. */
static bool dev_in(const struct look *l, const char *dir, const char *name,
		   dev_t *dev)
{
	char path[PATH_ROOM];

	return !text_device(path_to(l, path, "%s/%s/dev", dir, name), dev);
}

/* --- parts --------------------------------------------------------------- */

/* A device's directory in sysfs. */
static void sysfs_of(char *path, size_t size, dev_t dev)
{
	snprintf(path, size, "/sys/dev/block/%u:%u", major(dev), minor(dev));
}

/* A disk's partitions are subdirectories with a number. */
static void find_partitions(struct look *l, const char *sysfs)
{
	DIR *d = open_list(l, sysfs);
	struct dirent *de;
	dev_t dev;

	while (d && (de = readdir(d))) {
		uint64_t start;

		if (de->d_name[0] == '.' ||
		    !number_in(l, sysfs, de->d_name, "partition") ||
		    !dev_in(l, sysfs, de->d_name, &dev))
			continue;
		start = number_in(l, sysfs, de->d_name, "start");
		add_part(l, dev, start,
			 start + number_in(l, sysfs, de->d_name, "size"));
	}
	if (d)
		closedir(d);
}

static void find_parts(struct look *l, dev_t dev)
{
	char sysfs[64];
	dev_t disk;

	sysfs_of(sysfs, sizeof(sysfs), dev);
	add_part(l, dev, 0, UINT64_MAX);
	if (number_in(l, sysfs, ".", "partition") &&
	    dev_in(l, sysfs, "..", &disk))
		add_part(l, disk, 0, UINT64_MAX);
	find_partitions(l, sysfs);
}

/* --- uses ---------------------------------------------------------------- */

/* Devices built on a part: dm, md, loop and so on. */
static void find_holders(struct look *l, const struct part *p)
{
	char path[96];
	size_t len;
	struct dirent *de;
	DIR *d;

	sysfs_of(path, sizeof(path), p->dev);
	len = strlen(path);
	snprintf(path + len, sizeof(path) - len, "/holders");
	d = open_list(l, path);
	while (d && (de = readdir(d)))
		if (de->d_name[0] != '.')
			add_use(l, p, "held by %.64s", de->d_name);
	if (d)
		closedir(d);
}

/*
 * A line of mountinfo: numbers, device, root, mount point, options, a dash,
 * type, source.  A file system on several devices has a different number, and
 * one of the devices as its source.
 */
static void check_mount(struct look *l, const char *line)
{
	const char *dash = strstr(line, " - ");
	char point[128], source[256] = "";
	unsigned int major, minor;
	const struct part *p;

	if (!dash || sscanf(line, "%*d %*d %u:%u %*s %127s", &major, &minor,
			    point) != 3)
		return;
	p = part_of(l, makedev(major, minor));
	if (!p && sscanf(dash + 3, "%*s %255s", source) == 1)
		p = part_at(l, source);
	if (p)
		add_use(l, p, "mounted on %s", point);
}

static void find_mounts(struct look *l)
{
	char path[PATH_ROOM], *line = NULL;
	FILE *f = fopen(path_to(l, path, "/proc/self/mountinfo"), "re");
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0)
		check_mount(l, line);
	free(line);
	if (f)
		fclose(f);
}

static void find_swap(struct look *l)
{
	char path[PATH_ROOM], used[256], *line = NULL;
	FILE *f = fopen(path_to(l, path, "/proc/swaps"), "re");
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0) {
		const struct part *p = sscanf(line, "%255s", used) == 1 ?
					       part_at(l, used) : NULL;

		if (p)
			add_use(l, p, "used for swap");
	}
	free(line);
	if (f)
		fclose(f);
}

/* --- processes ----------------------------------------------------------- */

static bool is_number(const char *name)
{
	return isdigit((unsigned char)name[0]);
}

/* Whether a process has its descriptor open for writing. */
static bool is_for_writing(const struct look *l, const char *pid,
			   const char *fd)
{
	char path[PATH_ROOM], line[64];
	FILE *f = fopen(path_to(l, path, "/proc/%s/fdinfo/%s", pid, fd), "re");
	unsigned int flags = O_RDONLY;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	if (f)
		fclose(f);
	return (flags & O_ACCMODE) != O_RDONLY;
}

static void add_writer(struct look *l, const struct part *p, const char *pid)
{
	char path[PATH_ROOM], name[32];
	int err = text_read(path_to(l, path, "/proc/%s/comm", pid), name,
			    sizeof(name));

	add_use(l, p, "open for writing by process %s (%s)", pid,
		err ? "?" : name);
}

static void check_process(struct look *l, const char *pid)
{
	char path[64];
	struct dirent *de;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	d = open_list(l, path);
	while (d && (de = readdir(d))) {
		const struct part *p = NULL;
		struct stat st;

		if (is_number(de->d_name) &&
		    !fstatat(dirfd(d), de->d_name, &st, 0) &&
		    S_ISBLK(st.st_mode))
			p = part_of(l, st.st_rdev);
		if (p && is_for_writing(l, pid, de->d_name)) {
			add_writer(l, p, pid);
			break;
		}
	}
	if (d)
		closedir(d);
}

static void find_writers(struct look *l)
{
	DIR *d = open_list(l, "/proc");
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (is_number(de->d_name) && atoi(de->d_name) != getpid())
			check_process(l, de->d_name);
	if (d)
		closedir(d);
}

int guard_find(struct guard_uses *u, const char *root, dev_t dev)
{
	struct look l = { .uses = u, .root = root };

	*u = (struct guard_uses){ 0 };
	find_parts(&l, dev);
	for (unsigned int i = 0; i < l.count; i++)
		find_holders(&l, &l.parts[i]);
	find_mounts(&l);
	find_swap(&l);
	find_writers(&l);
	free(l.parts);
	if (l.error)
		guard_free(u);
	return l.error;
}

/* --- target --------------------------------------------------------------- */

enum { REFUSED = 1, FAILED = 2 };

static int fail(const char *node, int err)
{
	msg_warn("cannot open %s: %s: Failed device open%s", node,
		 strerror(err),
		 err == ENOENT ? ", map the name to one that is here with"
		 " -M" : "");
	return FAILED;
}

static int refuse_busy(const char *node)
{
	msg_warn("%s is in use, mounted or held: nothing is written to it"
		 " (--force would)", node);
	return REFUSED;
}

/* Reads need neither write access nor an exclusive open. */
static int flags_for(const struct target_options *o)
{
	if (o->look_only)
		return O_RDONLY | O_NONBLOCK | O_CLOEXEC;
	if (!o->write)
		return O_RDONLY | O_DIRECT | O_CLOEXEC;
	return O_RDWR | O_DIRECT | O_CLOEXEC | (o->force ? 0 : O_EXCL);
}

/* Before opening, to name the uses. */
static int find_uses(struct target *t, const struct target_options *o)
{
	struct stat st;

	if (stat(t->node, &st))
		return fail(t->node, errno);
	if (!S_ISBLK(st.st_mode)) {
		msg_warn("%s is not a block device: Failed device open",
			 t->node);
		return FAILED;
	}
	if (guard_find(&t->uses, "", st.st_rdev)) {
		msg_warn("out of memory");
		return FAILED;
	}
	if (!o->write || o->force || o->look_only || !t->uses.count)
		return 0;
	for (unsigned int i = 0; i < t->uses.count; i++)
		msg_warn("%s is %s: nothing is written to it (--force would)",
			 t->node, t->uses.list[i].what);
	return REFUSED;
}

static int open_node(struct target *t, const struct target_options *o)
{
	unsigned long long bytes = 0;
	struct stat st;

	t->fd = open(t->node, flags_for(o));
	if (t->fd < 0)
		return errno == EBUSY ? refuse_busy(t->node) :
					fail(t->node, errno);
	/* the node may have been replaced since the check */
	if (fstat(t->fd, &st) || !S_ISBLK(st.st_mode) ||
	    ioctl(t->fd, BLKGETSIZE64, &bytes)) {
		msg_warn("cannot get the size of %s:", t->node);
		return FAILED;
	}
	t->sectors = bytes / 512;
	return 0;
}

int target_open(struct target *t, const char *node,
		const struct target_options *o)
{
	int status;

	*t = (struct target){ .fd = -1, .node = strdup(node) };
	if (!t->node) {
		msg_warn("out of memory");
		return FAILED;
	}
	status = find_uses(t, o);
	if (!status)
		status = open_node(t, o);
	if (status)
		target_close(t);
	return status;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	guard_free(&t->uses);
	free(t->node);
	t->node = NULL;
}
