/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a run may make; see written.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "file/files.h"
#include "file/location.h"
#include "tools/btrecord/options.h"
#include "tools/btrecord/written.h"

/* Takes name over; NULL is for no memory. */
static void add(struct written *w, struct writable one)
{
	struct writable *list = realloc(w->list,
					(w->count + 1) * sizeof(*list));

	if (!list || !one.name)
		msg_die("out of memory");
	list[w->count++] = one;
	w->list = list;
}

char *written_directory(const struct record_options *o,
			const struct locations *inputs, unsigned int host)
{
	char *to;

	if (inputs->host_count < 2 || host + 1 == inputs->own_host)
		to = strdup(o->to);
	else if (asprintf(&to, "%s/%s", o->to, inputs->hosts[host]) < 0)
		to = NULL;
	if (!to)
		msg_die("out of memory");
	return to;
}

/* Those of a dump are called as its devices are, which is not known yet. */
static void add_input(struct written *w, const struct record_options *o,
		      const struct locations *inputs,
		      const struct location *at)
{
	char *to = written_directory(o, inputs, at->host), *begin;
	int len = at->name ? asprintf(&begin, "%s/%s%s", to, at->name, w->has) :
			     asprintf(&begin, "%s/", to);

	if (len < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_BEGIN, .name = begin,
				  .has = at->name ? NULL : w->has });
	if (strcmp(to, o->to))
		add(w, (struct writable){ .kind = WRITABLE_EXACT, .name = to });
	else
		free(to);
}

/* The same by its name, so that a link there leads on. */
static void add_exact(struct written *w, const char *begin, uint32_t cpu,
		      const char *suffix)
{
	char *path;

	if (asprintf(&path, "%s%u%s", begin, cpu, suffix) < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_EXACT, .name = path });
}

/* A file of each CPU, and a card, which is made by place_open(). */
static void add_device(struct written *w, const struct record_options *o,
		       const struct locations *inputs,
		       const struct location *at)
{
	char *to = written_directory(o, inputs, at->host), *begin, *card;
	struct files f = { 0 };

	if (asprintf(&begin, "%s/%s%s", to, at->name, w->has) < 0 ||
	    asprintf(&card, "%sjson", begin) < 0)
		msg_die("out of memory");
	add(w, (struct writable){ .kind = WRITABLE_FILE, .name = card });
	/* what cannot be found is reported later */
	if (!location_files(at, &f))
		for (size_t i = 0; i < f.count; i++) {
			add_exact(w, begin, f.list[i].cpu, "");
			add_exact(w, begin, f.list[i].cpu, ".rec");
		}
	files_free(&f);
	free(begin);
	free(to);
}

void written_init(struct written *w, const struct record_options *o,
		  const struct locations *inputs)
{
	*w = (struct written){ .count = 0 };
	if (asprintf(&w->has, ".%s.", o->base) < 0)
		msg_die("out of memory");
	for (size_t i = 0; i < inputs->count; i++) {
		add_input(w, o, inputs, &inputs->list[i]);
		if (inputs->list[i].name)
			add_device(w, o, inputs, &inputs->list[i]);
	}
}

void written_free(struct written *w)
{
	for (size_t i = 0; i < w->count; i++)
		free((char *)(uintptr_t)w->list[i].name);
	free(w->list);
	free(w->has);
}
