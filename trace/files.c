/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding the files of a trace; see files.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "blktrace.h"
#include "trace/files.h"
#include "trace/source.h"
#include "trace/source_2005.h"

static const char infix[] = ".blktrace.";
static const char old_infix[] = "_out.";

void files_free(struct files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->list[i].path);
		free(f->list[i].payloads);
	}
	free(f->list);
	*f = (struct files){ 0 };
}

/*
 * A CPU number as blktrace writes it, without leading zeros, up to the end or
 * ".gz"; false when text is anything else.
 */
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

/* Where a device's files are: in dir, or where its name leads from there. */
struct place {
	char *prefix;		/* of every path, with its slash */
	const char *base;	/* what file names begin with */
};

static int place_init(struct place *p, const char *dir, const char *name)
{
	const char *slash = strrchr(name, '/');

	p->base = slash ? slash + 1 : name;
	if (asprintf(&p->prefix, "%s%s%.*s", dir, *dir ? "/" : "",
		     (int)(p->base - name), name) < 0)
		return -ENOMEM;
	return 0;
}

static char *path_in(const struct place *p, const char *file)
{
	char *path;

	return asprintf(&path, "%s%s", p->prefix, file) < 0 ? NULL : path;
}

/* NAME_dat.N beside NAME_out.N, or NULL when there is none. */
static char *payloads_beside(const char *path)
{
	const char *at = strrchr(path, '_');
	char *dat;

	if (!at || asprintf(&dat, "%.*s_dat.%s", (int)(at - path), path,
			    at + sizeof(old_infix) - 1) < 0)
		return NULL;
	if (!access(dat, F_OK))
		return dat;
	free(dat);
	return NULL;
}

/* Adds e, whose path is the caller's until it is in the list. */
static int add(struct files *f, struct file_entry e)
{
	struct file_entry *list;
	struct stat st;

	if (!e.path)
		return -ENOMEM;
	if (stat(e.path, &st)) {	/* a link to nowhere */
		free(e.path);
		return 0;
	}
	e.empty = S_ISREG(st.st_mode) && st.st_size == 0;
	list = realloc(f->list, (f->count + 1) * sizeof(*list));
	if (!list) {
		free(e.path);
		return -ENOMEM;
	}
	if (e.old)
		e.payloads = payloads_beside(e.path);
	f->list = list;
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

/* Of a file and its gzip'd twin only the plain one stays. */
static void drop_twins(struct files *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->count; i++) {
		if (kept && f->list[kept - 1].cpu == f->list[i].cpu) {
			free(f->list[i].path);
			free(f->list[i].payloads);
		} else {
			f->list[kept++] = f->list[i];
		}
	}
	f->count = kept;
}

static int scan(struct files *f, DIR *d, const struct place *p,
		const char *sep)
{
	size_t len = strlen(p->base), sep_len = strlen(sep);
	struct dirent *de;
	int err = 0;

	while (!err && (de = readdir(d))) {
		struct file_entry e = { .old = sep == old_infix };
		bool gz;

		if (strncmp(de->d_name, p->base, len) ||
		    strncmp(de->d_name + len, sep, sep_len) ||
		    !parse_cpu(de->d_name + len + sep_len, &e.cpu, &gz))
			continue;
		e.path = path_in(p, de->d_name);
		err = add(f, e);
	}
	return err;
}

static int scan_place(struct files *f, const struct place *p)
{
	DIR *d = opendir(*p->prefix ? p->prefix : ".");
	int err;

	if (!d)
		return -ENOENT;
	err = scan(f, d, p, infix);
	if (!err && !f->count) {
		rewinddir(d);
		err = scan(f, d, p, old_infix);
	}
	closedir(d);
	return err;
}

int files_find(struct files *f, const char *dir, const char *name)
{
	struct place p;
	int err = place_init(&p, dir, name);

	*f = (struct files){ 0 };
	if (err)
		return err;
	err = scan_place(f, &p);
	free(p.prefix);
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

int files_open(const struct file_entry *e, struct source **s)
{
	if (e->old)
		return source_2005_open(s, e->path, e->payloads, e->cpu);
	return source_open(s, e->path);
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

int files_devices(const char *dir, char ***names)
{
	return folder_names(dir, device_stem, NULL, names);
}
