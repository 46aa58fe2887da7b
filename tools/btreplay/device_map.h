/* SPDX-License-Identifier: GPL-2.0-only */
/* The devices to replay recorded devices on. */
#ifndef TOOLS_BTREPLAY_DEVICE_MAP_H
#define TOOLS_BTREPLAY_DEVICE_MAP_H

#include <stddef.h>

struct device_map_pair {
	char *from, *to;
};

/* an all-zero struct device_map maps every name to itself */
struct device_map {
	struct device_map_pair *pairs;
	size_t count;
};

/* adds a file's pairs of names, recorded and to replay on, both without /dev/;
 * 0 or -errno; -ENODATA: the last pair is incomplete */
int device_map_read(struct device_map *m, const char *path);

/* the name that the first matching pair maps name to; or name itself */
const char *device_map_find(const struct device_map *m, const char *name);

/*
 * The path of a device's node, the caller's to free.  If /dev/NAME does not
 * exist, replaces each '_' by '/', as in cciss_c0d0.  NULL: no memory, or errno
 * is EINVAL: the name leads out of /dev.
 */
char *device_map_node(const char *name);

void device_map_free(struct device_map *m);

#endif
