/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding the files of a trace; see files.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "blktrace.h"
#include "file/files.h"
#include "file/segments.h"
#include "file/shelf.h"
#include "file/source.h"
#include "file/source_2005.h"
#include "file/source_chain.h"

static const char infix[] = ".blktrace.";
static const char old_infix[] = "_out.";

static void entry_clear(struct file_entry *e)
{
	for (size_t i = 0; i < e->link_count; i++)
		free(e->links[i].path);
	free(e->links);
	free(e->path);
	free(e->payloads);
}

void files_free(struct files *f)
{
	for (size_t i = 0; i < f->count; i++)
		entry_clear(&f->list[i]);
	free(f->list);
	*f = (struct files){ 0 };
}

/* A CPU number without leading zeros, up to the end or ".gz". */
static bool parse_cpu(const char *text, uint32_t *cpu, bool *gz)
{
	char *end;
	unsigned long n;

	if (text[0] < '0' || text[0] > '9' ||
	    (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
		return false;
	n = strtoul(text, &end, 10);
	*cpu = (uint32_t)n;
	*gz = !strcmp(end, ".gz");
	return n < BLK_CPU_MAX && (*gz || !*end);
}

/* where a device's files are: in dir, or below, as its name may have slashes */
struct place {
	char *prefix;		/* of every path, with its slash */
	const char *base;	/* prefix of the file names */
};

static int place_init(struct place *p, const char *dir, const char *name)
{
	const char *slash = strrchr(name, '/');

	p->base = slash ? slash + 1 : name;
	if (text_print(&p->prefix, "%s%s%.*s", dir, *dir ? "/" : "",
		       (int)(p->base - name), name) < 0)
		return -ENOMEM;
	return 0;
}

static char *path_in(const struct place *p, const char *file)
{
	char *path;

	return text_print(&path, "%s%s", p->prefix, file) < 0 ? NULL : path;
}

static bool is_there(const char *path)
{
	struct source *s;

	if (!access(path, F_OK))
		return true;
	if (errno != ENOTDIR || source_open(&s, path))
		return false;
	source_close(s);	/* in a packed file */
	return true;
}

/* dat: NAME_dat.N of NAME_out.N, or NULL.  0 or -ENOMEM. */
static int payloads_beside(const char *path, char **dat)
{
	const char *at = strrchr(path, '_');

	*dat = NULL;
	if (!at)
		return 0;
	if (text_print(dat, "%.*s_dat.%s", (int)(at - path), path,
		       at + sizeof(old_infix) - 1) < 0)
		return -ENOMEM;
	if (!is_there(*dat)) {
		free(*dat);
		*dat = NULL;
	}
	return 0;
}

/* FOLDER_UNKNOWN: there is no such file, as a dangling link has none */
static enum folder_fill look_at(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return FOLDER_UNKNOWN;
	return S_ISREG(st.st_mode) && st.st_size == 0 ? FOLDER_EMPTY :
							FOLDER_FILLED;
}

/* Most files are found more than once and opened once, before which their
 * sizes do not matter. */
bool files_is_empty(const struct file_entry *e)
{
	enum folder_fill fill = e->fill;

	if (fill == FOLDER_REGULAR)
		fill = look_at(e->path);
	return fill == FOLDER_EMPTY;
}

/* Adds e and takes over its path, also on failure. */
static int add(struct files *f, struct file_entry e)
{
	struct file_entry *list;

	if (!e.path)
		return -ENOMEM;
	if (e.fill == FOLDER_UNKNOWN)
		e.fill = look_at(e.path);
	if (e.fill == FOLDER_UNKNOWN) {
		free(e.path);
		return 0;
	}
	list = realloc(f->list, (f->count + 1) * sizeof(*list));
	if (list)
		f->list = list;
	if (!list || (e.old && payloads_beside(e.path, &e.payloads))) {
		free(e.path);
		return -ENOMEM;
	}
	list[f->count++] = e;
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct file_entry *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return strcmp(x->path, y->path);	/* plain before .gz */
}

/* Of a file and its gzip'd copy, keeps the plain one. */
static void drop_twins(struct files *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->count; i++) {
		if (kept && f->list[kept - 1].cpu == f->list[i].cpu) {
			entry_clear(&f->list[i]);
		} else {
			f->list[kept++] = f->list[i];
		}
	}
	f->count = kept;
}

struct scan {
	struct files *files;
	const struct place *place;
	const char *separator;	/* infix or old_infix */
	bool one;		/* of all files is enough */
};

static int scan_item(void *ctx, const struct folder_item *item)
{
	const struct scan *s = ctx;
	size_t len = strlen(s->place->base), sep_len = strlen(s->separator);
	struct file_entry e = { .old = s->separator == old_infix,
				.fill = item->fill };
	bool gz;
	int err;

	if (strncmp(item->name, s->place->base, len) ||
	    strncmp(item->name + len, s->separator, sep_len) ||
	    !parse_cpu(item->name + len + sep_len, &e.cpu, &gz))
		return 0;
	e.path = path_in(s->place, item->name);
	err = add(s->files, e);
	return !err && s->one && s->files->count ? -EEXIST : err;
}

static int scan_place(struct files *f, const struct place *p, bool one)
{
	struct scan s = { f, p, infix, one };
	int err = shelf_walk(p->prefix, scan_item, &s);

	s.separator = old_infix;
	if (!err && !f->count)
		err = shelf_walk(p->prefix, scan_item, &s);
	if (err == -EEXIST)
		return 0;
	return err && err != -ENOMEM && err != -EOPNOTSUPP ? -ENOENT : err;
}

/* The files in one directory, or one of them; not through segments.  -ENOENT:
 * none. */
static int find_here(struct files *f, const struct place *p, bool one)
{
	int err = scan_place(f, p, one);

	if (!err && !f->count)
		err = -ENOENT;
	if (err) {
		files_free(f);
		return err;
	}
	qsort(f->list, f->count, sizeof(*f->list), by_cpu);
	drop_twins(f);
	return 0;
}

/* The entry of a CPU, added if needed; NULL: no memory. */
static struct file_entry *entry_of(struct files *f, uint32_t cpu)
{
	struct file_entry *list;

	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].cpu == cpu)
			return &f->list[i];
	list = realloc(f->list, (f->count + 1) * sizeof(*list));
	if (!list)
		return NULL;
	f->list = list;
	list[f->count] = (struct file_entry){ .cpu = cpu,
						.fill = FOLDER_EMPTY };
	return &list[f->count++];
}

static int add_link(struct files *f, const struct file_entry *e,
		    unsigned int segment)
{
	struct file_entry *to = entry_of(f, e->cpu);
	struct chain_link *links;

	if (!to)
		return -ENOMEM;
	links = realloc(to->links, (to->link_count + 1) * sizeof(*links));
	if (!links)
		return -ENOMEM;
	to->links = links;
	if (!to->path)
		to->path = strdup(e->path);
	links[to->link_count] = (struct chain_link){ strdup(e->path),
						     segment };
	if (!files_is_empty(e))
		to->fill = FOLDER_FILLED;
	return !links[to->link_count++].path || !to->path ? -ENOMEM : 0;
}

/* The files of one segment, which may have none. */
static int add_segment(struct files *f, const char *dir, unsigned int number,
		       const char *name)
{
	struct place p = { NULL, name };
	struct files here = { 0 };
	int err;

	if (text_print(&p.prefix, "%s/", dir) < 0)
		return -ENOMEM;
	err = find_here(&here, &p, false);
	for (size_t i = 0; !err && i < here.count; i++)
		if (!here.list[i].old)
			err = add_link(f, &here.list[i], number);
	files_free(&here);
	free(p.prefix);
	return err == -ENOENT ? 0 : err;
}

int files_find_in(struct files *f, const struct segments *s, const char *name)
{
	int err = 0;

	*f = (struct files){ 0 };
	for (size_t i = 0; !err && i < s->count; i++)
		err = add_segment(f, s->list[i].path, s->list[i].number, name);
	if (!err && !f->count)
		err = -ENOENT;
	if (err)
		files_free(f);
	else
		qsort(f->list, f->count, sizeof(*f->list), by_cpu);
	return err;
}

/* The name of a segment is no device's. */
static int find_through(struct files *f, const struct place *p)
{
	struct segments s;
	int err = segment_number(p->base) ? -ENOENT :
					    segments_find(&s, p->prefix);

	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	err = files_find_in(f, &s, p->base);
	segments_free(&s);
	return err;
}

static int find(struct files *f, const char *dir, const char *name, bool one)
{
	struct place p;
	int err = place_init(&p, dir, name);

	*f = (struct files){ 0 };
	if (err)
		return err;
	err = find_here(f, &p, one);
	if (err == -ENOENT)
		err = find_through(f, &p);
	free(p.prefix);
	return err;
}

int files_find(struct files *f, const char *dir, const char *name)
{
	return find(f, dir, name, false);
}

int files_exist(const char *dir, const char *name)
{
	struct files f;
	int err = find(&f, dir, name, true);

	if (!err)
		files_free(&f);
	return err;
}

int files_open(const struct file_entry *e, struct source **s)
{
	if (e->old)
		return source_2005_open(s, e->path, e->payloads, e->cpu);
	if (e->links)
		return source_chain_open(s, e->links, e->link_count, 0);
	return source_open(s, e->path);
}

int files_continue(const struct file_entry *e, unsigned int before,
		   struct source **s)
{
	return source_chain_open(s, e->links, e->link_count, before);
}

/* The device part of a trace file's name. */
static size_t device_stem(const char *file, const void *ctx)
{
	static const char *const separators[] = { infix, old_infix };
	uint32_t cpu;
	bool gz;

	(void)ctx;
	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(file, separators[i]);

		if (at && parse_cpu(at + strlen(separators[i]), &cpu, &gz))
			return (size_t)(at - file);
	}
	return 0;
}

/* The devices of all segments. */
static int devices_through(const struct segments *s, char ***names)
{
	int count = 0;

	for (size_t i = 0; i < s->count; i++) {
		int n = folder_names(s->list[i].path, shelf_walk, device_stem,
				     NULL, names, count);

		/* blktrace may just have deleted the oldest segment */
		if (n < 0 && n != -ENOENT) {
			folder_free(*names, count);
			*names = NULL;
			return n;
		}
		count = n < 0 ? count : n;
	}
	return count;
}

int files_devices(const char *dir, char ***names)
{
	struct segments s;
	int count, err;

	*names = NULL;
	count = folder_names(dir, shelf_walk, device_stem, NULL, names, 0);
	if (count)
		return count;
	err = segments_find(&s, dir);
	if (err)
		return err == -ENOMEM ? err : 0;
	count = devices_through(&s, names);
	segments_free(&s);
	return count;
}
