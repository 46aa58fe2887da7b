/* SPDX-License-Identifier: GPL-2.0-only */
/* Which devices are wanted, by the names that the caller gave. */
#ifndef LIB_WANTED_H
#define LIB_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
