/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for devices (-M): lines of a name and a device number, "sda 8,0".
 *
 * 1.3.0: the format is odd: pieces of up to 255 letters,
 * digits, blanks and : . , / _ -, and white space between them.  Reading ends
 * for good at a piece that is empty, has no two words, or has the word Device
 * in it, as the headline of an old helper script had.  Words behind the second
 * mean nothing; the first name of a device counts.
 */
#ifndef TOOLS_BTT_DEVMAP_H
#define TOOLS_BTT_DEVMAP_H

#include <stdint.h>

struct devmap;

/* NULL with errno set: the file cannot be read, or there is no memory */
struct devmap *devmap_read(const char *path);

/* the name of a device, at most 251 characters, good as long as the map; NULL:
 * it has none, or map is NULL */
const char *devmap_name(const struct devmap *map, uint32_t device);

void devmap_free(struct devmap *map);

#endif
