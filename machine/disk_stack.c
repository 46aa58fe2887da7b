/* SPDX-License-Identifier: GPL-2.0-only */
/* A device and what is around it; see disk_stack.h. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/sysfs.h"
#include "machine/disk_facts.h"
#include "machine/disk_stack.h"
#include "machine/mounts.h"

struct stack {
	struct json *j;
	struct mounts mounts;
	bool serial;
	unsigned int left;	/* devices that may still be told of */
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

/* An object of a list, which begins with the first. */
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

/*
 * The devices that have a directory or a link in one of a device's: its
 * partitions have it in its own, where only they have a number of that kind.
 */
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

/* The disk that a partition is of, as the device below it. */
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
