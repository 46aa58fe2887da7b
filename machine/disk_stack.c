/* SPDX-License-Identifier: GPL-2.0-only */
/* A device with those above and below it; see disk_stack.h. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/dm-ioctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sysfs.h"
#include "base/text.h"
#include "machine/disk_stack.h"
#include "machine/mounts.h"

/* --- targets of the device mapper: linear, crypt, thin -------------------- */

enum { ANSWER = 16384, TYPES = 8 };

/* the kernel's encoding of a device number */
static uint64_t number_of(dev_t dev)
{
	return (minor(dev) & 0xffu) | major(dev) << 8 |
	       (uint64_t)(minor(dev) & ~0xffu) << 12;
}

/* Gets the state of the targets, without waiting for I/O in flight. */
static bool ask(dev_t dev, struct dm_ioctl *d)
{
	int fd = open("/dev/mapper/control", O_RDWR | O_CLOEXEC), err;

	if (fd < 0)
		return false;
	d->version[0] = DM_VERSION_MAJOR;
	d->data_size = ANSWER;
	d->data_start = sizeof(*d);
	d->dev = number_of(dev);
	d->flags = DM_NOFLUSH_FLAG;
	err = ioctl(fd, DM_TABLE_STATUS, d);
	close(fd);
	return !err;
}

/* Adds a type, each once; returns the number of types. */
static unsigned int add_type(char types[TYPES][DM_MAX_TYPE_NAME],
			     unsigned int count, const char *type)
{
	for (unsigned int i = 0; i < count; i++)
		if (!strncmp(types[i], type, DM_MAX_TYPE_NAME))
			return count;
	if (count == TYPES)
		return count;
	memcpy(types[count], type, DM_MAX_TYPE_NAME);
	return count + 1;
}

/* Writes the types of targets into an open list, without their arguments, which
 * may have keys.  Needs root. */
static void dm_targets_write(dev_t dev, struct json *j)
{
	_Alignas(struct dm_ioctl) char answer[ANSWER] = { 0 };
	char types[TYPES][DM_MAX_TYPE_NAME];
	const struct dm_ioctl *d = (const struct dm_ioctl *)answer;
	struct dm_target_spec one;
	unsigned int count = 0;
	size_t at = 0;

	if (!ask(dev, (struct dm_ioctl *)answer))
		return;
	for (uint32_t i = 0; i < d->target_count; i++) {
		if (d->data_start + at + sizeof(one) > sizeof(answer))
			break;
		memcpy(&one, answer + d->data_start + at, sizeof(one));
		count = add_type(types, count, one.target_type);
		/* relative to the first target */
		at = one.next;
	}
	for (unsigned int i = 0; i < count; i++)
		json_put_text(j, NULL, types[i],
			      strnlen(types[i], DM_MAX_TYPE_NAME));
}

/* --- one device, by sysfs ------------------------------------------------- */

enum { SECTOR = 512, TEXT = 512 };

/* A small file without the blanks around it; false: empty, or unreadable. */
static bool read_text(dev_t dev, const char *file, char text[TEXT])
{
	char path[SYSFS_PATH];
	size_t len, lead;

	sysfs_path(path, dev, file);
	if (text_read(path, text, TEXT))
		return false;
	lead = strspn(text, " \t");
	memmove(text, text + lead, strlen(text + lead) + 1);
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return len;
}

static void put_text(dev_t dev, const char *file, const char *name,
		     struct json *j)
{
	char text[TEXT];

	if (read_text(dev, file, text))
		json_put_string(j, name, text);
}

static void put_number(dev_t dev, const char *file, const char *name,
		       struct json *j)
{
	char text[TEXT];
	uint64_t n;

	/* -1: switched off */
	if (read_text(dev, file, text) && isdigit((unsigned char)*text) &&
	    !sysfs_number(dev, file, &n))
		json_put_number(j, name, n);
}

static void put_flag(dev_t dev, const char *file, const char *name,
		     struct json *j)
{
	uint64_t n;

	if (!sysfs_number(dev, file, &n))
		json_put_bool(j, name, n);
}

/* "none [mq-deadline] bfq", or of a stacked device just "none" */
static void put_scheduler(dev_t dev, struct json *j)
{
	char text[TEXT];
	const char *open, *close;

	if (!read_text(dev, "queue/scheduler", text))
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		json_put_text(j, "scheduler", open + 1,
			      (size_t)(close - open - 1));
	else
		json_put_string(j, "scheduler", text);
}

static void put_hw_queues(dev_t dev, struct json *j)
{
	char path[SYSFS_PATH];
	struct dirent *de;
	uint64_t count = 0;
	DIR *d;

	sysfs_path(path, dev, "mq");
	d = opendir(path);
	while (d && (de = readdir(d)))
		count += isdigit((unsigned char)*de->d_name) != 0;
	if (d)
		closedir(d);
	if (count)
		json_put_number(j, "nr_hw_queues", count);
}

static void put_queue(dev_t dev, struct json *j)
{
	static const char *const numbers[] = {
		"logical_block_size", "physical_block_size", "nr_requests",
		"max_sectors_kb", "read_ahead_kb", "wbt_lat_usec",
	};
	char file[TEXT];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		snprintf(file, sizeof(file), "queue/%s", numbers[i]);
		put_number(dev, file, numbers[i], j);
	}
	put_flag(dev, "queue/rotational", "rotational", j);
	put_text(dev, "queue/zoned", "zoned", j);
	put_text(dev, "queue/write_cache", "write_cache", j);
	put_scheduler(dev, j);
	put_hw_queues(dev, j);
}

/* udev's serial number of a device without one in sysfs (SCSI, ATA). */
static bool udev_serial(dev_t dev, char text[TEXT])
{
	static const char key[] = "E:ID_SERIAL_SHORT=";
	char path[64], line[TEXT];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/run/udev/data/b%u:%u", major(dev),
		 minor(dev));
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, key, sizeof(key) - 1);
		if (found)
			strcpy(text, line + sizeof(key) - 1);
	}
	if (f)
		fclose(f);
	return found && *text;
}

static void put_serial(dev_t dev, struct json *j)
{
	char text[TEXT];

	if (read_text(dev, "device/serial", text) ||
	    read_text(dev, "serial", text) || udev_serial(dev, text))
		json_put_string(j, "serial", text);
}

static void put_mapper(dev_t dev, struct json *j)
{
	char text[TEXT];

	if (!read_text(dev, "dm/name", text))
		return;
	json_put_object(j, "dm");
	json_put_string(j, "name", text);
	json_put_array(j, "targets");
	dm_targets_write(dev, j);
	json_put_array_end(j);
	json_put_object_end(j);
}

static void put_array(dev_t dev, struct json *j)
{
	char text[TEXT];

	if (!read_text(dev, "md/level", text))
		return;
	json_put_object(j, "md");
	json_put_string(j, "level", text);
	put_number(dev, "md/raid_disks", "raid_disks", j);
	json_put_object_end(j);
}

static bool disk_facts_is_partition(dev_t dev)
{
	uint64_t n;

	return !sysfs_number(dev, "partition", &n);
}

static void put_size(dev_t dev, struct json *j)
{
	uint64_t sectors;

	if (!sysfs_number(dev, "size", &sectors))
		json_put_number(j, "size", sectors * SECTOR);
	put_number(dev, "start", "start", j);
	put_number(dev, "partition", "partition", j);
	put_flag(dev, "ro", "read_only", j);
}

/* Writes known values into an open object, of a partition only a few. */
static void disk_facts_write(dev_t dev, const char *name, bool serial,
			     struct json *j)
{
	char text[TEXT];

	json_put_string(j, "name", name);
	snprintf(text, sizeof(text), "%u:%u", major(dev), minor(dev));
	json_put_string(j, "number", text);
	put_size(dev, j);
	if (disk_facts_is_partition(dev))
		return;
	put_text(dev, "device/model", "model", j);
	if (serial)
		put_serial(dev, j);
	put_queue(dev, j);
	put_mapper(dev, j);
	put_array(dev, j);
	put_text(dev, "loop/backing_file", "backing_file", j);
}

/* --- all devices ---------------------------------------------------------- */

struct stack {
	struct json *j;
	struct mounts mounts;
	bool serial;
	unsigned int left;	/* devices that may still be written */
};

enum way { UP = 1, DOWN = 2 };

static void put_around(struct stack *s, dev_t dev, unsigned int ways,
		       unsigned int depth);

static void put_device(struct stack *s, const char *name, dev_t dev,
		       enum way way, unsigned int depth)
{
	disk_facts_write(dev, name, s->serial, s->j);
	mounts_write(&s->mounts, dev, s->j);
	if (depth < DISK_STACK_DEPTH)
		put_around(s, dev, way, depth + 1);
}

static int is_no_dot(const struct dirent *de)
{
	return *de->d_name != '.';
}

/* Writes an object of a list, which starts with the first; whether any was
 * written. */
static bool put_one(struct stack *s, const char *list, bool any,
		    const char *name, dev_t dev, enum way way,
		    unsigned int depth)
{
	if (!s->left)
		return any;
	s->left--;
	if (!any)
		json_put_array(s->j, list);
	json_put_object(s->j, NULL);
	put_device(s, name, dev, way, depth);
	json_put_object_end(s->j);
	return true;
}

/* The devices in a directory of a device's; its partitions are in the device's
 * directory itself (""). */
static void put_list(struct stack *s, dev_t dev, const char *dir,
		     const char *list, enum way way, unsigned int depth)
{
	bool all = *dir, any = false;
	char path[SYSFS_PATH], file[2 * NAME_MAX];
	struct dirent **names;
	int count;

	sysfs_path(path, dev, dir);
	count = scandir(path, &names, is_no_dot, versionsort);
	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		dev_t other;

		snprintf(file, sizeof(file), "%s%s%s/dev", dir, all ? "/" : "",
			 name);
		if (!sysfs_device(dev, file, &other) &&
		    (all || disk_facts_is_partition(other)))
			any = put_one(s, list, any, name, other, way, depth);
		free(names[i]);
	}
	if (any)
		json_put_array_end(s->j);
	if (count >= 0)
		free(names);
}

/* A partition's disk, as the device below it. */
static void put_disk(struct stack *s, dev_t dev, unsigned int depth)
{
	char place[SYSFS_PATH], *slash;
	dev_t disk;

	if (!disk_facts_is_partition(dev) || sysfs_place(dev, place) ||
	    sysfs_device(dev, "../dev", &disk) || !s->left)
		return;
	slash = strrchr(place, '/');
	if (slash)
		*slash = '\0';
	slash = strrchr(place, '/');
	s->left--;
	json_put_object(s->j, "disk");
	put_device(s, slash ? slash + 1 : place, disk, DOWN, depth);
	json_put_object_end(s->j);
}

static void put_around(struct stack *s, dev_t dev, unsigned int ways,
		       unsigned int depth)
{
	if (ways & UP) {
		put_list(s, dev, "", "partitions", UP, depth);
		put_list(s, dev, "holders", "holders", UP, depth);
	}
	if (ways & DOWN) {
		put_disk(s, dev, depth);
		put_list(s, dev, "slaves", "slaves", DOWN, depth);
	}
}

void disk_stack_write(dev_t dev, const char *name, bool serial,
		      struct json *j)
{
	struct stack s = { .j = j, .serial = serial,
			   .left = DISK_STACK_MAX };

	mounts_find(&s.mounts);
	json_put_object(j, "device");
	disk_facts_write(dev, name, serial, j);
	mounts_write(&s.mounts, dev, j);
	put_around(&s, dev, UP | DOWN, 0);
	json_put_object_end(j);
	mounts_free(&s.mounts);
}
