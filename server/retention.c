/* SPDX-License-Identifier: GPL-2.0-only */
/* Old runs; see retention.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/array.h"
#include "server/report.h"
#include "server/retention.h"
#include "server/store.h"
#include "server/tokens.h"

enum {
	/* of a step: runs looked at, and files looked at or removed */
	STEP_RUNS = 32,
	STEP_FILES = 1024,
	STAMP = 20,		/* characters of "-YYYY-MM-DD-HH:MM:SS" */
};

struct ended {
	char *name;
	time_t end;		/* of its last byte */
	uint64_t bytes, files;	/* in it */
};

struct retention {
	struct retention_options o;
	DIR *looking;		/* at all runs; NULL: not now */
	struct ended *list;
	size_t count, size;
	size_t next;		/* of the sorted list, to be removed */
	bool removing;
	bool begun;		/* some files of the next one are gone */
	uint64_t bytes;		/* of all in the list and open ones */
	time_t looked, tested;	/* when last, at all and at free space */
	uint64_t removed, removed_bytes;
	time_t offset;		/* of the time of day to the steady clock */
	bool compared;		/* that is known */
	time_t doubt;		/* on the steady clock: ages do not count before */
	bool ages;		/* they count now */
};

/* --- names ---------------------------------------------------------------- */

static bool is_stamp(const char *text)
{
	static const char form[] = "-dddd-dd-dd-dd:dd:dd";

	for (size_t i = 0; i < STAMP; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' :
				     text[i] != form[i])
			return false;
	return true;
}

bool retention_is_run(const char *name)
{
	size_t len = strlen(name), digits;
	const char *end = name + len;

	while (end > name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	digits = len - (size_t)(end - name);
	/* seconds, or a number after them */
	if (*name == '.')
		return false;
	if (digits && end > name + STAMP + 1 && end[-1] == '-' &&
	    is_stamp(end - 1 - STAMP))
		return true;
	return len > STAMP && is_stamp(name + len - STAMP);
}

/* --- looking -------------------------------------------------------------- */

static void forget(struct retention *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->list[i].name);
	r->count = r->next = 0;
	r->bytes = 0;
	r->removing = r->begun = false;
}

static DIR *open_run(const struct retention *r, const char *name)
{
	int fd = openat(store_directory(r->o.store), name, O_RDONLY | O_DIRECTORY |
			O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Sets what is in it; false: it cannot be read. */
static bool measure(const struct retention *r, struct ended *e)
{
	DIR *dir = open_run(r, e->name);
	const struct dirent *d;
	struct stat st;

	if (!dir)
		return false;
	if (!fstat(dirfd(dir), &st))
		e->end = st.st_mtime;
	while ((d = readdir(dir))) {
		if (is_dots(d->d_name) || fstatat(dirfd(dir), d->d_name, &st,
						  AT_SYMLINK_NOFOLLOW))
			continue;
		e->bytes += (uint64_t)st.st_size;
		e->files++;
		if (st.st_mtime > e->end)
			e->end = st.st_mtime;
	}
	closedir(dir);
	return true;
}

/* Whether it is being written, or may be again. */
static bool is_used(const struct retention *r, const char *name)
{
	return store_is_open(r->o.store, name) ||
	       (r->o.tokens && tokens_has(r->o.tokens, name));
}

/* The number of its files.  Without memory the run stays until the next look. */
static uint64_t add(struct retention *r, const char *name)
{
	struct ended e = { .name = strdup(name) }, *list;

	list = array_reserve(r->list, r->count, &r->size, 64, sizeof(*list));
	if (list)
		r->list = list;
	if (!list || !e.name || !measure(r, &e)) {
		free(e.name);
		return 0;
	}
	r->bytes += e.bytes;
	if (is_used(r, name))
		free(e.name);
	else
		r->list[r->count++] = e;
	return e.files;
}

static int by_end(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void end_look(struct retention *r)
{
	closedir(r->looking);
	r->looking = NULL;
	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), by_end);
	r->removing = true;
}

/* Some more runs; the last ones begin the removal. */
static void look_on(struct retention *r)
{
	uint64_t files = 0;

	for (int i = 0; i < STEP_RUNS && files < STEP_FILES; i++) {
		const struct dirent *d = readdir(r->looking);

		if (!d) {
			end_look(r);
			return;
		}
		if (retention_is_run(d->d_name))
			files += add(r, d->d_name);
	}
}

/* --- removing ------------------------------------------------------------- */

static bool is_full(const struct retention *r)
{
	struct statvfs fs;

	if (!r->o.limits.free || fstatvfs(store_directory(r->o.store), &fs))
		return false;
	return fs.f_bavail < fs.f_blocks / 100 * r->o.limits.free;
}

/* Why the run must go, or NULL. */
static const char *reason(const struct retention *r, const struct ended *e,
			  time_t now)
{
	const struct retention_limits *l = &r->o.limits;

	if (r->begun)
		return "the rest of it";
	if (l->age && r->ages && now > e->end && (uint64_t)(now - e->end) > l->age)
		return "its time is over (--keep)";
	if (l->bytes && r->bytes > l->bytes)
		return "--keep-bytes is reached";
	return is_full(r) ? "too little space is free (--min-free)" : NULL;
}

/* Its files, then itself; 0; -EAGAIN: some are left for the next step; or
 * -errno. */
static int remove_run(const struct retention *r, const char *name)
{
	DIR *dir = open_run(r, name);
	const struct dirent *d;
	int err = dir ? 0 : -errno, files = 0;

	while (dir && !err && (d = readdir(dir))) {
		if (is_dots(d->d_name))
			continue;
		if (unlinkat(dirfd(dir), d->d_name, 0))
			err = -errno;
		else if (++files == STEP_FILES)
			err = -EAGAIN;
	}
	if (dir)
		closedir(dir);
	if (!err && unlinkat(store_directory(r->o.store), name, AT_REMOVEDIR))
		err = -errno;
	return err;
}

/* Its sender's limits no longer count it. */
static void tell_removed(const struct retention *r, const struct ended *e)
{
	char host[NAME_MAX + 1];
	size_t len = strlen(e->name);

	while (len > STAMP && !is_stamp(e->name + len - STAMP))
		len--;
	snprintf(host, sizeof(host), "%.*s", (int)(len - STAMP), e->name);
	/* its directory counts as a file */
	r->o.removed(r->o.ctx, host, e->bytes, e->files + 1);
}

/* The oldest one, if it must go; false: none must. */
static bool remove_next(struct retention *r, time_t now)
{
	const struct ended *e;
	const char *why;
	int err;

	if (r->next == r->count)
		return false;
	e = &r->list[r->next];
	why = reason(r, e, now);
	if (!why)
		return false;
	err = remove_run(r, e->name);
	r->begun = err == -EAGAIN;
	if (r->begun)
		return true;
	r->next++;
	if (err) {
		report_warn(r->o.report, "server: cannot remove %s: %s", e->name,
			    strerror(-err));
		return true;
	}
	report_note(r->o.report, "%s is removed: %s", e->name, why);
	r->bytes -= e->bytes;
	r->removed++;
	r->removed_bytes += e->bytes;
	store_forget(r->o.store, e->bytes);
	tell_removed(r, e);
	return true;
}

/* --- steps ---------------------------------------------------------------- */

/* A clock that was set back must not stop it. */
static bool is_over(time_t since, time_t now, time_t s)
{
	return now < since || now - since >= s;
}

static void begin(struct retention *r, time_t now)
{
	int fd = openat(store_directory(r->o.store), ".", O_RDONLY | O_DIRECTORY |
			O_CLOEXEC);

	forget(r);
	r->looking = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !r->looking)
		close(fd);
	r->looked = now;
}

static void compare_clocks(struct retention *r, time_t now, time_t steady)
{
	time_t jump = now - steady - r->offset;

	if (r->compared && jump > RETENTION_JUMP && r->o.limits.age) {
		r->doubt = steady + RETENTION_DOUBT;
		report_warn(r->o.report, "server: the clock was set forward by"
			    " %lld s: for a day no run is removed by its age"
			    " (--keep)", (long long)jump);
	}
	r->compared = true;
	r->offset = now - steady;
	r->ages = steady >= r->doubt;
}

bool retention_step(struct retention *r, time_t now, time_t steady)
{
	compare_clocks(r, now, steady);
	if (r->looking) {
		look_on(r);
		return true;
	}
	if (r->removing && remove_next(r, now))
		return true;
	r->removing = false;
	if (is_over(r->looked, now, RETENTION_EVERY)) {
		begin(r, now);
		return r->looking != NULL;
	}
	if (!is_over(r->tested, now, 1))
		return false;
	r->tested = now;
	if (is_full(r) && is_over(r->looked, now, RETENTION_FULL))
		begin(r, now);
	return r->looking != NULL;
}

/* --- begin and end -------------------------------------------------------- */

struct retention *retention_new(const struct retention_options *o)
{
	struct retention *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	*r = (struct retention){ .o = *o };
	return r;
}

uint64_t retention_removed(const struct retention *r, uint64_t *bytes)
{
	*bytes = r->removed_bytes;
	return r->removed;
}

void retention_free(struct retention *r)
{
	if (!r)
		return;
	forget(r);
	free(r->list);
	if (r->looking)
		closedir(r->looking);
	free(r);
}
