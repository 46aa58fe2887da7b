/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why tracing does not work here, and what to do; see doctor.h.
 *
 * The kernel's errors, from Linux 6.1 to 7.2.  Setting a trace up needs no
 * right but that of opening the device.  EBUSY: the disk is being traced, by
 * relay files or ftrace; ENOTTY: no block device, or a kernel without tracing;
 * EIO and ENOMEM: no memory for the buffers.  Opening a relay file: ENOENT:
 * debugfs is elsewhere; EACCES: not root; EPERM: locked down.  Stopping a
 * trace: EINVAL: there is none.
 *
 * A text is the cause, a semicolon, and what to do, without a full stop: a run
 * and --check put it into lines of their own.
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

/* Not being root comes before any other cause. */
static bool is_user(void)
{
	return geteuid() != 0 && !system_may_mount();
}

/* Root of a container without either way of tracing. */
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

/* No advice to take ftrace where the run does so by itself. */
static void put_locked(char text[DOCTOR_TEXT], const struct patient *p)
{
	if (system_lockdown() == LOCKDOWN_CONFIDENTIALITY)
		put(text, "the kernel is locked down for confidentiality and"
		    " allows no tracing; boot it without Secure Boot, or with"
		    " lockdown=integrity");
	else
		put(text, "the kernel is locked down (Secure Boot) and keeps"
		    " relay files closed%s",
		    p->tries_ftrace ? "" : "; use --via=ftrace");
}

/* No ioctls and no tracer. */
static void put_no_kernel(char text[DOCTOR_TEXT])
{
	put(text, "this kernel cannot trace block devices; it needs"
	    " CONFIG_BLK_DEV_IO_TRACE");
}

/* The kernel allows one trace of a disk at a time, by any way. */
static void put_busy(char text[DOCTOR_TEXT], const struct patient *p)
{
	long pid = system_tracer(p->path, p->debugfs);

	if (pid)
		put(text, "%s is being traced by process %ld; a disk has one"
		    " trace at a time, so wait for it or stop it", p->path,
		    pid);
	else
		put(text, "%s has a trace left behind by a killed run; stop it"
		    " with blktrace -k %s", p->path, p->path);
}

/* --- opening, and stopping another's trace -------------------------------- */

/* A container's list of devices refuses its root with EPERM. */
static void explain_open(char text[DOCTOR_TEXT], const struct patient *p,
			 int error)
{
	if (error == ENOENT || error == ENOTDIR || error == ENXIO ||
	    error == ENODEV)
		put(text, "no such device: %s; lsblk lists the devices",
		    p->path);
	else if (error == ENOTBLK)
		put(text, "%s is not a block device; lsblk lists the devices",
		    p->path);
	else if ((error == EACCES || error == EPERM) && geteuid())
		put_not_root(text, p);
	else if (error == EPERM)
		put(text, "this container may not open %s; start it with"
		    " --device %s", p->path, p->path);
	else
		put(text, "cannot open %s: %s", p->path, strerror(error));
}

static void explain_kill(char text[DOCTOR_TEXT], const struct patient *p,
			 int error)
{
	if (error == EINVAL)
		put(text, "%s has no trace to stop", p->path);
	else if (error == ENOTTY)
		put(text, "%s is not a block device, or this kernel cannot"
		    " trace it", p->path);
	else
		put(text, "cannot stop the trace of %s: %s", p->path,
		    strerror(error));
}

/* --- setting up ----------------------------------------------------------- */

/* bytes of all buffers, at most UINT64_MAX */
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

/* Names the sum, as -b and -n look harmless by themselves. */
static void put_too_much(char text[DOCTOR_TEXT], const struct patient *p)
{
	put(text, "%s: no memory for %u buffers of %u KiB per CPU, %llu MiB in"
	    " total; request less with -b and -n", p->path, p->buf_nr,
	    p->buf_size / 1024, (unsigned long long)wanted(p) >> 20);
}

static bool is_denial(int error)
{
	return error == EPERM || error == EACCES;
}

/* False unless the cause is a user or a container. */
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

/* Also true for a missing one, which another stage reports. */
static bool is_block(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISBLK(st.st_mode);
}

/* Other kinds of device return the same error as an old kernel. */
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
		put(text, "this kernel does not know the requested categories,"
		    " which came with Linux 6.19");
	else if (error == ENOMEM || error == EIO)
		put_too_much(text, p);
	else if (!is_denial(error) || !explain_denial(text, p))
		put(text, "%s: cannot set up a trace: %s", p->path,
		    strerror(error));
}

/* --- relay files and ftrace ----------------------------------------------- */

static void put_no_debugfs(char text[DOCTOR_TEXT], const struct patient *p)
{
	/* mounting does not help against a lockdown */
	if (is_user())
		put_not_root(text, p);
	else if (system_lockdown() >= LOCKDOWN_INTEGRITY)
		put_locked(text, p);
	else if (is_contained())
		put_contained(text);
	else
		put(text, "debugfs is not mounted at %s; mount -t debugfs none"
		    " /sys/kernel/debug, or name its mount point with -r",
		    p->debugfs);
}

/* Below debugfs the files exist, unless they were removed. */
static void explain_relay(char text[DOCTOR_TEXT], const struct patient *p,
			  int error)
{
	if (is_denial(error)) {
		/* nothing else refuses root */
		if (!explain_denial(text, p))
			put_locked(text, p);
	} else if (!system_has_debugfs(p->debugfs)) {
		put_no_debugfs(text, p);
	} else {
		put(text, "%s: no trace files below %s: %s; name debugfs' mount"
		    " point with -r", p->path, p->debugfs, strerror(error));
	}
}

/* A kernel lists the file systems it has, mounted or not. */
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

/* All disks share one tracer, which may be in use for something else. */
static void put_ftrace_busy(char text[DOCTOR_TEXT], const struct patient *p)
{
	long pid = system_tracer(p->path, p->debugfs);
	char name[64];

	if (pid)
		put(text, "process %ld is tracing; ftrace makes one trace at a"
		    " time, so wait for it, stop it, or use --via=bpf", pid);
	else if (system_traced(name, sizeof(name)))
		put(text, "/dev/%s has a trace left behind by a killed run;"
		    " stop it with blktrace -k /dev/%s", name, name);
	else
		put(text, "ftrace is in use (%s); stop its user, use --via=bpf,"
		    " or if nothing uses it, run blktrace -k %s", p->why,
		    p->path);
}

/* Only a lockdown for confidentiality closes tracefs to root. */
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
		put(text, "cannot set up ftrace: %s", p->why);
	else if (error == ENOENT)
		put_no_tracefs(text, p);
	else
		put(text, "cannot set up ftrace: %s", strerror(error));
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

/* Copies path's directory to dir. */
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

/* The directory of a run's files, which need not exist. */
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

/* That directory, or if it is missing, its parent. */
static void nearest_place(char dir[PATH_MAX], const char *directory,
			  const char *base)
{
	place_of(dir, directory, base);
	if (is_missing(directory))
		parent_of(dir, directory);
}

/* Makes a file without a name, or with one for a moment; 0 or -errno. */
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

/* Makes and removes a directory; 0 or -errno. */
static int try_directory(const char *path)
{
	if (mkdir(path, 0755))
		return -errno;
	return rmdir(path) ? -errno : 0;
}

/* Checking rights is not enough: root has them in procfs and sysfs. */
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
	put(text, "the output directory %s is on the traced device %s, so"
	    " blktrace traces its own writes; name a directory on another disk"
	    " with -D (btstat and btreport: with TMPDIR), or send the trace"
	    " elsewhere with -h", dir, path);
	return true;
}
