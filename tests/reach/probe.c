/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program can still reach once it has read the first byte of its input:
 * a stand-in for a trace that has taken the program over.
 *
 *	LD_PRELOAD=probe.so REACH_BELOW=DIR REACH_PLACES=FILE REACH_NAMES=FILE
 *		REACH_OUT=FILE COMMAND
 *
 * After the first read(2) or pread(2) from a pipe or a file below DIR, with REACH_END in the
 * environment at the latest in the end, a child tries to use each path in REACH_PLACES: reads, lists, writes
 * and executes it, makes, renames and removes files in it.  If there is an
 * opener, it is asked for the same, and to make the files in REACH_NAMES.  What
 * succeeds is a line in REACH_OUT: a verb and a path.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/opener.h"

enum { FDS = 256, TEXT = 65536 };

static struct {
	char places[TEXT], names[TEXT], below[4096];
	int out;
	bool ready;		/* begin() has been, and it was not tried yet */
} probe;

static void load(char text[TEXT], const char *variable)
{
	const char *path = getenv(variable);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t len = fd < 0 ? -1 : read(fd, text, TEXT - 1);

	if (len < 0)
		abort();
	close(fd);
}

/* --- what is tried -------------------------------------------------------- */

static void tell(const char *verb, const char *path, const char *more)
{
	dprintf(probe.out, "%s %s%s\n", verb, path, more);
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0600);

	/* a FIFO that nobody reads has been allowed */
	if (fd < 0)
		return errno == ENXIO;
	close(fd);
	return true;
}

static bool executes(const char *path)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		unsetenv("LD_PRELOAD");
		execl(path, path, (char *)NULL);
		_exit(99);
	}
	return waitpid(pid, &status, 0) == pid &&
	       !(WIFEXITED(status) && WEXITSTATUS(status) == 99);
}

static void try_directory(const char *dir)
{
	char made[4096], victim[4096];

	if (opens(dir, O_RDONLY | O_DIRECTORY))
		tell("list", dir, "");
	/* what goes wrong is to do no harm */
	if (*dir == '/' && strcmp(dir, "/tmp") && strcmp(dir, "/var/tmp"))
		return;
	snprintf(made, sizeof(made), "%s/reach.made", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	if (opens(made, O_WRONLY | O_CREAT | O_EXCL))
		tell("make", dir, "/*");
	if (!mkdir(made, 0700))
		tell("mkdir", dir, "/*");
	if (!symlink("x", made))
		tell("symlink", dir, "/*");
	remove(made);
	if (!rename(victim, made))
		tell("rename", dir, "/*");
	rename(made, victim);
	if (!unlink(victim))
		tell("remove", dir, "/*");
}

static void try_place(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return;
	if (S_ISDIR(st.st_mode)) {
		try_directory(path);
		return;
	}
	if (opens(path, O_RDONLY))
		tell("read", path, "");
	if (opens(path, O_WRONLY))
		tell("write", path, "");
	if (st.st_mode & 0111 && S_ISREG(st.st_mode) && executes(path))
		tell("execute", path, "");
}

/* --- by the opener -------------------------------------------------------- */

static struct opener find_opener(void)
{
	for (int fd = 3; fd < FDS; fd++) {
		int type;
		socklen_t len = sizeof(type);

		if (!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) &&
		    type == SOCK_SEQPACKET)
			return (struct opener){ fd };
	}
	return (struct opener){ 0 };
}

static bool opener_opens(const struct opener *o, const char *path, int flags)
{
	int fd = opener_open(o, path, flags, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void ask_place(const struct opener *o, const char *path)
{
	char victim[4096];
	struct stat st;

	if (lstat(path, &st))
		return;
	if (S_ISREG(st.st_mode) && !opens(path, O_RDONLY) &&
	    opener_opens(o, path, O_RDWR))
		tell("opener: read", path, "");
	if (S_ISREG(st.st_mode) && !opens(path, O_WRONLY) &&
	    opener_opens(o, path, O_WRONLY))
		tell("opener: write", path, "");
	if (S_ISREG(st.st_mode) && opener_opens(o, path,
						O_WRONLY | O_CREAT | O_EXCL))
		tell("opener: replace", path, "");
	snprintf(victim, sizeof(victim), "%s/victim", path);
	if (S_ISDIR(st.st_mode) && !opener_remove(o, victim))
		tell("opener: remove", path, "/*");
}

static void ask_name(const struct opener *o, const char *path)
{
	struct stat st;
	bool there = !lstat(path, &st);

	if (there || !opener_opens(o, path, O_WRONLY | O_CREAT | O_EXCL))
		return;
	tell("opener: make", path, "");
	if (opener_remove(o, path))
		tell("opener: keeps", path, "");
}

/* --- once ----------------------------------------------------------------- */

static void each_line(const char *text, void (*use)(const char *path))
{
	char path[4096];

	for (size_t len; (len = strcspn(text, "\n")); text += len + 1) {
		snprintf(path, sizeof(path), "%.*s", (int)len, text);
		use(path);
		if (!text[len])
			return;
	}
}

static void ask_place_now(const char *path)
{
	const struct opener o = find_opener();

	ask_place(&o, path);
}

static void ask_name_now(const char *path)
{
	const struct opener o = find_opener();

	ask_name(&o, path);
}

static void try_all(void)
{
	int saved = errno;
	pid_t pid;

	if (!probe.ready)
		return;
	probe.ready = false;
	pid = fork();
	if (!pid) {
		each_line(probe.places, try_place);
		if (find_opener().fd) {
			each_line(probe.places, ask_place_now);
			each_line(probe.names, ask_name_now);
		}
		tell("done", "", "");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	errno = saved;
}

static bool is_input(int fd)
{
	char link[32], path[4096] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0)
		return false;
	return !strncmp(path, "pipe:", 5) ||
	       !strncmp(path, probe.below, strlen(probe.below));
}

/* instead of the library's */
ssize_t read(int fd, void *to, size_t size);

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t (*own)(int, void *, size_t);
	ssize_t n;

	*(void **)&own = dlsym(RTLD_NEXT, "read");
	n = own(fd, to, size);
	if (n > 0 && probe.ready && is_input(fd))
		try_all();
	return n;
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at);

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	ssize_t (*own)(int, void *, size_t, off64_t);
	ssize_t n;

	*(void **)&own = dlsym(RTLD_NEXT, "pread64");
	n = own(fd, to, size, at);
	if (n > 0 && probe.ready && is_input(fd))
		try_all();
	return n;
}

__attribute__((constructor)) static void begin(void)
{
	const char *out = getenv("REACH_OUT"), *below = getenv("REACH_BELOW");
	int fd = out ? open(out, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

	load(probe.places, "REACH_PLACES");
	load(probe.names, "REACH_NAMES");
	if (fd < 0 || !below)
		abort();
	probe.out = fcntl(fd, F_DUPFD_CLOEXEC, FDS);
	close(fd);
	snprintf(probe.below, sizeof(probe.below), "%s", below);
	probe.ready = true;
}

/* what is read by stdio has been read by now */
__attribute__((destructor)) static void end(void)
{
	if (getenv("REACH_END"))
		try_all();
}
