/* A device that the user has named; see device.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/msg.h"
#include "blktrace.h"
#include "capture/doctor.h"
#include "session/device.h"

static int name_device(const char *path, char name[DEVICE_NAME])
{
	char *slash, real[4096];

	if (!realpath(path, real))
		return -errno;
	slash = strrchr(real, '/');
	if (strlen(slash + 1) >= DEVICE_NAME)
		return -ENAMETOOLONG;
	strcpy(name, slash + 1);
	return 0;
}

static int refuse(const char *path, int err)
{
	const struct patient p = { .path = path, .debugfs = "", .why = "" };
	char text[DOCTOR_TEXT];

	doctor_explain(text, &p, STAGE_OPEN, -err);
	warn("%s", text);
	return err;
}

int device_resolve(const char *path, uint32_t *number, char name[DEVICE_NAME])
{
	struct stat st;
	int err = stat(path, &st) ? -errno : name_device(path, name);

	if (!err && !S_ISBLK(st.st_mode))
		err = -ENOTBLK;
	if (err)
		return refuse(path, err);
	*number = BLK_DEVICE(major(st.st_rdev), minor(st.st_rdev));
	return 0;
}

/* --- where it lies ----------------------------------------------------- */

/* numbers from a file that sysfs has for a device, or for its disk */
static int read_sysfs(uint32_t number, const char *file, const char *format,
		      unsigned long long *a, unsigned long long *b)
{
	char path[128];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s",
		 BLK_MAJOR(number), BLK_MINOR(number), file);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	n = fscanf(f, format, a, b);
	fclose(f);
	return n == (b ? 2 : 1) ? 0 : -EINVAL;
}

/* sysfs' link leads to a partition's directory, which is in its disk's */
static int locate_partition(uint32_t number, struct device_place *at)
{
	unsigned long long start, size, major, minor;
	int err = read_sysfs(number, "start", "%llu", &start, NULL);

	if (!err)
		err = read_sysfs(number, "size", "%llu", &size, NULL);
	if (!err)
		err = read_sysfs(number, "../dev", "%llu:%llu", &major, &minor);
	if (!err && (!size || major > UINT32_MAX >> 20 || minor >> 20))
		err = -EINVAL;
	if (err)
		return err;
	at->disk = BLK_DEVICE(major, minor);
	at->start = start;
	at->end = start + size - 1;
	return 0;
}

int device_locate(const char *path, uint32_t number, struct device_place *at)
{
	unsigned long long partition;
	int err = read_sysfs(number, "partition", "%llu", &partition, NULL);

	*at = (struct device_place){ number, 0, UINT64_MAX };
	if (!err)
		err = locate_partition(number, at);
	else if (err == -ENOENT)
		err = 0;
	if (err)
		warn("%s: where it lies on its disk: %s", path, strerror(-err));
	return err;
}
