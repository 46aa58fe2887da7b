/* SPDX-License-Identifier: GPL-2.0-only */
/* Run directories and files; see store.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/ring.h"
#include "machine/card.h"
#include "server/store.h"

enum {
	DIR_BASE = 96,		/* address, interface, time */
	DIR_NAME = DIR_BASE + 9,	/* and a number */
	FILE_NAME = 64,		/* device, ".blktrace.", CPU */
	DIR_TRIES = 16,		/* at making one */
	NUMBER_MAX = 1 << 20,	/* of runs of one address in one second */
};

struct store {
	int dir;
	bool made;		/* we made the directory */
	uint64_t bytes;		/* stored so far */
	uint64_t max_bytes;
	unsigned int open, max_open;
	struct ring used;	/* open files, last used first */
	struct ring dirs;	/* open directories */
};

struct store_dir {
	struct ring ring;	/* of open ones */
	struct store *store;
	int dir;
	char name[DIR_NAME];
};

struct store_file {
	struct ring ring;	/* first member: its address is the file's */
	struct store_dir *in;
	int fd;			/* -1: not open, not in the ring */
	char name[FILE_NAME];
};

/* --- the store ------------------------------------------------------------ */

static int open_directory(int at, const char *name, int flags)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);

	return fd < 0 ? -errno : fd;
}

int store_new(struct store **s, const struct store_options *o)
{
	bool made = !mkdir(o->directory, 0755);
	int dir;

	if (!made && errno != EEXIST)
		return -errno;
	/* named by the administrator, so it may be a link */
	dir = open_directory(AT_FDCWD, o->directory, 0);
	if (dir < 0)
		return dir;
	*s = calloc(1, sizeof(**s));
	if (!*s) {
		close(dir);
		return -ENOMEM;
	}
	(*s)->dir = dir;
	(*s)->made = made;
	(*s)->max_bytes = o->max_bytes ? o->max_bytes : UINT64_MAX;
	(*s)->max_open = o->max_open;
	ring_init(&(*s)->used);
	ring_init(&(*s)->dirs);
	return 0;
}

int store_directory(const struct store *s)
{
	return s->dir;
}

bool store_is_new(const struct store *s)
{
	return s->made;
}

uint64_t store_free_files(const struct store *s)
{
	struct statvfs fs;

	/* some file systems make inodes as needed */
	if (fstatvfs(s->dir, &fs) || !fs.f_files)
		return UINT64_MAX;
	return fs.f_favail;
}

bool store_is_open(const struct store *s, const char *name)
{
	const struct ring *at = s->dirs.next;

	while (at != &s->dirs && strcmp(((const struct store_dir *)at)->name,
					name))
		at = at->next;
	return at != &s->dirs;
}

void store_forget(struct store *s, uint64_t bytes)
{
	s->bytes -= bytes < s->bytes ? bytes : s->bytes;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	close(s->dir);
	free(s);
}

/* --- directories ---------------------------------------------------------- */

/* Sets f's name for the n-th run of that address and second, from 1. */
static void set_name(struct store_dir *f, const char *base, unsigned int n)
{
	if (n == 1)
		snprintf(f->name, sizeof(f->name), "%s", base);
	else
		snprintf(f->name, sizeof(f->name), "%s-%u", base, n);
}

static bool is_taken(struct store_dir *f, const char *base, unsigned int n)
{
	struct stat st;

	set_name(f, base, n);
	return !fstatat(f->store->dir, f->name, &st, AT_SYMLINK_NOFOLLOW) ||
	       errno != ENOENT;
}

/*
 * The first free name after used ones, found by doubling, then halving: trying
 * all names would take n squared steps for n runs.
 */
static unsigned int find_number(struct store_dir *f, const char *base)
{
	unsigned int taken = 1, n = 2;

	for (; n < NUMBER_MAX && is_taken(f, base, n); n *= 2)
		taken = n;
	while (n - taken > 1) {
		unsigned int middle = taken + (n - taken) / 2;

		if (is_taken(f, base, middle))
			taken = middle;
		else
			n = middle;
	}
	return n;
}

/* Makes a new directory, and never takes an existing one or a link. */
static int make_fresh(struct store_dir *f, const char *host, time_t when)
{
	char base[DIR_BASE], stamp[32];
	unsigned int n = 1;
	struct tm tm;

	if (!gmtime_r(&when, &tm))
		return -EOVERFLOW;
	strftime(stamp, sizeof(stamp), "%Y-%m-%d-%H:%M:%S", &tm);
	snprintf(base, sizeof(base), "%s-%s", host, stamp);
	/* again if another server has just made it */
	for (int i = 0; i < DIR_TRIES && n < NUMBER_MAX; i++) {
		set_name(f, base, n);
		if (!mkdirat(f->store->dir, f->name, 0755))
			return 0;
		if (errno != EEXIST)
			return -errno;
		n = find_number(f, base);
	}
	return -EEXIST;
}

/* Opens the directory of f's name: 0 and *out, which is f; or -errno, and f is
 * freed. */
static int open_dir(struct store_dir *f, struct store_dir **out)
{
	f->dir = open_directory(f->store->dir, f->name, O_NOFOLLOW);
	if (f->dir < 0) {
		int err = f->dir;

		free(f);
		return err;
	}
	/* who follows the store sees by it that more is to come */
	flock(f->dir, LOCK_EX | LOCK_NB);
	ring_put_last(&f->store->dirs, &f->ring);
	*out = f;
	return 0;
}

int store_dir_new(struct store *s, const char *host, time_t when,
		  struct store_dir **out)
{
	struct store_dir *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->store = s;
	err = make_fresh(f, host, when);
	if (err) {
		free(f);
		return err;
	}
	return open_dir(f, out);
}

int store_dir_open(struct store *s, const char *name, struct store_dir **out)
{
	struct store_dir *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->store = s;
	snprintf(f->name, sizeof(f->name), "%s", name);
	return open_dir(f, out);
}

const char *store_dir_name(const struct store_dir *f)
{
	return f->name;
}

static void name_file(char name[FILE_NAME], const char *device, uint32_t cpu)
{
	snprintf(name, FILE_NAME, "%s.blktrace.%u", device, cpu);
}

/* Refuses what another user may have put there: a FIFO would block, and a
 * device do anything. */
static int open_own(const struct store_dir *f, const char *name, int flags)
{
	int fd = openat(f->dir, name, O_WRONLY | O_CREAT | O_NOFOLLOW |
			O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, 0666);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -EEXIST;
}

static int open_for_append(const struct store_dir *f, const char *name)
{
	return open_own(f, name, O_APPEND);
}

int store_dir_add(struct store_dir *f, const char *device, uint32_t cpu)
{
	char name[FILE_NAME];
	int fd;

	name_file(name, device, cpu);
	fd = open_for_append(f, name);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

bool store_dir_has(const struct store_dir *f, const char *device, uint32_t cpu)
{
	char name[FILE_NAME];
	struct stat st;

	name_file(name, device, cpu);
	return !fstatat(f->dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && !strcmp(name + len - end, suffix);
}

int store_dir_find(const struct store_dir *f, const char *suffix, char *name,
		   size_t size)
{
	int fd = open_directory(f->dir, ".", 0);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	bool found = false;

	if (fd < 0)
		return fd;
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while (!found && (d = readdir(dir))) {
		found = ends_in(d->d_name, suffix) && strlen(d->d_name) < size;
		if (found)
			strcpy(name, d->d_name);
	}
	closedir(dir);
	return found;
}

static int write_some(int fd, const char *p, size_t len, size_t *stored)
{
	while (*stored < len) {
		ssize_t n = write(fd, p + *stored, len - *stored);

		if (n >= 0)
			*stored += (size_t)n;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

/* The confined server can neither remove nor rename the old card. */
static int write_over(int fd, const void *bytes, size_t len, size_t *stored)
{
	int err = write_some(fd, bytes, len, stored);

	if (!err && ftruncate(fd, (off_t)len))
		err = -errno;
	return err;
}

int store_dir_card(struct store_dir *f, const char *device, const void *bytes,
		   size_t len)
{
	struct store *s = f->store;
	char name[FILE_NAME];
	size_t stored = 0;
	int fd, err;

	if (len > s->max_bytes - s->bytes)
		return -EDQUOT;
	snprintf(name, sizeof(name), "%s" CARD_SUFFIX, device);
	fd = open_own(f, name, 0);
	if (fd < 0)
		return fd;
	err = write_over(fd, bytes, len, &stored);
	close(fd);
	s->bytes += stored;
	return err;
}

void store_dir_free(struct store_dir *f)
{
	if (!f)
		return;
	ring_take(&f->ring);
	close(f->dir);
	free(f);
}

/* --- files ---------------------------------------------------------------- */

struct store_file *store_file_named(struct store_dir *f, const char *name)
{
	struct store_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->in = f;
	file->fd = -1;
	snprintf(file->name, sizeof(file->name), "%s", name);
	return file;
}

struct store_file *store_file_new(struct store_dir *f, const char *device,
				  uint32_t cpu)
{
	char name[FILE_NAME];

	name_file(name, device, cpu);
	return store_file_named(f, name);
}

/* Ignores errors of close(), as the data is written. */
static void file_close(struct store_file *file)
{
	if (file->fd < 0)
		return;
	ring_take(&file->ring);
	close(file->fd);
	file->fd = -1;
	file->in->store->open--;
}

/* Opens the file if it is closed, and may close the least recently used. */
static int file_use(struct store_file *file)
{
	struct store *s = file->in->store;

	if (file->fd >= 0) {
		ring_take(&file->ring);
		ring_put_first(&s->used, &file->ring);
		return 0;
	}
	if (s->open >= s->max_open)
		file_close((struct store_file *)s->used.prev);
	file->fd = open_for_append(file->in, file->name);
	if (file->fd < 0)
		return file->fd;
	ring_put_first(&s->used, &file->ring);
	s->open++;
	return 0;
}

int store_file_write(struct store_file *file, const void *bytes, size_t len,
		     size_t *stored)
{
	struct store *s = file->in->store;
	uint64_t room = s->max_bytes - s->bytes;
	size_t fits = len < room ? len : (size_t)room;
	int err;

	*stored = 0;
	err = file_use(file);
	if (err)
		return err;
	err = write_some(file->fd, bytes, fits, stored);
	s->bytes += *stored;
	return !err && fits < len ? -EDQUOT : err;
}

int store_file_length(struct store_file *file, uint64_t *length)
{
	struct stat st;
	int err = file_use(file);

	if (!err && fstat(file->fd, &st))
		err = -errno;
	if (!err)
		*length = (uint64_t)st.st_size;
	return err;
}

int store_file_reader(const struct store_file *file)
{
	int fd = openat(file->in->dir, file->name, O_RDONLY | O_NOFOLLOW |
			O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Only a run that is resumed is read, once. */
ssize_t store_file_read(struct store_file *file, uint64_t from, void *bytes,
			size_t len)
{
	int fd = store_file_reader(file);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = pread(fd, bytes, len, (off_t)from);
	if (n < 0)
		n = -errno;
	close(fd);
	return n;
}

int store_file_cut(struct store_file *file, uint64_t n)
{
	uint64_t length;
	int err = store_file_length(file, &length);

	if (!err && ftruncate(file->fd, (off_t)(length - n)))
		err = -errno;
	if (!err)
		store_forget(file->in->store, n);
	return err;
}

void store_file_free(struct store_file *file)
{
	if (!file)
		return;
	file_close(file);
	free(file);
}
