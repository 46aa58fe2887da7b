/* SPDX-License-Identifier: GPL-2.0-only */
/* Which devices are wanted; see wanted.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "lib/impl.h"
#include "run/device.h"

enum { NUMBERS = 32 };		/* "4095:1048575" */

int wanted_init(struct wanted *w, const char *const *names, size_t count)
{
	*w = (struct wanted){ .count = 0 };
	if (!count)
		return 0;
	w->names = calloc(count, sizeof(*w->names));
	if (!w->names)
		return -ENOMEM;
	for (; w->count < count; w->count++) {
		w->names[w->count] = strdup(names[w->count]);
		if (!w->names[w->count]) {
			wanted_free(w);
			return -ENOMEM;
		}
	}
	return 0;
}

static bool is_named(const struct wanted *w, const char *name)
{
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->names[i], name))
			return true;
	return false;
}

bool wanted_is(struct wanted *w, const struct device *disk, uint32_t number)
{
	char text[NUMBERS];

	snprintf(text, sizeof(text), "%u:%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
	w->disk = disk;
	w->number = number;
	w->verdict = is_named(w, text) ||
		     (disk && disk->label && is_named(w, disk->label));
	return w->verdict;
}

void wanted_free(struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->names[i]);
	free(w->names);
	*w = (struct wanted){ .count = 0 };
}
