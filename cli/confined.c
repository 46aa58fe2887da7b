/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up files that are no trace; see confined.h. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/confined.h"
#include "confine/places.h"
#include "confine/wanted.h"

/* in a trace's directory are those of segments, and in these its files */
enum { LEVELS = 2 };

/*
 * Locales and their converters, time zones, how many CPUs there are.  What is
 * not there need not be.
 */
static const char *const systems[] = {
	"/usr", "/lib", "/lib64", "/etc/localtime", "/etc/timezone",
	"/sys/devices/system/cpu", "/proc/stat", "/dev/urandom",
};

/*
 * All of it: what has not been found will be reported by who wants to open it.
 * Whether it is there.
 */
static bool allow(struct places *p, const char *path, enum place_use use)
{
	return path && places_allow(p, path, use) != -ENOENT;
}

/* a file of these is itself, and has no place where others are made; but what
 * is in memory there is as elsewhere */
static bool is_special(const char *path)
{
	if (!strncmp(path, "/dev/shm/", 9))
		return false;
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* The directory that path is in; whether it is there. */
static bool allow_around(struct places *p, const char *path,
			 enum place_use use)
{
	const char *slash = strrchr(path, '/');
	char *around;
	bool there;

	if (is_special(path))
		return true;
	if (!slash || slash == path)
		return allow(p, slash ? "/" : ".", use);
	around = strndup(path, (size_t)(slash - path));
	there = allow(p, around, use);
	free(around);
	return there;
}

/* The nearest directory above path that is there: others will be made in it. */
static void allow_above(struct places *p, const char *path)
{
	char *part = strdup(path), *slash;

	while (part && !allow_around(p, part, PLACE_KEEP) &&
	       (slash = strrchr(part, '/')))
		*slash = '\0';
	free(part);
}

/* --- links ---------------------------------------------------------------- */

/* how links are followed */
struct follow {
	const char *begin;	/* of those whose names begin so */
	enum place_use use;
	int levels;		/* of directories below that one */
};

static void allow_links(struct places *p, const char *path,
			const struct follow *f);

static void allow_entry(struct places *p, const char *path,
			const struct dirent *e, const struct follow *f)
{
	const struct follow below = { "", f->use, f->levels - 1 };
	char entry[PATH_MAX];

	if (snprintf(entry, sizeof(entry), "%s/%s", path, e->d_name) >=
	    (int)sizeof(entry))
		return;
	if (e->d_type == DT_LNK || e->d_type == DT_UNKNOWN)
		allow(p, entry, f->use);
	if (e->d_type != DT_REG && f->levels > 0)
		allow_links(p, entry, &below);
}

/* What links in a directory lead to. */
static void allow_links(struct places *p, const char *path,
			const struct follow *f)
{
	size_t len = strlen(f->begin);
	const struct dirent *e;
	DIR *dir = opendir(path);

	if (!dir)
		return;
	while ((e = readdir(dir)))
		if (!strncmp(e->d_name, f->begin, len) &&
		    strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			allow_entry(p, path, e, f);
	closedir(dir);
}

/* The same of those beside path that begin with its last part. */
static void allow_links_beside(struct places *p, char *path,
			       enum place_use use)
{
	char *slash = strrchr(path, '/');
	const struct follow f = { slash ? slash + 1 : path, use, 0 };

	if (slash)
		*slash = '\0';
	allow_links(p, !slash ? "." : *path ? path : "/", &f);
	if (slash)
		*slash = '/';
}

/*
 * NAME.blktrace.CPU and what else begins with a trace's name, which one of these
 * may stand for.
 */
static void allow_links_of(struct places *p, char *path)
{
	static const struct follow all = { "", PLACE_READ, LEVELS };
	char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	char *tail = strstr(file, ".blktrace.");

	allow_links(p, path, &all);
	if (tail > file)
		*tail = '\0';
	allow_links_beside(p, path, PLACE_READ);
}

/* --- names ---------------------------------------------------------------- */

/* It may also be a device's, of which a trace is in the directory. */
static void allow_name(struct places *p, const struct confined *c,
		       const char *name, enum place_use use)
{
	char path[PATH_MAX];
	int len = c->directory && *name != '/' ?
		  snprintf(path, sizeof(path), "%s/%s", c->directory, name) :
		  snprintf(path, sizeof(path), "%s", name);

	if (len >= (int)sizeof(path))
		return;
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	allow(p, path, use);
	if (is_special(path)) {
		allow(p, c->directory ? c->directory : ".", use);
		return;
	}
	allow_around(p, path, use);
	allow_links_of(p, path);
}

/* --- outputs -------------------------------------------------------------- */

/* What a link leads to is made there, too. */
static void allow_target(struct places *p, const char *link)
{
	const char *slash = strrchr(link, '/');
	char to[PATH_MAX], path[PATH_MAX];
	int dir = slash ? (int)(slash - link) + 1 : 0;
	ssize_t len = readlink(link, to, sizeof(to));

	if (len <= 0 || len == sizeof(to))
		return;
	if (*to == '/')
		dir = 0;
	if (snprintf(path, sizeof(path), "%.*s%.*s", dir, link, (int)len, to) <
	    (int)sizeof(path))
		allow_around(p, path, PLACE_KEEP);
}

/* A file that is made whole elsewhere is renamed to where a link leads to. */
static void allow_output(struct places *p, const char *path)
{
	char *real;

	if (!path || !strcmp(path, "-"))
		return;
	allow(p, path, PLACE_WRITE);
	allow_above(p, path);
	real = realpath(path, NULL);
	if (real)
		allow_around(p, real, PLACE_KEEP);
	else
		allow_target(p, path);
	free(real);
}

static void allow_folder(struct places *p, const char *path)
{
	if (path && !allow(p, path, PLACE_KEEP))
		allow_above(p, path);
}

static void allow_beside(struct places *p, const struct confined *c,
			 const char *name)
{
	const char *in = c->beside_in;
	char path[PATH_MAX];

	if (!c->beside ||
	    snprintf(path, sizeof(path), "%s%s%s%s", in ? in : "",
		     in ? "/" : "", name, c->beside) >= (int)sizeof(path))
		return;
	allow_output(p, path);
	allow_links_beside(p, path, PLACE_WRITE);
}

/* --- all of it ------------------------------------------------------------ */

static void allow_system(struct places *p)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		allow(p, systems[i], PLACE_READ);
	allow(p, getenv("LOCPATH"), PLACE_READ);
	allow(p, getenv("TZDIR"), PLACE_READ);
	allow(p, "/dev/null", PLACE_WRITE);
	allow(p, "/dev/tty", PLACE_WRITE);
}

static void allow_others(struct places *p, const char *others)
{
	while (others && *others) {
		size_t len = strcspn(others, ":");
		char *path = strndup(others, len);

		allow(p, path, PLACE_READ);
		free(path);
		others += len + (others[len] == ':');
	}
}

static void allow_all(struct places *p, const struct confined *c)
{
	enum place_use use = c->keeps ? PLACE_KEEP : PLACE_READ;

	allow_system(p);
	allow_others(p, c->others);
	allow(p, c->directory, use);
	for (size_t i = 0; i < c->count; i++) {
		allow_name(p, c, c->names[i], use);
		allow_beside(p, c, c->names[i]);
	}
	for (size_t i = 0; i < CONFINED_OUTPUTS; i++)
		allow_output(p, c->outputs[i]);
	for (size_t i = 0; i < CONFINED_FOLDERS; i++)
		allow_folder(p, c->folders[i]);
}

void confined_enter(const struct confined *c)
{
	struct places p;

	if (!confine_is_wanted() || places_open(&p, true))
		return;
	allow_all(&p, c);
	places_enforce(&p);
}
