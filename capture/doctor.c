/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why tracing does not work here, and what to do; see doctor.h.
 *
 * What the kernel means by its errors, as seen from Linux 6.1 to 7.2.  Setting
 * a trace up: EBUSY, the disk is traced already, by relay files or ftrace;
 * ENOTTY, no block device, or a kernel without tracing; EIO and ENOMEM, no room
 * for the buffers; no right is asked for but that of opening the device.
 * Opening a relay file: ENOENT, debugfs is elsewhere; EACCES, not root; EPERM,
 * locked down.  Ending a trace: EINVAL, there is none.
 *
 * A text names the cause, behind a semicolon what to do, and ends without
 * a full stop, as a run and --check set it into lines of their own.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/doctor.h"
#include "capture/system.h"

__attribute__((format(printf, 2, 3)))
static void put(char text[DOCTOR_TEXT], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, DOCTOR_TEXT, fmt, ap);
	va_end(ap);
}

/* --- causes of many errors ------------------------------------------------ */

/* Of a user's troubles, being one is the first. */
static bool is_user(void)
{
	return geteuid() != 0 && !system_may_mount();
}

/* Whoever made the container has kept both ways of tracing out of it. */
static bool is_contained(void)
{
	return geteuid() == 0 && !system_may_mount();
}

static void put_contained(char text[DOCTOR_TEXT])
{
	put(text, "this container has neither debugfs nor the capability"
	    " CAP_SYS_ADMIN to mount it; run blktrace outside, or start the"
	    " container with -v /sys/kernel/debug:/sys/kernel/debug");
}

static void put_not_root(char text[DOCTOR_TEXT], const struct patient *p)
{
	put(text, "tracing %s is for root only; run this as root", p->path);
}

/* What the run does by itself is no advice. */
static void put_locked(char text[DOCTOR_TEXT], const struct patient *p)
{
	if (system_lockdown() == LOCKDOWN_CONFIDENTIALITY)
		put(text, "the kernel is locked down for confidentiality and"
		    " allows no tracing; boot it without Secure Boot, or with"
		    " lockdown=integrity");
	else
		put(text, "the kernel is locked down (Secure Boot) and keeps"
		    " relay files closed%s",
		    p->tries_ftrace ? "" : "; take --via=ftrace");
}

/* It has no ioctls and no tracer then: all that is left is another kernel. */
static void put_no_kernel(char text[DOCTOR_TEXT])
{
	put(text, "this kernel cannot trace block devices; it wants"
	    " CONFIG_BLK_DEV_IO_TRACE");
}

/* One trace of a disk at a time, by whichever way. */
static void put_busy(char text[DOCTOR_TEXT], const struct patient *p)
{
	long pid = system_tracer(p->path, p->debugfs);

	if (pid)
		put(text, "%s is being traced by process %ld; one trace of a"
		    " disk at a time, so wait for it or end it", p->path, pid);
	else
		put(text, "%s still has a trace without a reader, left behind"
		    " by a killed run; end it with blktrace -k %s", p->path,
		    p->path);
}

/* --- opening, and ending another's trace ---------------------------------- */

/* A container's root is refused by its list of devices, with EPERM. */
static void explain_open(char text[DOCTOR_TEXT], const struct patient *p,
			 int error)
{
	if (error == ENOENT || error == ENOTDIR || error == ENXIO ||
	    error == ENODEV)
		put(text, "there is no device %s; lsblk lists those there are",
		    p->path);
	else if (error == ENOTBLK)
		put(text, "%s is not a block device; lsblk lists those there"
		    " are", p->path);
	else if ((error == EACCES || error == EPERM) && geteuid())
		put_not_root(text, p);
	else if (error == EPERM)
		put(text, "this container may not open %s; start it with"
		    " --device %s", p->path, p->path);
	else
		put(text, "%s cannot be opened: %s", p->path, strerror(error));
}

static void explain_kill(char text[DOCTOR_TEXT], const struct patient *p,
			 int error)
{
	if (error == EINVAL)
		put(text, "%s has no trace that could be ended", p->path);
	else if (error == ENOTTY)
		put(text, "%s is not a block device, or none that this kernel"
		    " can trace", p->path);
	else
		put(text, "the trace of %s cannot be ended: %s", p->path,
		    strerror(error));
}

/* --- setting up ----------------------------------------------------------- */

/* bytes of all buffers; UINT64_MAX when they are beyond counting */
static uint64_t wanted(const struct patient *p)
{
	uint64_t sum = (uint64_t)p->buf_size * p->buf_nr;
	uint64_t sets = (uint64_t)p->cpus * p->devices;

	return sets && sum > UINT64_MAX / sets ? UINT64_MAX : sum * sets;
}

bool doctor_too_much(const struct patient *p)
{
	return wanted(p) > system_free_memory();
}

/* With the sum, as -b and -n look harmless by themselves. */
static void put_too_much(char text[DOCTOR_TEXT], const struct patient *p)
{
	put(text, "%s: no memory for %u buffers of %u KiB on every CPU, %llu"
	    " MiB in all; ask for less with -b and -n", p->path, p->buf_nr,
	    p->buf_size / 1024, (unsigned long long)wanted(p) >> 20);
}

static bool is_denial(int error)
{
	return error == EPERM || error == EACCES;
}

/* For a user or a container; for all others false. */
static bool explain_denial(char text[DOCTOR_TEXT], const struct patient *p)
{
	if (geteuid())
		put_not_root(text, p);
	else if (is_contained() && !system_has_debugfs(p->debugfs))
		put_contained(text);
	else
		return false;
	return true;
}

/* What is not there is not judged: that has been another stage's. */
static bool is_block(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISBLK(st.st_mode);
}

/* The device first: of another kind, it gives the error of an old kernel. */
static void explain_setup(char text[DOCTOR_TEXT], const struct patient *p,
			  int error)
{
	if (!is_block(p->path))
		explain_open(text, p, ENOTBLK);
	else if (error == EBUSY)
		put_busy(text, p);
	else if (error == ENOTTY)
		put_no_kernel(text);
	else if (error == EOPNOTSUPP)
		put(text, "this kernel does not know the categories asked for;"
		    " they came with Linux 6.19");
	else if (error == ENOMEM || error == EIO)
		put_too_much(text, p);
	else if (!is_denial(error) || !explain_denial(text, p))
		put(text, "%s: no trace can be set up: %s", p->path,
		    strerror(error));
}

/* --- relay files and ftrace ----------------------------------------------- */

static void put_no_debugfs(char text[DOCTOR_TEXT], const struct patient *p)
{
	/* if it is locked down, mounting it would be of no use */
	if (is_user())
		put_not_root(text, p);
	else if (system_lockdown() >= LOCKDOWN_INTEGRITY)
		put_locked(text, p);
	else if (is_contained())
		put_contained(text);
	else
		put(text, "debugfs is not mounted at %s; mount -t debugfs none"
		    " /sys/kernel/debug, or name its place with -r",
		    p->debugfs);
}

/* Where debugfs is, the files must be, unless they were removed. */
static void explain_relay(char text[DOCTOR_TEXT], const struct patient *p,
			  int error)
{
	if (is_denial(error)) {
		/* nothing else refuses root, whatever is to be seen */
		if (!explain_denial(text, p))
			put_locked(text, p);
	} else if (!system_has_debugfs(p->debugfs)) {
		put_no_debugfs(text, p);
	} else {
		put(text, "%s: no trace files of it below %s: %s; is that"
		    " where debugfs is?", p->path, p->debugfs,
		    strerror(error));
	}
}

/* A kernel that has it lists it, mounted or not. */
static void put_no_tracefs(char text[DOCTOR_TEXT], const struct patient *p)
{
	if (!system_knows_fs("tracefs"))
		put_no_kernel(text);
	else if (is_user())
		put_not_root(text, p);
	else if (is_contained())
		put_contained(text);
	else
		put(text, "tracefs is not mounted; mount -t tracefs none"
		    " /sys/kernel/tracing");
}

/*
 * There is one tracer for all disks, so what stands in the way need not be
 * ours: then it is left alone.
 */
static void put_ftrace_busy(char text[DOCTOR_TEXT], const struct patient *p)
{
	long pid = system_tracer(p->path, p->debugfs);
	char name[64];

	if (pid)
		put(text, "process %ld is tracing; one trace by ftrace at a"
		    " time, so wait for it, end it, or take --via=bpf", pid);
	else if (system_traced(name, sizeof(name)))
		put(text, "/dev/%s still has a trace without a reader, left"
		    " behind by a killed run; end it with blktrace -k /dev/%s",
		    name, name);
	else
		put(text, "ftrace is in use (%s); end what uses it, take"
		    " --via=bpf, or if nothing uses it, blktrace -k %s",
		    p->why, p->path);
}

/* tracefs is closed to root only by a lockdown that leaves nothing open. */
static void explain_ftrace(char text[DOCTOR_TEXT], const struct patient *p,
			   int error)
{
	bool all = system_lockdown() == LOCKDOWN_CONFIDENTIALITY;

	if (error == EBUSY)
		put_ftrace_busy(text, p);
	else if (error == EOPNOTSUPP)
		put_no_kernel(text);
	else if (is_denial(error) && explain_denial(text, p))
		return;
	else if (is_denial(error) && all)
		put_locked(text, p);
	else if (*p->why)
		put(text, "ftrace cannot be set up: %s", p->why);
	else if (error == ENOENT)
		put_no_tracefs(text, p);
	else
		put(text, "ftrace cannot be set up: %s", strerror(error));
}

void doctor_explain(char text[DOCTOR_TEXT], const struct patient *p,
		    enum stage stage, int error)
{
	static void (*const explain[])(char text[DOCTOR_TEXT],
				       const struct patient *p, int error) = {
		[STAGE_OPEN] = explain_open,
		[STAGE_SETUP] = explain_setup,
		[STAGE_RELAY] = explain_relay,
		[STAGE_FTRACE] = explain_ftrace,
		[STAGE_KILL] = explain_kill,
	};

	explain[stage](text, p, error);
}

/* --- output --------------------------------------------------------------- */

/* The directory that path is in, to dir. */
static void parent_of(char dir[PATH_MAX], const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len && path[len - 1] != '/')
		len--;
	while (len > 1 && path[len - 1] == '/')
		len--;
	snprintf(dir, PATH_MAX, "%.*s", len ? (int)len : 1, len ? path : ".");
}

/* Where a run would put its files, which need not exist. */
static void place_of(char dir[PATH_MAX], const char *directory,
		     const char *base)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : ".",
		 base ? base : "device");
	parent_of(dir, path);
}

static bool is_missing(const char *directory)
{
	return directory && access(directory, F_OK) && errno == ENOENT;
}

/* The place, or while it is missing the one that it would be made in. */
static void nearest_place(char dir[PATH_MAX], const char *directory,
			  const char *base)
{
	place_of(dir, directory, base);
	if (is_missing(directory))
		parent_of(dir, directory);
}

/* A file that never gets a name, or only for a moment; 0 or -errno. */
static int try_file(const char *dir)
{
	char path[PATH_MAX + 32];
	int fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		snprintf(path, sizeof(path), "%s/.blktrace.%ld", dir,
			 (long)getpid());
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			unlink(path);
	}
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* A directory of the run's, made and removed again; 0 or -errno. */
static int try_directory(const char *path)
{
	if (mkdir(path, 0755))
		return -errno;
	return rmdir(path) ? -errno : 0;
}

/*
 * Rights are not all: root has them in procfs and sysfs, where no file can be
 * made.
 */
static int try_output(const char *dir, const char *directory)
{
	struct stat st;

	if (stat(dir, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return is_missing(directory) ? try_directory(directory) : try_file(dir);
}

int doctor_output(char text[DOCTOR_TEXT], const char *directory,
		  const char *base)
{
	char dir[PATH_MAX];
	int err;

	nearest_place(dir, directory, base);
	err = try_output(dir, directory);
	if (err)
		put(text, "output directory %s is not writable: %s; name"
		    " another with -D", dir, strerror(-err));
	return err;
}

bool doctor_feedback(char text[DOCTOR_TEXT], const char *directory,
		     const char *base, const char *path)
{
	char dir[PATH_MAX];

	nearest_place(dir, directory, base);
	if (!system_feeds(dir, path))
		return false;
	put(text, "%s has the output directory %s on it: what blktrace writes"
	    " is traced as well, and makes more to write; use another disk"
	    " with -D, or -h", path, dir);
	return true;
}
