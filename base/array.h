/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow.  NULL means no memory: the array is then as it was.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* list, resized to count things of each bytes, at least 1; or NULL */
void *array_resize(void *list, size_t count, size_t each);

/*
 * list with room for one more than its count things of each bytes, or NULL.
 * *size is for how many there is room: if that is too few it is doubled, or
 * set to first when there is none yet.
 */
void *array_reserve(void *list, size_t count, size_t *size, size_t first,
		    size_t each);

#endif
