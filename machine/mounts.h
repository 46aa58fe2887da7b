/* SPDX-License-Identifier: GPL-2.0-only */
/* Mounted file systems of block devices. */
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

/* Finds those visible to this process; on failure *m is empty or incomplete. */
void mounts_find(struct mounts *m);

/* a device's, with path and type, as a list "mounts", if there are any */
void mounts_write(const struct mounts *m, dev_t dev, struct json *j);

void mounts_free(struct mounts *m);

/* decodes a path of mountinfo in place */
void mounts_unescape(char *text);

#endif
