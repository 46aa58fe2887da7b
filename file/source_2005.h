/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the first blktrace of 2005 wrote, read as if it had been written a week
 * later: NAME_out.CPU holds records, in the very first days with the CPU
 * number in place of the magic, and NAME_dat.CPU their payloads.  The source
 * made here hands out version 2 records, each followed by its payload.
 */
#ifndef FILE_SOURCE_2005_H
#define FILE_SOURCE_2005_H

#include <stdint.h>

struct source;			/* file/source.h */

/*
 * The records at path with the payloads at payloads (NULL: they are in line).
 * Anything but such records goes through as it is.  0 and *s, or -errno.
 */
int source_2005_open(struct source **s, const char *path, const char *payloads,
		     uint32_t cpu);

#endif
