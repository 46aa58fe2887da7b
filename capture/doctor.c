/* Why tracing does not work here, and what to do; see doctor.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/kernel.h"
#include "capture/relay.h"
#include "capture/tap.h"

/* --- looking around --------------------------------------------------------- */

/* The first line of a small file; false when there is none. */
static bool first_line(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "re");
	bool got;

	if (!f)
		return false;
	got = fgets(text, (int)size, f) != NULL;
	fclose(f);
	return got;
}

int doctor_locked_down(void)
{
	char text[128];

	/* "none [integrity] confidentiality": the brackets are what holds */
	if (first_line("/sys/kernel/security/lockdown", text, sizeof(text)))
		return !strstr(text, "[none]");
	/* securityfs may not be mounted; the command line may tell */
	if (first_line("/proc/cmdline", text, sizeof(text)))
		return strstr(text, "lockdown=") != NULL;
	return 0;
}

int doctor_has_debugfs(const char *path)
{
	struct statfs s;

	return !statfs(path, &s) && s.f_type == DEBUGFS_MAGIC;
}

static bool may_administrate(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	unsigned long long caps = 0;
	char line[256];

	if (!f)
		return geteuid() == 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			break;
	fclose(f);
	return caps >> CAP_SYS_ADMIN & 1;
}

/* The device of the disk that a block device is, or is a partition of. */
static dev_t disk_of(dev_t dev)
{
	char path[96], text[32];
	unsigned int maj, min;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/../dev", major(dev),
		 minor(dev));
	if (first_line(path, text, sizeof(text)) &&
	    sscanf(text, "%u:%u", &maj, &min) == 2)
		return makedev(maj, min);
	return dev;
}

int doctor_on_disk(const char *directory, const char *path)
{
	struct stat out, disk;

	if (stat(directory ? directory : ".", &out) || stat(path, &disk) ||
	    !S_ISBLK(disk.st_mode))
		return 0;
	return disk_of(out.st_dev) == disk_of(disk.st_rdev);
}

/* --- who else traces --------------------------------------------------------- */

static bool is_number(const char *text)
{
	for (; *text; text++)
		if (!isdigit((unsigned char)*text))
			return false;
	return true;
}

/* Whether process pid has a file below dir open. */
static bool holds_open(const char *pid, const char *dir)
{
	char path[64], link[512];
	struct dirent *de;
	bool found = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	fds = opendir(path);
	if (!fds)
		return false;
	while (!found && (de = readdir(fds))) {
		ssize_t n = readlinkat(dirfd(fds), de->d_name, link,
				       sizeof(link) - 1);

		if (n > 0) {
			link[n] = '\0';
			found = !strncmp(link, dir, strlen(dir));
		}
	}
	closedir(fds);
	return found;
}

/*
 * The process that reads a trace of the disk, or of a part of it, which is
 * the same to the kernel; 0: nobody does.
 */
static long reader_of(const struct patient *p)
{
	DIR *proc = opendir("/proc");
	struct dirent *de;
	char disk[64], prefix[512];
	long found = 0;

	if (!proc || target_disk(p->path, disk, sizeof(disk))) {
		if (proc)
			closedir(proc);
		return 0;
	}
	snprintf(prefix, sizeof(prefix), "%s/block/%s", p->debugfs, disk);
	while (!found && (de = readdir(proc)))
		if (is_number(de->d_name) && atol(de->d_name) != getpid() &&
		    holds_open(de->d_name, prefix))
			found = atol(de->d_name);
	closedir(proc);
	return found;
}

/* --- causes -------------------------------------------------------------------- */

static void say_busy(char *text, size_t size, const struct patient *p)
{
	long pid = reader_of(p);

	if (pid)
		snprintf(text, size, "%s is being traced by process %ld; one"
			 " trace of a disk at a time, so wait for it or end it",
			 p->path, pid);
	else
		snprintf(text, size, "%s still has a trace that nobody reads,"
			 " left behind by a killed run; end it with"
			 " blktrace -k %s", p->path, p->path);
}

static void say_locked(char *text, size_t size)
{
	snprintf(text, size, "the kernel is locked down (Secure Boot) and keeps"
		 " debugfs closed; --via=ftrace works all the same");
}

static void say_denied(char *text, size_t size, const struct patient *p)
{
	if (geteuid() != 0)
		snprintf(text, size, "tracing %s is for root only; run this as"
			 " root", p->path);
	else if (!may_administrate())
		snprintf(text, size, "tracing %s needs the capability"
			 " CAP_SYS_ADMIN, which this container has not; run it"
			 " outside, or with --cap-add SYS_ADMIN", p->path);
	else if (doctor_locked_down())
		say_locked(text, size);
	else
		snprintf(text, size, "%s: %s", p->path, strerror(EPERM));
}

static void say_missing(char *text, size_t size, const struct patient *p,
			int error)
{
	if (!doctor_has_debugfs(p->debugfs))
		snprintf(text, size, "debugfs is not mounted at %s; mount -t"
			 " debugfs none %s, or name its place with -r",
			 p->debugfs, p->debugfs);
	else
		snprintf(text, size, "%s: no trace files of it below %s: %s",
			 p->path, p->debugfs, strerror(error));
}

static void explain_open(char *text, size_t size, const struct patient *p,
			 int error)
{
	if (error == ENOENT || error == ENXIO || error == ENODEV)
		snprintf(text, size, "there is no device %s", p->path);
	else if (error == EACCES || error == EPERM)
		say_denied(text, size, p);
	else
		snprintf(text, size, "%s: %s", p->path, strerror(error));
}

static void explain_setup(char *text, size_t size, const struct patient *p,
			  int error)
{
	struct stat st;

	if (!stat(p->path, &st) && !S_ISBLK(st.st_mode))
		snprintf(text, size, "%s is not a block device", p->path);
	else if (error == EBUSY)
		say_busy(text, size, p);
	else if (error == ENOTTY)
		snprintf(text, size, "this kernel cannot trace block devices;"
			 " it wants CONFIG_BLK_DEV_IO_TRACE");
	else if (error == EOPNOTSUPP)
		snprintf(text, size, "this kernel does not know the categories"
			 " asked for; they came with Linux 6.19");
	else if (error == EPERM || error == EACCES)
		say_denied(text, size, p);
	else if (error == ENOMEM || error == EIO)
		snprintf(text, size, "%s: no memory for %lu buffers of %lu KiB"
			 " on every CPU; ask for less with -b and -n", p->path,
			 p->buf_nr, p->buf_size / 1024);
	else
		say_missing(text, size, p, error);
}

void doctor_explain(char *text, size_t size, const struct patient *p,
		    enum stage stage, int error)
{
	switch (stage) {
	case STAGE_OPEN:
		explain_open(text, size, p, error);
		break;
	case STAGE_SETUP:
		explain_setup(text, size, p, error);
		break;
	case STAGE_RELAY:
		if (error != EPERM && error != EACCES)
			say_missing(text, size, p, error);
		else if (geteuid() || !may_administrate())
			say_denied(text, size, p);
		else	/* nothing else refuses root, whatever is to be seen */
			say_locked(text, size);
		break;
	}
}

/* --- --check --------------------------------------------------------------------- */

static int finding(bool good, const char *text)
{
	printf("%s %s\n", good ? "ok:" : "no:", text);
	return !good;
}

/* What holds for all devices; true: relay files may work. */
static bool check_machine(const char *debugfs)
{
	char text[512];
	bool root = may_administrate(), mounted = doctor_has_debugfs(debugfs);
	bool open = !doctor_locked_down();

	finding(root, root ? "we may trace (CAP_SYS_ADMIN)" :
			     "tracing is for root, or needs CAP_SYS_ADMIN");
	snprintf(text, sizeof(text),
		 mounted ? "debugfs is mounted at %s" :
			   "debugfs is not mounted at %s: no relay files",
		 debugfs);
	finding(mounted, text);
	finding(open, open ? "the kernel is not locked down" :
			     "the kernel is locked down: no relay files");
	return root && mounted && open;
}

static int check_directory(const char *directory)
{
	char text[512];
	bool good = !access(directory ? directory : ".", W_OK);

	snprintf(text, sizeof(text), "output directory %s is %swritable",
		 directory ? directory : ".", good ? "" : "not ");
	return finding(good, text);
}

/* Whether what was set up can be read: the kernel may yet refuse that. */
static int try_relay(const struct patient *p, const struct target *t)
{
	const char *names[] = { t->name };
	const struct relay_place place = { p->debugfs, names, 1 };
	struct cpus cpus;
	struct tap *tap;
	unsigned int which;
	int err = cpus_online(&cpus);

	if (!err)
		err = relay_open(&tap, &place, cpus.online[0], &which);
	if (!err)
		tap->ops->close(tap);
	cpus_free(&cpus);
	return err;
}

/* Really sets a small trace up, and takes it down again. */
static int try_device(const struct patient *p)
{
	const struct target_setup small = { .buf_size = 4096, .buf_nr = 2 };
	struct target t;
	char text[512];
	int err = target_open(&t, p->path);
	enum stage stage = STAGE_OPEN;

	if (!err) {
		stage = STAGE_SETUP;
		err = target_set_up(&t, &small);
	}
	if (!err) {
		stage = STAGE_RELAY;
		err = try_relay(p, &t);
	}
	if (err) {
		doctor_explain(text, sizeof(text), p, stage, -err);
	} else {
		snprintf(text, sizeof(text), "%s can be traced", p->path);
	}
	target_close(&t);
	return finding(!err, text);
}

static int check_device(const char *debugfs, const char *path,
			const char *directory)
{
	struct patient p = { .path = path, .debugfs = debugfs,
			     .buf_size = 4096, .buf_nr = 2 };
	char text[512];
	int bad = try_device(&p);

	if (doctor_on_disk(directory, path)) {
		snprintf(text, sizeof(text), "%s would hold the output, too:"
			 " writing it would be traced; use another disk or -h",
			 path);
		bad |= finding(false, text);
	}
	return bad;
}

int doctor_check(const char *debugfs, const char *const *paths, int count,
		 const char *directory)
{
	int bad = !check_machine(debugfs);

	bad |= check_directory(directory);
	for (int i = 0; i < count; i++)
		bad |= check_device(debugfs, paths[i], directory);
	return bad;
}
