/* SPDX-License-Identifier: GPL-2.0-only */
/* The targets of a device mapper's table; see dm_targets.h. */
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/json.h"
#include "machine/dm_targets.h"

enum { ANSWER = 16384, TYPES = 8 };

/* the kernel's way of writing a number down */
static uint64_t number_of(dev_t dev)
{
	return (minor(dev) & 0xffu) | major(dev) << 8 |
	       (uint64_t)(minor(dev) & ~0xffu) << 12;
}

/* Asks for the state of the targets, without waiting for what is under way. */
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

/* Adds a type unless it is there; how many there are then. */
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

void dm_targets_write(dev_t dev, struct json *j)
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
		/* from the first target, not from this one */
		at = one.next;
	}
	for (unsigned int i = 0; i < count; i++)
		json_put_text(j, NULL, types[i],
			      strnlen(types[i], DM_MAX_TYPE_NAME));
}
