/* SPDX-License-Identifier: GPL-2.0-only */
/* A block device's values; see disk_facts.h. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/json.h"
#include "base/sysfs.h"
#include "base/text.h"
#include "machine/disk_facts.h"
#include "machine/dm_targets.h"

enum { SECTOR = 512, TEXT = 512 };

/* A small file without the blanks around it; false: nothing is in it. */
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

	/* -1 stands for what is switched off */
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

/* --- a queue -------------------------------------------------------------- */

/* "none [mq-deadline] bfq"; a device of others has just "none" */
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

/* --- what it is ----------------------------------------------------------- */

/* What udev knows of a device that does not tell by itself (SCSI, ATA). */
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

bool disk_facts_is_partition(dev_t dev)
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

void disk_facts_write(dev_t dev, const char *name, bool serial,
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
