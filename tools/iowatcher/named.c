/* SPDX-License-Identifier: GPL-2.0-only */
/* What -t means; see named.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "file/location.h"
#include "tools/iowatcher/named.h"

/* whether there is something to read by that name */
static bool is_there(const char *name)
{
	struct locations l = { 0 };
	bool there = !locations_add(&l, NULL, name) && l.count;

	locations_free(&l);
	return there;
}

/* name up to len, and what follows it; the caller's to free */
static char *text_of(const char *name, size_t len, const char *behind)
{
	char *text;

	if (asprintf(&text, "%.*s%s", (int)len, name, behind) < 0)
		msg_die("out of memory");
	return text;
}

size_t named_stem(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *file = slash ? slash + 1 : name;
	const char *dot = strrchr(file, '.');

	return dot && dot > file ? (size_t)(dot - name) : strlen(name);
}

char *named_find(const char *name)
{
	size_t len = strlen(name);
	const struct {
		size_t len;
		const char *behind;
	} tries[] = { { len, "" }, { len, ".dump" }, { named_stem(name), "" } };

	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		char *text = text_of(name, tries[i].len, tries[i].behind);

		if (*text && is_there(text))
			return text;
		free(text);
	}
	return text_of(name, len, "");
}
