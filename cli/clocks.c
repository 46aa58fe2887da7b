/* SPDX-License-Identifier: GPL-2.0-only */
/* --shift and --align; see clocks.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/clocks.h"
#include "cli/set.h"

/* HOST:+1.5ms; a host's name may have colons */
void clocks_add_shift(void *wishes, const char *text)
{
	struct host_wishes *w = wishes;
	struct host_shift *list;
	const char *colon = strrchr(text, ':'), *time;
	uint64_t ns;
	char *host;

	if (!colon || colon == text || !colon[1])
		msg_die("--shift takes HOST:TIME, such as db1:+1.5ms, not %s",
			text);
	time = colon + 1 + (colon[1] == '+' || colon[1] == '-');
	decimal_set_time(&ns, time);
	if (ns > INT64_MAX)
		msg_die("--shift=%s: that is too long", text);
	list = array_resize((void *)w->shifts, w->count + 1, sizeof(*list));
	host = strndup(text, (size_t)(colon - text));
	if (!list || !host)
		msg_die("out of memory");
	w->shifts = list;
	list[w->count++] = (struct host_shift){
		.host = host,
		.ns = colon[1] == '-' ? -(int64_t)ns : (int64_t)ns,
	};
}

void clocks_set_align(void *wishes, const char *text)
{
	((struct host_wishes *)wishes)->align_start = !strcmp(text, "start");
}

void clocks_free(struct host_wishes *w)
{
	for (size_t i = 0; i < w->count; i++)
		free((char *)w->shifts[i].host);
	free((void *)w->shifts);
	*w = (struct host_wishes){ .shifts = NULL };
}
