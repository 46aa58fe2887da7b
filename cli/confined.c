/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up files that nobody named; see confined.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/msg.h"
#include "base/text.h"
#include "cli/confined.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "file/files.h"
#include "file/location.h"
#include "file/positions.h"
#include "file/source_chain.h"
#include "machine/card.h"

/* --- readable ------------------------------------------------------------- */

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
		allow_place(p, path,
			    S_ISDIR(st.st_mode) ? PLACE_LIST : PLACE_READ);
	free(path);
}

/*
 * Allows to read all files of the traces, with cards, and what links of these
 * names lead to.  A name that is no trace's is a file's or a directory's.
 * "-" is nothing.  Files that appear later are not among them.
 *
 * *kept is what may be made beside the files, which the caller frees.
 */
static void readable_allow(struct places *p, const struct readable *r,
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

static void readable_kept_free(struct readable_kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		free(kept->list[i]);
	free(kept->list);
}

/* --- confined ------------------------------------------------------------- */

/*
 * Libraries that are loaded when they are needed, locales and their converters,
 * time zones, how many CPUs there are.  What is not there need not be.
 */
static const char *const systems[] = {
	"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/locale",
	"/usr/share/i18n", "/usr/share/zoneinfo", "/etc/localtime",
	"/etc/timezone", "/sys/devices/system/cpu", "/proc/stat",
	"/dev/urandom",
};

/* What has not been found will be reported by who wants to open it. */
static void allow(struct places *p, const char *path, enum place_use use)
{
	if (path)
		places_allow(p, path, use);
}

static void allow_system(struct places *p)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		allow(p, systems[i], PLACE_READ);
	allow(p, getenv("LOCPATH"), PLACE_READ);
	allow(p, getenv("TZDIR"), PLACE_READ);
	allow(p, "/dev/null", PLACE_WRITE);
	allow(p, "/dev/tty", PLACE_WRITE);
}

static void allow_others(struct places *p, const char *others)
{
	while (others && *others) {
		size_t len = strcspn(others, ":");
		char *path = strndup(others, len);

		allow(p, path, PLACE_READ);
		free(path);
		others += len + (others[len] == ':');
	}
}

/* A directory in its place can be opened, for the message. */
static void allow_file(struct places *p, const char *path)
{
	struct stat st;

	if (strcmp(path, "-") && !stat(path, &st))
		allow(p, path, S_ISDIR(st.st_mode) ? PLACE_LIST : PLACE_READ);
}

/* An opener for the outputs, and for positions. */
static struct opener start(const struct confined *c,
			   const struct readable_kept *kept)
{
	size_t count = c->output_count + kept->count;
	struct writable *all = calloc(count + 1, sizeof(*all));
	struct opener opener;

	if (!all)
		msg_die("out of memory");
	if (c->output_count)
		memcpy(all, c->outputs, c->output_count * sizeof(*all));
	for (size_t i = 0; i < kept->count; i++)
		all[c->output_count + i] = (struct writable){
			.kind = WRITABLE_PLAIN, .name = kept->list[i] };
	opener = writable_start(all, count);
	free(all);
	return opener;
}

struct opener confined_enter(const struct confined *c)
{
	struct readable_kept kept = { NULL, 0 };
	struct opener opener;
	struct places p;

	if (!confine_is_wanted() || places_open(&p, true))
		return (struct opener){ 0 };
	allow_system(&p);
	readable_allow(&p, &c->traces, &kept);
	for (size_t i = 0; i < c->file_count; i++)
		allow_file(&p, c->files[i]);
	allow_others(&p, c->others);
	allow(&p, c->written, PLACE_WRITE);
	allow(&p, c->scratch, PLACE_KEEP);
	writable_allow(&p, c->outputs, c->output_count);
	opener = start(c, &kept);
	readable_kept_free(&kept);
	places_enforce(&p);
	return opener;
}
