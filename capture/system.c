/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this machine allows; see system.h.
 *
 * All is in small text files of procfs, sysfs and securityfs.  One that is
 * missing, unreadable or malformed counts as empty.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "base/text.h"
#include "capture/kernel.h"
#include "capture/system.h"

enum {
	DEPTH_MAX = 16,		/* of stacked devices */
	PATH_ROOM = 512,
	LINE_ROOM = 512,
};

/* The first line of a small file; false: none. */
static bool first_line(const char *path, char *text, size_t size)
{
	return !text_read(path, text, size) && *text;
}

/* --- rights and locks ----------------------------------------------------- */

/* "none [integrity] confidentiality": the one in brackets is set. */
static enum lockdown level_of(const char *text, const char *integrity,
			      const char *confidentiality)
{
	if (strstr(text, confidentiality))
		return LOCKDOWN_CONFIDENTIALITY;
	return strstr(text, integrity) ? LOCKDOWN_INTEGRITY : LOCKDOWN_NONE;
}

enum lockdown system_lockdown(void)
{
	char text[4096];

	if (first_line("/sys/kernel/security/lockdown", text, sizeof(text)))
		return level_of(text, "[integrity]", "[confidentiality]");
	/* does not show a lockdown by Secure Boot */
	if (first_line("/proc/cmdline", text, sizeof(text)) &&
	    strstr(text, "lockdown="))
		return level_of(text, "lockdown=integrity",
				"lockdown=confidentiality");
	return LOCKDOWN_UNKNOWN;
}

/* Effective capabilities are hexadecimal; without procfs, assumes root's. */
bool system_may_mount(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	unsigned long long caps = 0;
	char line[LINE_ROOM];

	if (!f)
		return geteuid() == 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			break;
	fclose(f);
	return caps >> CAP_SYS_ADMIN & 1;
}

/* --- file systems and memory ---------------------------------------------- */

bool system_has_debugfs(const char *path)
{
	struct statfs s;

	return !statfs(path, &s) && s.f_type == DEBUGFS_MAGIC;
}

/* A lockdown closes all writable files, such as this one of every kernel. */
int system_locks_debugfs(const char *path)
{
	char file[PATH_ROOM];
	int fd;

	snprintf(file, sizeof(file), "%s/fault_around_bytes", path);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == EPERM && geteuid() == 0 ? 1 : -errno;
	close(fd);
	return 0;
}

/* Lines are "nodev<tab>tracefs", or without the first word. */
bool system_knows_fs(const char *kind)
{
	FILE *f = fopen("/proc/filesystems", "re");
	char line[LINE_ROOM];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *tab = strchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		found = tab && !strcmp(tab + 1, kind);
	}
	if (f)
		fclose(f);
	return found;
}

/* MemAvailable includes reclaimable caches, but no swap. */
uint64_t system_free_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	uint64_t kib = UINT64_MAX;
	char line[LINE_ROOM];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib < UINT64_MAX / 1024 ? kib * 1024 : UINT64_MAX;
}

/* --- disks ---------------------------------------------------------------- */

/* The disk of a block device, which may be a partition. */
static dev_t disk_of(dev_t dev)
{
	dev_t disk = dev;

	sysfs_device(dev, "../dev", &disk);
	return disk;
}

static bool lies_on(dev_t dev, dev_t lower, unsigned int depth);

/* Whether one of the devices below dev lies on lower. */
static bool parts_lie_on(dev_t dev, dev_t lower, unsigned int depth)
{
	char path[SYSFS_PATH], file[300];
	struct dirent *de;
	bool found = false;
	dev_t part;
	DIR *dir;

	sysfs_path(path, dev, "slaves");
	dir = opendir(path);
	while (dir && !found && (de = readdir(dir))) {
		snprintf(file, sizeof(file), "slaves/%s/dev", de->d_name);
		found = *de->d_name != '.' &&
			!sysfs_device(dev, file, &part) &&
			lies_on(part, lower, depth);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* A loop device's blocks are those of a file. */
static bool file_lies_on(dev_t dev, dev_t lower, unsigned int depth)
{
	char path[SYSFS_PATH], file[4096];
	struct stat st;

	sysfs_path(path, dev, "loop/backing_file");
	return first_line(path, file, sizeof(file)) && !stat(file, &st) &&
	       lies_on(st.st_dev, lower, depth);
}

/* A partition of lower counts only when lower is the whole disk. */
static bool lies_on(dev_t dev, dev_t lower, unsigned int depth)
{
	dev_t disk = disk_of(dev);

	if (dev == lower || disk == lower)
		return true;
	return depth && (parts_lie_on(disk, lower, depth - 1) ||
			 file_lies_on(disk, lower, depth - 1));
}

/* A file system without a device (tmpfs, NFS) writes to none. */
bool system_feeds(const char *directory, const char *path)
{
	struct stat out, disk;

	return !stat(directory, &out) && !stat(path, &disk) &&
	       S_ISBLK(disk.st_mode) &&
	       lies_on(out.st_dev, disk.st_rdev, DEPTH_MAX);
}

/* --- other tracers -------------------------------------------------------- */

/* Prefixes of the files that a reader of a disk's trace has open. */
struct haunt {
	char relay[PATH_ROOM];	/* .../block/DISK */
	char ftrace[PATH_ROOM];	/* tracefs below debugfs */
};

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/*
 * Below block/DISK, or block/PARTITION of it: sda1 for sda, but nvme0n1p1 for
 * nvme0n1, as nvme0n11 is another disk.
 */
static bool is_relay_file(const char *file, const char *place)
{
	size_t len = strlen(place);
	const char *rest = file + len;

	if (!len || !begins_with(file, place))
		return false;
	if (*rest == '/')
		return true;
	if (isdigit((unsigned char)place[len - 1]) && *rest++ != 'p')
		return false;
	return rest[strspn(rest, "0123456789")] == '/';
}

/* Files that only a reader has open, as tracefs has other users. */
static bool is_ftrace_file(const char *file, const char *place)
{
	static const char *const names[] = { "/per_cpu/", "/trace_pipe",
					     "/current_tracer" };

	if (!begins_with(file, place))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins_with(file + strlen(place), names[i]))
			return true;
	return false;
}

static bool is_haunted(const struct haunt *h, const char *file)
{
	return is_relay_file(file, h->relay) ||
	       is_ftrace_file(file, "/sys/kernel/tracing") ||
	       is_ftrace_file(file, h->ftrace);
}

/* Whether a process has such a file open. */
static bool reads(const char *pid, const struct haunt *h)
{
	char path[64], link[PATH_ROOM];
	struct dirent *de;
	bool found = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	fds = opendir(path);
	while (fds && !found && (de = readdir(fds))) {
		ssize_t n = readlinkat(dirfd(fds), de->d_name, link,
				       sizeof(link) - 1);

		if (n > 0) {
			link[n] = '\0';
			found = is_haunted(h, link);
		}
	}
	if (fds)
		closedir(fds);
	return found;
}

/* The process of a directory of /proc; 0: none, or ourselves. */
static long other_process(const char *name)
{
	char *end;
	long pid = strtol(name, &end, 10);

	return *end || pid == getpid() ? 0 : pid;
}

/* Except ourselves, as we may have such files open. */
long system_tracer(const char *path, const char *debugfs)
{
	char disk[64];
	struct dirent *de;
	struct haunt h = { .relay = "" };
	long found = 0;
	DIR *proc;

	if (!kernel_disk(path, disk, sizeof(disk)))
		snprintf(h.relay, sizeof(h.relay), "%s/block/%s", debugfs,
			 disk);
	snprintf(h.ftrace, sizeof(h.ftrace), "%s/tracing", debugfs);
	proc = opendir("/proc");
	while (proc && !found && (de = readdir(proc))) {
		long pid = other_process(de->d_name);

		if (pid > 0 && reads(de->d_name, &h))
			found = pid;
	}
	if (proc)
		closedir(proc);
	return found;
}

/* sysfs' switch is on for traces by relay files and by ftrace. */
bool system_traced(char *name, size_t size)
{
	char path[PATH_ROOM], text[LINE_ROOM];
	DIR *dir = opendir("/sys/class/block");
	struct dirent *de;
	bool found = false;

	while (dir && !found && (de = readdir(dir))) {
		snprintf(path, sizeof(path),
			 "/sys/class/block/%.255s/trace/enable", de->d_name);
		found = first_line(path, text, sizeof(text)) &&
			!strcmp(text, "1");
		if (found)
			snprintf(name, size, "%s", de->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}
