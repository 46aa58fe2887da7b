/* SPDX-License-Identifier: GPL-2.0-only */
/* The template, filled; see template.h. */
#include <string.h>

#include "base/buf.h"
#include "report/assets.h"
#include "report/template.h"

static void put(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

void template_style(const void *what, struct buf *b)
{
	(void)what;
	put(b, report_style);
}

void template_script(const void *what, struct buf *b)
{
	(void)what;
	put(b, report_script);
}

/* the place that text begins with, "@NAME@", or NULL */
static const struct template_place *find(const struct template_place *places,
					 size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(places[i].name);

		if (!strncmp(text + 1, places[i].name, len) &&
		    text[len + 1] == '@')
			return &places[i];
	}
	return NULL;
}

void template_write(const struct template_place *places, size_t count,
		    const void *what, struct buf *b)
{
	const char *at = report_template;

	while (*at) {
		const struct template_place *place;
		size_t len = strcspn(at, "@");

		buf_append(b, at, len);
		at += len;
		if (!*at)
			return;
		place = find(places, count, at);
		if (place)
			place->put(what, b);
		else
			buf_append(b, at, 1);
		at += place ? strlen(place->name) + 2 : 1;
	}
}
