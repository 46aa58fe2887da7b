/* SPDX-License-Identifier: GPL-2.0-only */
/* Which custom format is used for which action. */
#include <stddef.h>
#include <string.h>

#include "emit/format.h"
#include "emit/formats.h"
#include "emit/line.h"

/* 1.3.0: T and W are accepted and never used; Z came with zones */
static const char letters[] = "ABCDFGIMPQRSTUWXZ";

enum formats_error formats_set_all(struct formats *f, const char *text)
{
	f->any = true;
	for (const char *l = letters; *l; l++) {
		struct format **slot = &f->by_letter[*l - 'A'];

		if (!*slot)
			*slot = format_new(text);
		if (!*slot)
			return FORMATS_NO_MEMORY;
	}
	return FORMATS_OK;
}

enum formats_error formats_set_one(struct formats *f, const char *spec)
{
	struct format **slot;

	if (!*spec || !strchr(letters, *spec))
		return FORMATS_BAD_LETTER;
	if (spec[1] != ',')
		return FORMATS_NO_COMMA;
	f->any = true;
	slot = &f->by_letter[*spec - 'A'];
	format_free(*slot);
	*slot = format_new(spec + 2);
	return *slot ? FORMATS_OK : FORMATS_NO_MEMORY;
}

void formats_set_terminal(const struct formats *f)
{
	for (size_t i = 0; i < 26; i++)
		if (f->by_letter[i])
			format_set_terminal(f->by_letter[i]);
}

struct format *formats_for(const struct formats *f, const struct event *ev)
{
	const char *action = line_action(ev);

	return action ? f->by_letter[*action - 'A'] : NULL;
}

void formats_free(struct formats *f)
{
	for (size_t i = 0; i < 26; i++)
		format_free(f->by_letter[i]);
	*f = (struct formats){ .any = false };
}
