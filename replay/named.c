/* SPDX-License-Identifier: GPL-2.0-only */
/* The names on a command line; see named.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "replay/named.h"

bool named_has(const struct named *n, const char *name)
{
	for (int i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], name))
			return true;
	return false;
}

int named_add(struct named *n, const char *name)
{
	const char **list;

	if (named_has(n, name))
		return 0;
	list = realloc(n->list, (size_t)(n->count + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	n->list = list;
	list[n->count++] = name;
	return 0;
}

void named_free(struct named *n)
{
	free(n->list);
	*n = (struct named){ 0 };
}
