/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a program may make and write; see writable.h. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/writable.h"
#include "cli/writable_names.h"
#include "confine/places.h"

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
