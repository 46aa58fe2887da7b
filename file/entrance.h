/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a trace in segments is entered if only what happened from some time on
 * is wanted: the names known by then are in the heads there, so that nothing
 * before has to be read.
 */
#ifndef FILE_ENTRANCE_H
#define FILE_ENTRANCE_H

#include <stdbool.h>
#include <stdint.h>

struct file_entry;		/* file/files.h */
struct locations;		/* file/location.h */

/*
 * The time of the first event of all, on the recording machine's clock, if that
 * can be said: of devices of one host which have segments.  0 and *time; or
 * -ENODATA; -ENOMEM.
 */
int entrance_begin(const struct locations *l, uint64_t *time);

/*
 * Leaves out a file's segments that end a second or more before a time, but
 * not the last event before it, wherever that is.  0 or -ENOMEM.
 */
int entrance_find(struct file_entry *e, uint64_t time);

#endif
