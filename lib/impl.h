/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader as the library has it, for what hands its parts out.
 *
 * What is not in blktrace-reader.h begins with lib_, and is hidden from those
 * that link the library.
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

/* --- wanted --------------------------------------------------------------- */

/* Which devices are wanted, by the names that the caller gave. */

struct device;			/* run/device.h */

struct wanted {
	char **names;		/* copies */
	size_t count;		/* 0: all are wanted */
	/* what was asked last */
	const struct device *disk;
	uint32_t number;
	bool verdict;
};

/* an all-zero struct wanted wants all; 0 or -ENOMEM, after which it is freed */
int wanted_init(struct wanted *w, const char *const *names, size_t count);

/* slow path of wanted_device(), for which there are names */
bool wanted_is(struct wanted *w, const struct device *disk, uint32_t number);

/* whether one that is called so, with this number in a record, is wanted */
static inline bool wanted_device(struct wanted *w, const struct device *disk,
				 uint32_t number)
{
	if (!w->count)
		return true;
	if (w->disk == disk && w->number == number)
		return w->verdict;
	return wanted_is(w, disk, number);
}

void wanted_free(struct wanted *w);

/* --- impl ----------------------------------------------------------------- */

struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

enum { LIB_WHY = PATH_MAX + 128 };	/* a name, and what is wrong with it */

enum lib_state {
	LIB_OPEN,		/* names are added */
	LIB_EVENTS,		/* these are read; or */
	LIB_PICKED,		/* those of some devices; or */
	LIB_IOS,
	LIB_FAILED,		/* with r->failed: nothing more can be read */
};

struct blkt_reader {
	enum lib_state state;
	bool joins;		/* ios are wanted */
	int failed;
	struct ios *ios;	/* NULL: events are wanted */
	struct reader *reader;	/* of the ios, or by itself */
	struct window window;
	struct wanted wanted;
	char *directory;	/* a copy, or NULL */
	char host[NAME_MAX + 1];	/* by the place of the first name, or "" */
	bool has_start;		/* it is known when time was 0: */
	int64_t start;
	char why[LIB_WHY];
	struct blkt_io io;	/* handed out last */
};

/* error, of which blkt_error() has a text then: about name, or NULL */
int lib_fail(struct blkt_reader *r, const char *name, int error) COLD;

/*
 * The first call for what r is not reading yet: 0: it is now; else what that
 * call returns.
 */
int lib_begin(struct blkt_reader *r, enum lib_state wanted) COLD;

/* got is what reading returned, and no event or io: the same, with a text */
int lib_none(struct blkt_reader *r, int got) COLD;

#endif
