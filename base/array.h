/*
 * Arrays that grow.  Without memory there is no going on: all dies then.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* list, resized to count things of each bytes */
void *array_resize(void *list, size_t count, size_t each);

/*
 * list with room for one more than its count things of each bytes: twice as
 * large as *size if need be, and first at first.
 */
void *array_reserve(void *list, size_t count, size_t *size, size_t first,
		    size_t each);

#endif
