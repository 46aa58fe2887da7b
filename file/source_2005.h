/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of blktrace's first week in August 2005, converted to version 2:
 * NAME_out.CPU has the records, at first with the CPU number in place of the
 * magic, and NAME_dat.CPU their payloads.
 */
#ifndef FILE_SOURCE_2005_H
#define FILE_SOURCE_2005_H

#include <stdint.h>

struct source;			/* file/source.h */

/*
 * The records at path with the payloads at payloads (NULL: in line).  Other
 * bytes pass unchanged.  0 and *s, or -errno.
 */
int source_2005_open(struct source **s, const char *path, const char *payloads,
		     uint32_t cpu);

#endif
