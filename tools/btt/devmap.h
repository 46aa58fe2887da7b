/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of devices (-M): lines of a name and a device number, "sda 8,0".
 *
 * 1.3.0: pieces of up to 255 letters, digits, blanks and : . , / _ -, with
 * white space between them.  Reading stops at a piece that is empty, has less
 * than two words, or contains Device, as an old script's headline does.  Words
 * after the second are ignored; the first name of a device counts.
 */
#ifndef TOOLS_BTT_DEVMAP_H
#define TOOLS_BTT_DEVMAP_H

#include <stdint.h>

struct devmap;

/* NULL with errno set: the file cannot be read, or no memory */
struct devmap *devmap_read(const char *path);

/* a device's name, at most 251 characters, valid as long as the map; NULL:
 * none, or map is NULL */
const char *devmap_name(const struct devmap *map, uint32_t device);

void devmap_free(struct devmap *map);

#endif
