/* Arrays that grow; see array.h. */
#include <stdlib.h>

#include "base/msg.h"
#include "base/array.h"

void *array_resize(void *list, size_t count, size_t each)
{
	void *bigger = reallocarray(list, count, each);

	if (!bigger)
		msg_die("out of memory");
	return bigger;
}

void *array_reserve(void *list, size_t count, size_t *size, size_t first,
		    size_t each)
{
	if (count < *size)
		return list;
	*size = *size ? 2 * *size : first;
	return array_resize(list, *size, each);
}
