/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow; see array.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Sanitizers abort a program that requests an impossible size. */
void *array_resize(void *list, size_t count, size_t each)
{
	if (count > PTRDIFF_MAX / each)
		return NULL;
	return realloc(list, count * each);
}

void *array_copy(const void *list, size_t count, size_t each)
{
	void *copy = list ? array_resize(NULL, count, each) : NULL;

	return copy ? memcpy(copy, list, count * each) : NULL;
}

void *array_reserve(void *list, size_t count, size_t *size, size_t first,
		    size_t each)
{
	size_t bigger = *size ? 2 * *size : first;
	void *new;

	if (count < *size)
		return list;
	new = array_resize(list, bigger, each);
	if (new)
		*size = bigger;
	return new;
}
