/* SPDX-License-Identifier: GPL-2.0-only */
/* The names on the command line; see operands.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/location.h"
#include "tools/btexport/operands.h"

int operands_init(struct operands *o, const char *directory,
		  const char *const *names, size_t count)
{
	struct locations l = { 0 };
	int err = 0;

	*o = (struct operands){ .names = names, .count = count };
	o->hosts = calloc(count, sizeof(*o->hosts));
	if (!o->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < count && err != -ENOMEM; i++) {
		size_t before = l.count;

		err = locations_add(&l, directory, names[i]);
		if (!err && l.count > before)
			o->hosts[i] = l.list[before].host;
	}
	o->host_count = l.host_count ? l.host_count : 1;
	locations_free(&l);
	if (err == -ENOMEM)
		operands_free(o);
	return err == -ENOMEM ? err : 0;
}

char *operands_of(const struct operands *o, unsigned int host)
{
	size_t size = 1;
	char *text, *end;

	for (size_t i = 0; i < o->count; i++)
		if (o->hosts[i] == host)
			size += strlen(o->names[i]) + 1;
	text = malloc(size);
	if (!text)
		return NULL;
	end = text;
	*end = '\0';
	for (size_t i = 0; i < o->count; i++) {
		if (o->hosts[i] != host)
			continue;
		if (end > text)
			*end++ = ' ';
		end = stpcpy(end, o->names[i]);
	}
	return text;
}

void operands_free(struct operands *o)
{
	free(o->hosts);
	*o = (struct operands){ .names = NULL };
}
