/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that names of traces stand for; see readable.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/readable.h"
#include "confine/places.h"
#include "file/files.h"
#include "file/location.h"
#include "file/positions.h"
#include "file/source_chain.h"
#include "machine/card.h"

/*
 * All of it: what cannot be allowed will be reported by who wants to open it,
 * and so will that there is no memory.
 */
static void allow_place(struct places *p, const char *path, enum place_use use)
{
	if (path)
		places_allow(p, path, use);
}

/* the directory of a path, the caller's; NULL: no memory */
static char *around(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/") :
			       strndup(path, (size_t)(slash - path));
}

/* directory/name, the caller's; NULL: no memory */
static char *join(const char *directory, const char *name)
{
	bool is_in = directory && *directory;
	char *path;

	return text_print(&path, "%s%s%s", is_in ? directory : "",
			  is_in ? "/" : "", name) < 0 ? NULL : path;
}

/* path with suffix */
static void allow_with(struct places *p, const char *path, const char *suffix)
{
	char *with;

	if (!path || text_print(&with, "%s%s", path, suffix) < 0)
		return;
	allow_place(p, with, PLACE_READ);
	free(with);
}

/* --- a device ------------------------------------------------------------- */

/* where the files of a device are allowed */
struct device {
	struct places *places;
	const char *name;
	struct readable_kept *kept;	/* NULL: it is not wanted */
	char *in;		/* the last directory; NULL: none */
};

/* The card is where the files are. */
static void enter(struct device *d, const char *file)
{
	const char *slash = strrchr(d->name, '/');
	char *in = around(file), *path;

	if (!in || (d->in && !strcmp(in, d->in))) {
		free(in);
		return;
	}
	free(d->in);
	d->in = in;
	allow_place(d->places, in, PLACE_LIST);
	path = join(in, slash ? slash + 1 : d->name);
	allow_with(d->places, path, CARD_SUFFIX);
	free(path);
}

/* Without memory there are no positions. */
static void keep(struct device *d, const char *file)
{
	struct readable_kept *k = d->kept;
	char *path = positions_path(file);
	char **list = path ? realloc(k->list, (k->count + 1) * sizeof(*list)) :
			     NULL;

	allow_place(d->places, path, PLACE_READ);
	if (list) {
		k->list = list;
		list[k->count++] = path;
	} else {
		free(path);
	}
}

static void allow_named(struct device *d, const char *file)
{
	if (!file)
		return;
	enter(d, file);
	allow_place(d->places, file, PLACE_READ);
	if (d->kept)
		keep(d, file);
}

static void allow_device(struct places *p, const struct location *at,
			 struct readable_kept *kept)
{
	struct device d = { p, at->name, kept, NULL };
	struct files f;

	if (location_files(at, &f))
		return;
	/* of segments it is where these are */
	allow_place(p, *at->dir ? at->dir : ".", PLACE_LIST);
	for (size_t i = 0; i < f.count; i++) {
		allow_named(&d, f.list[i].path);
		allow_named(&d, f.list[i].payloads);
		for (size_t k = 0; k < f.list[i].link_count; k++)
			allow_named(&d, f.list[i].links[k].path);
	}
	files_free(&f);
	free(d.in);
}

static void allow_locations(struct places *p, const struct readable *r,
			    const struct locations *l,
			    struct readable_kept *kept)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct location *at = &l->list[i];

		if (!at->name) {
			allow_place(p, at->path, PLACE_READ);
			continue;
		}
		allow_device(p, at, r->positions ? kept : NULL);
	}
}

/* --- names ---------------------------------------------------------------- */

static int add(struct locations *l, const struct readable *r,
	       const char *name)
{
	if (r->meaning == READABLE_BELOW)
		return locations_add_below(l, r->directory, name);
	return locations_add(l, r->directory, name);
}

/* What is no trace may be something else that the program reads, or reports. */
static void allow_other(struct places *p, const struct readable *r,
			const char *name)
{
	char *path = join(*name == '/' ? NULL : r->directory, name);
	struct stat st;

	if (path && !stat(path, &st))
		allow_place(p, path, S_ISDIR(st.st_mode) ? PLACE_LIST : PLACE_READ);
	free(path);
}

void readable_allow(struct places *p, const struct readable *r,
		    struct readable_kept *kept)
{
	struct locations l = { 0 };

	for (size_t i = 0; i < r->count; i++) {
		const char *name = r->names[i];

		if (!strcmp(name, "-"))
			continue;
		if (add(&l, r, name))
			allow_other(p, r, name);
		/* why a flight recorder wrote that directory */
		allow_with(p, name, "/cause.json");
		if (r->meaning != READABLE_ALONE)
			continue;
		allow_locations(p, r, &l, kept);
		locations_free(&l);
	}
	if (r->all && r->directory)
		locations_add_all(&l, r->directory);
	allow_locations(p, r, &l, kept);
	locations_free(&l);
}

void readable_kept_free(struct readable_kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		free(kept->list[i]);
	free(kept->list);
}
