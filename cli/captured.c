/* SPDX-License-Identifier: GPL-2.0-only */
/* Block devices as operands; see captured.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/sysfs.h"
#include "base/text.h"
#include "base/time.h"
#include "capture/blkdev.h"
#include "cli/captured.h"
#include "cli/suite.h"
#include "file/files.h"
#include "run/window.h"

/* --- operands ------------------------------------------------------------- */

bool captured_is_device(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISBLK(st.st_mode);
}

static void check_options(const struct captured *c, const char *directory,
			  const char *device)
{
	if (c->keep && !device)
		msg_die("--keep is for the trace of a device, such as"
			" /dev/sda: none is named");
	if (device && directory)
		msg_die("-D is for traces, and %s is a device; --keep=DIR/"
			" keeps its trace in DIR", device);
	if (c->keep && (!*c->keep || !strcmp(c->keep, "-")))
		msg_die("--keep needs a name for the files");
}

/* Whether the operands are devices; ends the program if only some are. */
static bool are_devices(const struct captured *c,
			const struct captured_operands *o)
{
	const char *device = NULL, *trace = NULL;

	for (size_t i = 0; i < o->count; i++)
		*(captured_is_device(o->names[i]) ? &device : &trace) =
			o->names[i];
	if (device && trace)
		msg_die("%s is a device to capture, and %s is not; to read"
			" both, capture the device by blktrace first",
			device, trace);
	check_options(c, o->directory ? *o->directory : NULL, device);
	return device;
}

/* --- names ---------------------------------------------------------------- */

static void *need(void *memory)
{
	if (!memory)
		msg_die("out of memory");
	return memory;
}

/* The directory that --keep names; NULL: it names the files of one device. */
static char *kept_directory(const struct captured *c)
{
	size_t len = strlen(c->keep);
	struct stat st;
	bool is_one = c->count > 1 || c->keep[len - 1] == '/' ||
		      (!stat(c->keep, &st) && S_ISDIR(st.st_mode));

	while (len > 1 && c->keep[len - 1] == '/')
		len--;
	return is_one ? need(strndup(c->keep, len)) : NULL;
}

static char *make_directory(void)
{
	const char *top = getenv("TMPDIR");
	char *path;

	if (!top || !*top)
		top = "/tmp";
	if (text_print(&path, "%s/blktrace-XXXXXX", top) < 0)
		msg_die("out of memory");
	if (!mkdtemp(path))
		msg_die("cannot make a directory in %s for the trace; set"
			" TMPDIR to another:", top);
	return path;
}

/* What blktrace may call a device's files: by relay files what the kernel calls
 * it, else the end of its path.  Both are known before the device is gone. */
struct file_names {
	char by_path[BLKDEV_NAME], by_kernel[BLKDEV_NAME];
};

static void find_names(struct file_names *n, const char *device)
{
	char place[SYSFS_PATH];
	uint32_t number;
	struct stat st;

	*n = (struct file_names){ "", "" };
	/* what is wrong with it blktrace will report */
	if (blkdev_find(device, &number, n->by_path, NULL) ||
	    stat(device, &st) || sysfs_place(st.st_rdev, place))
		return;
	snprintf(n->by_kernel, BLKDEV_NAME, "%s", strrchr(place, '/') + 1);
	/* a slash in sysfs and in names of files */
	for (char *c = n->by_kernel; (c = strchr(c, '!')); )
		*c = '_';
}

static struct file_names *find_all_names(const struct captured_operands *o)
{
	struct file_names *n = need(calloc(o->count, sizeof(*n)));

	for (size_t i = 0; i < o->count; i++)
		find_names(&n[i], o->names[i]);
	return n;
}

static bool has_files(const char *directory, const char *name)
{
	struct files f;

	if (files_find(&f, directory, name))
		return false;
	files_free(&f);
	return true;
}

/* After the capture. */
static void name_traces(struct captured *c, const struct file_names *names,
			bool as_paths)
{
	c->names = need(calloc(c->count, sizeof(*c->names)));
	if (!c->directory)
		c->names[0] = need(strdup(c->keep));
	for (size_t i = 0; c->directory && i < c->count; i++) {
		const char *name = has_files(c->directory, names[i].by_path) ?
				   names[i].by_path : names[i].by_kernel;

		if (text_print(&c->names[i], "%s%s%s",
			       as_paths ? c->directory : "",
			       as_paths ? "/" : "", name) < 0)
			msg_die("out of memory");
	}
}

/* The seconds up to the window's end, which then need not be cut. */
static int seconds_of(struct window *w)
{
	enum { USUAL = 10 };
	uint64_t seconds = w->end / NS_PER_SECOND;
	bool whole = !w->start && w->end % NS_PER_SECOND == 0;

	if (w->end == UINT64_MAX)
		return USUAL;
	if (seconds >= INT_MAX)
		msg_die("-w: a capture takes at most %d seconds", INT_MAX - 1);
	if (w->end % NS_PER_SECOND)
		seconds++;
	if (whole)
		*w = WINDOW_ALL;
	return (int)seconds;
}

/* --- processes ------------------------------------------------------------ */

enum { FAILED = 1 << 8 };	/* the status of exit(1), as by waitpid(2) */

/* what the parent of a child waits for, and its mask before */
struct waiting {
	sigset_t signals, before;
};

static void block_signals(struct waiting *w)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
				       SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD };

	sigemptyset(&w->signals);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&w->signals, signals[i]);
	/* if ignored, waitpid() would not see an end */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &w->signals, &w->before);
}

static void restore_signals(const struct waiting *w)
{
	sigprocmask(SIG_SETMASK, &w->before, NULL);
}

/* As fork(2); the child gets the signals again, and sig if the parent dies. */
static pid_t fork_child(const struct waiting *w, int sig)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, sig);
	if (getppid() != parent)
		_exit(1);
	restore_signals(w);
	return 0;
}

/* Waits for its end, and passes signals on, except a terminal's, which reach it
 * anyway.  The status, as by waitpid(2). */
static int wait_child(const struct waiting *w, pid_t pid)
{
	siginfo_t info;
	int status, sig;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		sig = sigwaitinfo(&w->signals, &info);
		if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
			kill(pid, sig);
	}
	return status;
}

/* --- blktrace ------------------------------------------------------------- */

enum { OPTIONS = 6 };		/* at most, and the final NULL */

__attribute__((noreturn)) static void execute(const char **words)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(null, STDOUT_FILENO);	/* its totals */
	/* execvp() lacks a const, but changes nothing */
	execvp(words[0], (char **)(uintptr_t)words);
	msg_warn("cannot run %s:", words[0]);
	_exit(1);
}

/* Runs it with options, of the devices.  The status, as by waitpid(2). */
static int run_blktrace(const struct waiting *w, const char *const *options,
			const struct captured_operands *o)
{
	char *program = need(suite_program("blktrace"));
	const char **words = need(calloc(o->count + OPTIONS + 3,
					 sizeof(*words)));
	size_t n = 0;
	pid_t pid;
	int status = FAILED;

	words[n++] = program;
	for (size_t i = 0; options[i]; i++)
		words[n++] = options[i];
	words[n++] = "--";
	for (size_t i = 0; i < o->count; i++)
		words[n++] = o->names[i];
	pid = fork_child(w, SIGINT);
	if (!pid)
		execute(words);
	if (pid < 0)
		msg_warn("cannot start blktrace:");
	else
		status = wait_child(w, pid);
	free(words);
	free(program);
	return status;
}

/* The kernel still traces, unless blktrace died of what it catches before it
 * traces. */
static void end_trace(const struct waiting *w, int sig,
		      const struct captured_operands *o)
{
	static const char *const options[] = { "-k", NULL };

	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP || sig == SIGALRM)
		return;
	msg_warn("blktrace was killed by signal %d (%s); stopping its trace",
		 sig, strsignal(sig));
	run_blktrace(w, options, o);
}

/* blktrace's status, as by waitpid(2) */
static int capture(const struct waiting *w, const struct captured *c,
		   const struct captured_operands *o, int seconds)
{
	char limit[16];
	const char *options[OPTIONS] = {
		"-w", limit, c->directory ? "-D" : "-o",
		c->directory ? c->directory : c->keep,
		o->progress ? "--progress" : NULL,
	};
	int status;

	snprintf(limit, sizeof(limit), "%d", seconds);
	status = run_blktrace(w, options, o);
	if (WIFSIGNALED(status))
		end_trace(w, WTERMSIG(status), o);
	return status;
}

/* --- afterwards ----------------------------------------------------------- */

static void remove_directory(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			unlinkat(dirfd(d), de->d_name, 0);
	if (d)
		closedir(d);
	if (rmdir(path))
		msg_warn("cannot remove %s:", path);
}

/* Ends as a child of that status did. */
__attribute__((noreturn)) static void end_as(const struct waiting *w,
					     int status)
{
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		restore_signals(w);
		raise(WTERMSIG(status));
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* Returns in a child; here, removes the trace when it has ended. */
static void continue_in_child(const struct waiting *w,
			      const struct captured *c)
{
	pid_t pid = fork_child(w, SIGTERM);
	int status = FAILED;

	if (!pid)
		return;
	if (pid < 0)
		msg_warn("cannot start a process to read the trace:");
	else
		status = wait_child(w, pid);
	remove_directory(c->directory);
	end_as(w, status);
}

void captured_take(struct captured *c, const struct captured_operands *o)
{
	struct file_names *names;
	struct waiting w;
	int status, seconds;

	if (!are_devices(c, o))
		return;
	c->count = o->count;
	seconds = seconds_of(o->window);
	names = find_all_names(o);
	block_signals(&w);
	c->directory = c->keep ? kept_directory(c) : make_directory();
	status = capture(&w, c, o, seconds);
	if (status && !c->keep)
		remove_directory(c->directory);
	if (status)
		end_as(&w, status);
	if (c->keep)
		restore_signals(&w);
	else
		continue_in_child(&w, c);
	name_traces(c, names, c->keep || !o->directory);
	free(names);
	if (!c->keep && o->directory)
		*o->directory = c->directory;
	for (size_t i = 0; i < c->count; i++)
		o->names[i] = c->names[i];
}

void captured_free(struct captured *c)
{
	for (size_t i = 0; c->names && i < c->count; i++)
		free(c->names[i]);
	free(c->names);
	free(c->directory);
}
