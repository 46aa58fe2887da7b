/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a program may make and write; see writable.h. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/opener.h"
#include "base/place.h"
#include "cli/writable.h"
#include "confine/places.h"

/* --- writable names ------------------------------------------------------- */

/* what is in memory there is as elsewhere */
bool writable_is_special(const char *path)
{
	if (!strncmp(path, "/dev/shm/", 9))
		return false;
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* whether the process can only open it by itself: that, a FIFO or a device */
static bool writable_is_own(const char *path)
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

static void writable_names_free(struct writable_names *n)
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

/* Adds all names of one; ends the program if there is no memory. */
static void writable_names_add(struct writable_names *n,
			       const struct writable *w)
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

/* --- writable ------------------------------------------------------------- */

/* close_range(2), which is as old as what confines us: the same everywhere */
enum { CLOSE_RANGE = 436 };

static bool is_none(const struct writable *w)
{
	return !w->name || (w->kind == WRITABLE_FILE && !strcmp(w->name, "-"));
}

static bool is_file(const struct writable *w)
{
	return w->kind == WRITABLE_FILE || w->kind == WRITABLE_EXACT;
}

/* --- places --------------------------------------------------------------- */

/* whether it is there */
static bool allow(struct places *p, const char *path, enum place_use use)
{
	return places_allow(p, path, use) != -ENOENT;
}

/* The directory that path is in; whether it is there. */
static bool allow_around(struct places *p, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *around;
	bool there;

	if (writable_is_special(path))
		return true;
	if (!slash || slash == path)
		return allow(p, slash ? "/" : ".", PLACE_KEEP);
	around = strndup(path, (size_t)(slash - path));
	there = around && allow(p, around, PLACE_KEEP);
	free(around);
	return there;
}

/* The nearest directory above path that is there: others will be made in it. */
static void allow_above(struct places *p, const char *path)
{
	char *part = strdup(path), *slash;

	while (part && !allow_around(p, part) && (slash = strrchr(part, '/')))
		*slash = '\0';
	free(part);
}

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
		allow_around(p, path);
}

/* A file that is made whole elsewhere is renamed to where a link leads to. */
static void allow_file(struct places *p, const char *path)
{
	char *real = realpath(path, NULL);

	allow_around(p, path);
	if (real)
		allow_around(p, real);
	else
		allow_target(p, path);
	free(real);
}

static void allow_writable(struct places *p, const struct writable *w)
{
	if (is_none(w))
		return;
	if (is_file(w))
		allow_file(p, w->name);
	else if (w->kind != WRITABLE_FOLDER)
		allow_around(p, w->name);
	else if (!allow(p, w->name, PLACE_KEEP))
		allow_above(p, w->name);
}

/* --- the opener ----------------------------------------------------------- */

/* Signals are for the program, which asks until it ends. */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
				       SIGUSR1, SIGUSR2, SIGALRM };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/* It has nothing open but the socket, and can reach no other places. */
__attribute__((noreturn))
static void serve(int fd, const struct writable_names *n,
		  const struct writable *w, size_t count)
{
	struct places p;

	ignore_signals();
	prctl(PR_SET_NAME, "blktrace-opener");	/* for ps(1) */
	if (places_open(&p, true))
		_exit(1);
	/* while /dev/stdout still is the program's */
	for (size_t i = 0; i < count; i++)
		allow_writable(&p, &w[i]);
	if (dup2(fd, 0) || dup2(p.fd, 1) != 1 ||
	    syscall(CLOSE_RANGE, 2, ~0u, 0))
		_exit(1);
	p.fd = 1;
	if (!places_enforce(&p))
		opener_serve(0, n->list, n->count);
	_exit(0);
}

struct opener writable_start(const struct writable *w, size_t count)
{
	struct writable_names n = { NULL, 0 };
	int fds[2] = { 0, 0 };
	pid_t pid;

	for (size_t i = 0; i < count; i++)
		if (!is_none(&w[i]))
			writable_names_add(&n, &w[i]);
	if (!n.count)
		return (struct opener){ 0 };
	errno = -opener_pair(fds);
	pid = errno ? -1 : fork();
	if (pid < 0)
		msg_die("cannot start a process that opens the outputs:");
	if (!pid)
		serve(fds[1], &n, w, count);
	close(fds[1]);
	writable_names_free(&n);
	return (struct opener){ fds[0] };
}

void writable_allow(struct places *p, const struct writable *w, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_none(&w[i]) && is_file(&w[i]) &&
		    writable_is_own(w[i].name))
			places_allow(p, w[i].name, PLACE_WRITE);
}
