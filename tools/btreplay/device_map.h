/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which device the I/Os of a recorded one go to.
 */
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

/*
 * Adds what a file has: pairs of words, the recorded name and the one to
 * replay on, both without /dev/.  0 or -errno; -ENODATA: the last
 * pair is incomplete.
 */
int device_map_read(struct device_map *m, const char *path);

/* what name is mapped to, by the first pair that fits; or name itself */
const char *device_map_find(const struct device_map *m, const char *name);

/*
 * The path of a device's node, the caller's to free.  Where /dev/NAME is not
 * there, every '_' stands for a '/', as in cciss_c0d0.  NULL: no memory, or
 * errno is EINVAL: the name leads out of /dev.
 */
char *device_map_node(const char *name);

void device_map_free(struct device_map *m);

#endif
