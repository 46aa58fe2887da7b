/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow.  NULL: no memory, and the array is as it was. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* list, resized to count items of each bytes, at least 1; or NULL */
void *array_resize(void *list, size_t count, size_t each);

/* a copy of count items of each bytes; or NULL */
void *array_copy(const void *list, size_t count, size_t each);

/*
 * list with room for one more than count items of each bytes, or NULL.  *size,
 * its capacity, is doubled if needed, or set to first if it is 0.
 */
void *array_reserve(void *list, size_t count, size_t *size, size_t first,
		    size_t each);

#endif
