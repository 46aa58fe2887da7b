/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands add and remove.  The first file added loads the programs, the
 * last one removed unloads them.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/set.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/log.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/pins.h"
#include "tools/iotracer/watched.h"

enum { DEFAULT_EVENTS = 10, EVENTS_MAX = 1 << 24 };

/* --- add --------------------------------------------------------------- */

/* N after the file, or -n's, or the default of b-com's iotracer. */
static uint64_t room_of(const struct options *o)
{
	uint64_t n = o->events ? o->events : DEFAULT_EVENTS;

	if (o->count < 2 || cli_number(o->words[1], 1, EVENTS_MAX, &n))
		return n;
	msg_warn("add takes a number of lines from 1 to %d, not %s", EVENTS_MAX,
		 o->words[1]);
	return 0;
}

/* All files share the programs, set up with the first. */
static int check_same(const struct options *o, const struct bpf_config *c)
{
	const char *option = NULL;

	if (o->levels_given && o->levels != c->levels)
		option = "-l";
	else if (o->lower && !c->lower)
		option = "-s";
	else if (o->backend != BACKEND_AUTO && o->backend != c->backend)
		option = "-p";
	if (!option)
		return 0;
	msg_warn("%s cannot be another than that of the files watched already:"
		 " remove them first", option);
	return -EINVAL;
}

/* Opens the pins, or loads programs to be pinned. */
static int open_or_begin(struct pins *p, const struct options *o)
{
	int err = pins_open(p);

	if (!err)
		return check_same(o, p->bpf.config);
	if (err == -ENOENT)
		err = pins_new(p);
	if (err)
		return err;
	p->bpf.config->levels = o->levels;
	p->bpf.config->lower = o->lower;
	p->bpf.config->to_logs = 1;
	return 0;
}

/* Attaches the new file's calls, and with the first file the rest. */
static int attach(struct pins *p, const struct options *o,
		  const struct watched *t)
{
	int err = backend_add(&p->bpf, o->backend, &t->found);

	if (!err && p->fresh)
		err = backend_levels(&p->bpf, o->backend, o->levels);
	if (err)
		msg_warn("%s", p->bpf.why);
	else if (o->verbose)
		msg_warn("VFS lines by %s",
			 backend_names[p->bpf.config->backend]);
	return err;
}

/* Keeps the path, which may be another file's that is gone. */
static int keep_path(struct pins *p, const struct watched *t, const char *path,
		     struct path_entry *e)
{
	int err = paths_add(p->paths, t->number, path, e);

	if (err == -EEXIST && e->file != t->number)
		msg_warn("%s: another file was added under this path: remove"
			 " it first", t->path);
	else if (err && err != -EEXIST)
		msg_warn("%s: %s", t->path, strerror(-err));
	return err;
}

/* Adds a file that is not watched under any path. */
static int add_new(struct pins *p, const struct options *o, struct watched *t,
		   const char *path)
{
	struct bpf_file *f = &p->bpf.files[t->number];
	int err = log_new(&p->bpf, t->number, f->room);
	struct path_entry e;

	if (err)
		msg_warn("%s: a log of %llu lines: %s", t->path,
			 (unsigned long long)f->room, strerror(-err));
	if (!err)
		err = attach(p, o, t);
	if (!err)
		err = keep_path(p, t, path, &e);
	if (!err) {
		f->added = e.added;
		err = pins_write(p);
	}
	if (err && !p->fresh) {
		paths_remove_file(p->paths, t->number);
		log_remove(&p->bpf, t->number);
		bpf_file_remove(&p->bpf, t->number);
	}
	return err;
}

/* Adds a path, perhaps the same again, of a watched file. */
static int add_name(struct pins *p, const struct watched *t, const char *path)
{
	struct path_entry e;
	int err = keep_path(p, t, path, &e);

	return err == -EEXIST && e.file == t->number ? 0 : err;
}

/* The file may be watched already, under this path or another. */
static int add_path(struct pins *p, const struct options *o, struct watched *t,
		    const char *path)
{
	int err = bpf_file_add(&p->bpf, &t->file, &t->number);

	if (err == -EEXIST)
		return add_name(p, t, path);
	if (!err)
		return add_new(p, o, t, path);
	msg_warn("%s: %s", t->path, p->bpf.why);
	return err;
}

static int add_target(struct pins *p, const struct options *o,
		      struct watched *t, uint64_t room)
{
	char *path = watched_absolute(t->path);
	int err = path ? 0 : -errno;

	if (err)
		msg_warn("cannot resolve path %s:", t->path);
	else
		err = watched_find(t, &p->bpf, false);
	t->file.room = room;
	if (!err)
		err = add_path(p, o, t, path);
	free(path);
	return err;
}

int command_add(const struct options *o)
{
	struct pins p = { .paths = -1, .lock = -1 };
	struct watched t = { .fd = -1 };
	uint64_t room = room_of(o);
	int err = room ? watched_open_regular(&t, o->words[0]) : -EINVAL;

	if (err)
		return 1;
	err = open_or_begin(&p, o);
	if (!err)
		err = add_target(&p, o, &t, room);
	watched_close(&t);
	pins_close(&p);
	return err != 0;
}

/* --- remove ------------------------------------------------------------ */

static bool any_left(const struct pins *p)
{
	for (int i = 0; i < BPF_FILES_MAX; i++)
		if (p->bpf.files[i].used)
			return true;
	return false;
}

/* Forgets the file, and with the last one removes all pins. */
static void forget(struct pins *p, uint32_t file)
{
	bpf_file_remove(&p->bpf, file);
	log_remove(&p->bpf, file);
	if (!any_left(p))
		pins_remove();
}

int command_remove(const struct options *o)
{
	struct found found;
	struct pins p;
	unsigned int left = 0;
	int err = found_open(&p, o->words[0], &found);

	if (err)
		return 1;
	err = found.by_name ? paths_remove_file(p.paths, found.file) :
			      paths_remove(p.paths, found.path, &left);
	if (err)
		msg_warn("%s: %s", o->words[0], strerror(-err));
	else if (!left)
		forget(&p, found.file);
	pins_close(&p);
	return err != 0;
}
