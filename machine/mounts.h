/* SPDX-License-Identifier: GPL-2.0-only */
/* The file systems that are mounted from block devices. */
#ifndef MACHINE_MOUNTS_H
#define MACHINE_MOUNTS_H

#include <stddef.h>
#include <sys/types.h>

struct json;			/* base/json.h */

struct mounts {
	struct mount_point {
		dev_t dev;
		char *path, *type;
	} *list;
	size_t count, size;
};

/* As far as they can be seen; with none, without memory, *m is empty. */
void mounts_find(struct mounts *m);

/* those of a device, with path and type, as a list of that name if there are
 * any */
void mounts_write(const struct mounts *m, dev_t dev, struct json *j);

void mounts_free(struct mounts *m);

/* makes of a path in mountinfo what it stands for */
void mounts_unescape(char *text);

#endif
