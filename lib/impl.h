/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's reader, for its own sources.  Names that are not in
 * blktrace-reader.h are hidden from those that link the library.
 */
#ifndef LIB_IMPL_H
#define LIB_IMPL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "lib/blktrace-reader.h"
#include "run/window.h"

struct device;			/* run/device.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

/* the devices that the caller named; an all-zero one has all devices */
struct wanted {
	char **names;		/* copies */
	size_t count;		/* 0: all devices */
	/* the last answer */
	const struct device *disk;
	uint32_t number;
	bool verdict;
};

/* slow path of wanted_device(), if there are names */
bool wanted_is(struct wanted *w, const struct device *disk, uint32_t number);

/* whether a device, with this number in a record, is wanted */
static inline bool wanted_device(struct wanted *w, const struct device *disk,
				 uint32_t number)
{
	if (!w->count)
		return true;
	if (w->disk == disk && w->number == number)
		return w->verdict;
	return wanted_is(w, disk, number);
}

enum { LIB_WHY = PATH_MAX + 128 };	/* bytes of "NAME: phrase" */

enum lib_state {
	LIB_OPEN,		/* names are added */
	LIB_EVENTS,		/* reads events, */
	LIB_PICKED,		/* events of some devices, */
	LIB_IOS,		/* or I/Os */
	LIB_FAILED,		/* with r->failed */
};

struct blkt_reader {
	enum lib_state state;
	bool joins;		/* the caller wants I/Os */
	int failed;
	struct ios *ios;	/* NULL: events */
	struct reader *reader;	/* of the ios, or by itself */
	struct window window;
	struct wanted wanted;
	char *directory;	/* a copy, or NULL */
	char host[NAME_MAX + 1];	/* by the first name, or "" */
	bool has_start;		/* start is known: */
	int64_t start;		/* the time of day of time 0 */
	char why[LIB_WHY];
	struct blkt_io io;	/* the last one handed out */
};

/* sets the text of blkt_error(), about name or NULL; returns error */
int lib_fail(struct blkt_reader *r, const char *name, int error) COLD;

/* Starts reading.  0; or what the public call has to return. */
int lib_begin(struct blkt_reader *r, enum lib_state wanted) COLD;

/* returns got, which is not 1, after setting the text of an error */
int lib_none(struct blkt_reader *r, int got) COLD;

#endif
