/* SPDX-License-Identifier: GPL-2.0-only */
/* The sandbox of programs that read traces; see confined.h. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/confined.h"
#include "cli/program.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "file/files.h"
#include "file/location.h"
#include "file/positions.h"
#include "file/segments.h"
#include "file/shelf.h"
#include "file/source_chain.h"
#include "machine/card.h"

/* Whoever opens a path that cannot be allowed reports that. */
static void allow(struct places *p, const char *path, enum place_use use)
{
	if (path)
		places_allow(p, path, use);
}

/* the directory of a path; NULL: no memory */
static char *around(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/") :
			       strndup(path, (size_t)(slash - path));
}

static char *join(const char *directory, const char *name)
{
	bool is_in = directory && *directory;
	char *path;

	return text_print(&path, "%s%s%s", is_in ? directory : "",
			  is_in ? "/" : "", name) < 0 ? NULL : path;
}

static void allow_with(struct places *p, const char *path, const char *suffix)
{
	char *with;

	if (!path || text_print(&with, "%s%s", path, suffix) < 0)
		return;
	allow(p, with, PLACE_READ);
	free(with);
}

/* --- traces --------------------------------------------------------------- */

/* paths of positions */
struct kept {
	char **list;
	size_t count;
};

/* a device whose files are being allowed */
struct device {
	struct places *places;
	const char *name;
	struct kept *kept;	/* or NULL */
	char *in;		/* the last directory, or NULL */
};

/* Allows a file's directory and the card in it. */
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
	allow(d->places, in, PLACE_LIST);
	path = join(in, slash ? slash + 1 : d->name);
	allow_with(d->places, path, CARD_SUFFIX);
	free(path);
}

/* Without memory there are no positions. */
static void keep(struct device *d, const char *file)
{
	struct kept *k = d->kept;
	char *path = positions_path(file);
	char **list = path ? realloc(k->list, (k->count + 1) * sizeof(*list)) :
			     NULL;

	allow(d->places, path, PLACE_READ);
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
	allow(d->places, file, PLACE_READ);
	if (d->kept)
		keep(d, file);
}

static void allow_device(struct places *p, const struct location *at,
			 struct kept *kept)
{
	struct device d = { p, at->name, kept, NULL };
	struct files f;

	if (location_files(at, &f))
		return;
	/* the segments' directory */
	allow(p, *at->dir ? at->dir : ".", PLACE_LIST);
	for (size_t i = 0; i < f.count; i++) {
		allow_named(&d, f.list[i].path);
		allow_named(&d, f.list[i].payloads);
		for (size_t k = 0; k < f.list[i].link_count; k++)
			allow_named(&d, f.list[i].links[k].path);
	}
	files_free(&f);
	free(d.in);
}

static void allow_segments(struct places *p, const char *dir)
{
	struct segments s;

	allow(p, dir, PLACE_LIST);
	if (segments_find(&s, dir))
		return;
	for (size_t i = 0; i < s.count; i++)
		allow(p, s.list[i].path, PLACE_READ);
	segments_free(&s);
}

/* A dump or a packed file, a path below one, or a directory of packed segments or
 * a device in it. */
static void allow_path(struct places *p, const char *path)
{
	const char *below;
	struct stat st;
	char *file;

	if (!shelf_split(path, &file, &below)) {
		allow(p, file, PLACE_READ);
		free(file);
	} else if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		allow_segments(p, path);
	} else if (stat(path, &st)) {
		char *dir = around(path);

		if (dir)
			allow_segments(p, dir);
		free(dir);
	} else {
		allow(p, path, PLACE_READ);
	}
}

static void allow_locations(struct places *p, const struct readable *r,
			    const struct locations *l,
			    struct kept *kept)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct location *at = &l->list[i];

		if (!at->name) {
			allow_path(p, at->path);
			if (at->dir)
				allow(p, at->dir, PLACE_LIST);
			continue;
		}
		allow_device(p, at, r->positions ? kept : NULL);
	}
}

static int add(struct locations *l, const struct readable *r,
	       const char *name)
{
	if (r->meaning == READABLE_BELOW)
		return locations_add_below(l, r->directory, name);
	return locations_add(l, r->directory, name);
}

/* A directory may be opened, too, to report it. */
static void allow_file(struct places *p, const char *path)
{
	struct stat st;

	if (strcmp(path, "-") && !stat(path, &st))
		allow(p, path, S_ISDIR(st.st_mode) ? PLACE_LIST : PLACE_READ);
}

/* A name that is no trace's may be another file of the program's. */
static void allow_other(struct places *p, const struct readable *r,
			const char *name)
{
	char *path = join(*name == '/' ? NULL : r->directory, name);

	if (path)
		allow_file(p, path);
	free(path);
}

/* Allows all files of the traces with their cards, and adds the paths of their
 * positions to *kept. */
static void allow_traces(struct places *p, const struct readable *r,
			 struct kept *kept)
{
	struct locations l = { 0 };

	for (size_t i = 0; i < r->count; i++) {
		const char *name = r->names[i];

		if (!strcmp(name, "-"))
			continue;
		if (add(&l, r, name))
			allow_other(p, r, name);
		/* a flight recorder's reason */
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

static void kept_free(struct kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		free(kept->list[i]);
	free(kept->list);
}

/* --- names of outputs ----------------------------------------------------- */

struct names {
	struct opener_name *list;	/* each begin is owned */
	size_t count;
};

/* whether it is a device or an open file, which no place replaces */
static bool is_special(const char *path)
{
	if (!strncmp(path, "/dev/shm/", 9))
		return false;
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* whether only the program itself can open it: that, or a FIFO */
static bool is_own(const char *path)
{
	struct stat st;

	if (is_special(path))
		return true;
	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Takes name.begin over; NULL: no memory. */
static void add_name(struct names *n, struct opener_name name)
{
	struct opener_name *list = realloc(n->list,
					   (n->count + 1) * sizeof(*list));

	if (!list || !name.begin)
		msg_die("out of memory");
	list[n->count++] = name;
	n->list = list;
}

static void add_exact(struct names *n, char *path)
{
	add_name(n, (struct opener_name){ .match = OPENER_EXACT,
					  .begin = path });
}

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free((char *)(uintptr_t)n->list[i].begin);
	free(n->list);
}

/* The path without links, as far as it exists; or NULL. */
static char *real_of(const char *path)
{
	size_t len = strlen(path);
	char *copy = strdup(path), *real = NULL, *all = NULL;

	while (copy && !(real = realpath(*copy ? copy : ".", NULL)) && len) {
		while (len && copy[len - 1] == '/')
			len--;
		while (len && copy[len - 1] != '/')
			len--;
		copy[len] = '\0';
	}
	if (real && asprintf(&all, "%s%s%s", real,
			     path[len] && real[1] ? "/" : "", path + len) < 0)
		all = NULL;
	free(real);
	free(copy);
	return all;
}

static void add_pair(struct names *n, const char *path)
{
	add_exact(n, strdup(path));
	add_exact(n, place_part(path));
}

/* A file and the part that place_open() makes, with and without links. */
static void add_file(struct names *n, const char *path)
{
	char *real = real_of(path);

	if (!is_own(path))
		add_pair(n, path);
	if (real && !is_own(real))
		add_pair(n, real);
	free(real);
}

/* without trailing slashes */
static int name_length(const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	return (int)len;
}

static void add_below(struct names *n, const char *path)
{
	char *below;

	if (asprintf(&below, "%.*s/", name_length(path), path) < 0)
		msg_die("out of memory");
	add_name(n, (struct opener_name){ .match = OPENER_BELOW,
					  .begin = below });
}

/* A directory, all in it, and its parents that do not exist yet. */
static void add_folder(struct names *n, const char *path)
{
	char *real = real_of(path), *part = strdup(path), *slash;

	add_below(n, path);
	if (real)
		add_below(n, real);
	free(real);
	while (part && *part && access(part, F_OK)) {
		add_exact(n, strdup(part));
		slash = strrchr(part, '/');
		*(slash ? slash : part) = '\0';
	}
	free(part);
}

static void names_add(struct names *n, const struct writable *w)
{
	if (w->kind == WRITABLE_FILE || w->kind == WRITABLE_EXACT)
		add_file(n, w->name);
	else if (w->kind == WRITABLE_PLAIN)
		add_exact(n, strdup(w->name));
	else if (w->kind == WRITABLE_FOLDER)
		add_folder(n, w->name);
	else
		add_name(n, (struct opener_name){
			.match = w->kind == WRITABLE_TREES ? OPENER_BELOW :
							     OPENER_ONE,
			.begin = strdup(w->name), .end = w->end,
			.has = w->has });
}

/* --- the opener ----------------------------------------------------------- */

/* close_range(2), which every kernel with Landlock has; the same number on all
 * architectures */
enum { CLOSE_RANGE = 436 };

static bool is_none(const struct writable *w)
{
	return !w->name || (w->kind == WRITABLE_FILE && !strcmp(w->name, "-"));
}

static bool is_file(const struct writable *w)
{
	return w->kind == WRITABLE_FILE || w->kind == WRITABLE_EXACT;
}

/* Allows to create files in a directory; whether it exists. */
static bool allow_inside(struct places *p, const char *path)
{
	return places_allow(p, path, PLACE_KEEP) != -ENOENT;
}

/* As allow_inside(), of the directory of path. */
static bool allow_around(struct places *p, const char *path)
{
	char *dir;
	bool there;

	if (is_special(path))
		return true;
	dir = around(path);
	there = dir && allow_inside(p, dir);
	free(dir);
	return there;
}

/* Allows the nearest directory above path that exists. */
static void allow_above(struct places *p, const char *path)
{
	char *part = strdup(path), *slash;

	while (part && !allow_around(p, part) && (slash = strrchr(part, '/')))
		*slash = '\0';
	free(part);
}

/* A dangling link's target is created there. */
static void allow_target(struct places *p, const char *link)
{
	const char *slash = strrchr(link, '/');
	char to[PATH_MAX], path[PATH_MAX];
	int dir = slash ? (int)(slash - link) + 1 : 0;
	ssize_t len = readlink(link, to, sizeof(to));

	if (len <= 0 || len == sizeof(to))
		return;
	if (*to == '/')
		dir = 0;
	if (snprintf(path, sizeof(path), "%.*s%.*s", dir, link, (int)len, to) <
	    (int)sizeof(path))
		allow_around(p, path);
}

/* A file behind a link is replaced at the link's target. */
static void allow_output_file(struct places *p, const char *path)
{
	char *real = realpath(path, NULL);

	allow_around(p, path);
	if (real)
		allow_around(p, real);
	else
		allow_target(p, path);
	free(real);
}

static void allow_output(struct places *p, const struct writable *w)
{
	if (is_none(w))
		return;
	if (is_file(w))
		allow_output_file(p, w->name);
	else if (w->kind != WRITABLE_FOLDER)
		allow_around(p, w->name);
	else if (!allow_inside(p, w->name))
		allow_above(p, w->name);
}

/* Signals are the program's; the opener serves it until it ends. */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
				       SIGUSR1, SIGUSR2, SIGALRM };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/* Allows to read what is, or will be, behind a name. */
static void allow_input(struct places *p, const char *path)
{
	char *real = realpath(path, NULL), *dirs[] = { around(path),
						       real ? around(real) :
							      NULL };

	for (size_t i = 0; i < 2; i++) {
		if (dirs[i])
			places_allow(p, dirs[i], PLACE_READ);
		free(dirs[i]);
	}
	free(real);
}

/* The opener keeps only its socket open, and access to the files' places. */
__attribute__((noreturn))
static void serve(int fd, const struct names *n, struct places *p)
{
	if (dup2(fd, 0) || (p->fd >= 0 && dup2(p->fd, 1) != 1) ||
	    syscall(CLOSE_RANGE, p->fd >= 0 ? 2 : 1, ~0u, 0))
		_exit(1);
	if (p->fd >= 0)
		p->fd = 1;
	if (p->fd < 0 || !places_enforce(p))
		opener_serve(0, n->list, n->count);
	_exit(0);
}

/* Its child returns 0, and *fd is its end; else *fd is ours. */
static pid_t fork_opener(int *fd)
{
	int fds[2] = { 0, 0 };
	pid_t pid;

	errno = -opener_pair(fds);
	pid = errno ? -1 : fork();
	if (pid < 0)
		msg_die("cannot start a process that opens files:");
	*fd = fds[!pid];
	close(fds[!!pid]);
	if (pid)
		return pid;
	ignore_signals();
	prctl(PR_SET_NAME, "blktrace-opener");	/* for ps(1) */
	return 0;
}

static struct opener start_opener(const struct writable *w, size_t count)
{
	struct names n = { NULL, 0 };
	struct places p;
	int fd;

	for (size_t i = 0; i < count; i++)
		if (!is_none(&w[i]))
			names_add(&n, &w[i]);
	if (!n.count)
		return (struct opener){ 0 };
	if (!fork_opener(&fd)) {
		if (places_open(&p, true))
			_exit(1);
		/* while /dev/stdout still is the program's */
		for (size_t i = 0; i < count; i++)
			allow_output(&p, &w[i]);
		serve(fd, &n, &p);
	}
	names_free(&n);
	return (struct opener){ fd };
}

struct opener confined_opener(const char *const *files, size_t count,
			      const char *output)
{
	const struct writable written = { WRITABLE_FILE, .name = output };
	struct names n = { NULL, 0 };
	struct places p;
	int fd;

	if (output)
		names_add(&n, &written);
	for (size_t i = 0; i < count; i++)
		if (files[i])
			add_name(&n, (struct opener_name){
				.match = OPENER_EXACT,
				.begin = strdup(files[i]), .reads = true });
	if (!n.count)
		return (struct opener){ 0 };
	if (!fork_opener(&fd)) {
		if (places_open(&p, true))
			p.fd = -1;
		for (size_t i = 0; p.fd >= 0 && i < count; i++)
			if (files[i])
				allow_input(&p, files[i]);
		if (p.fd >= 0)
			allow_output(&p, &written);
		serve(fd, &n, &p);
	}
	names_free(&n);
	return (struct opener){ fd };
}

/* --- the program ---------------------------------------------------------- */

/* libraries loaded on demand, locales and converters, time zones, the number of
 * CPUs */
static const char *const systems[] = {
	"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/locale",
	"/usr/share/i18n", "/usr/share/zoneinfo", "/etc/localtime",
	"/etc/timezone", "/sys/devices/system/cpu", "/proc/stat",
	"/dev/urandom",
};

static void allow_system(struct places *p)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		allow(p, systems[i], PLACE_READ);
	allow(p, getenv("LOCPATH"), PLACE_READ);
	allow(p, getenv("TZDIR"), PLACE_READ);
	allow(p, "/dev/null", PLACE_WRITE);
	allow(p, "/dev/tty", PLACE_WRITE);
}

/* Allows the outputs that only the program itself can open. */
static void allow_own(struct places *p, const struct writable *w, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_none(&w[i]) && is_file(&w[i]) && is_own(w[i].name))
			places_allow(p, w[i].name, PLACE_WRITE);
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

struct writables {
	struct writable *list;
	size_t count;
};

static bool is_folder(enum cli_writes writes, const char *name)
{
	size_t len = strlen(name);
	struct stat st;

	if (writes != CLI_WRITES_EITHER)
		return writes == CLI_WRITES_FOLDER;
	if (len && name[len - 1] == '/')
		return true;
	return !stat(name, &st) && S_ISDIR(st.st_mode);
}

static void add_named(struct writables *w, const struct confined *c)
{
	for (size_t i = 0; i < c->program->option_count; i++) {
		const struct cli_option *o = &c->program->options[i];
		const char *const *name = (const void *)
			((const char *)c->options + o->at);

		if (o->writes && *name)
			w->list[w->count++] = (struct writable){
				.kind = is_folder(o->writes, *name) ?
					WRITABLE_FOLDER : WRITABLE_FILE,
				.name = *name };
	}
}

/* what options name, other outputs, and positions */
static struct writables writables_of(const struct confined *c,
				     const struct kept *kept)
{
	size_t options = c->program ? c->program->option_count : 0;
	struct writables w = { calloc(options + c->output_count + kept->count +
				      1, sizeof(*w.list)), 0 };

	if (!w.list)
		msg_die("out of memory");
	if (c->program)
		add_named(&w, c);
	for (size_t i = 0; i < c->output_count; i++)
		w.list[w.count++] = c->outputs[i];
	for (size_t i = 0; i < kept->count; i++)
		w.list[w.count++] = (struct writable){
			.kind = WRITABLE_PLAIN, .name = kept->list[i] };
	return w;
}

struct opener confined_enter(const struct confined *c)
{
	struct kept kept = { NULL, 0 };
	struct writables outputs;
	struct opener opener;
	struct places p;

	if (!confine_is_wanted() || places_open(&p, true))
		return (struct opener){ 0 };
	allow_system(&p);
	allow_traces(&p, &c->traces, &kept);
	for (size_t i = 0; i < c->file_count; i++)
		allow_file(&p, c->files[i]);
	allow_others(&p, c->others);
	allow(&p, c->written, PLACE_WRITE);
	allow(&p, c->scratch, PLACE_KEEP);
	outputs = writables_of(c, &kept);
	allow_own(&p, outputs.list, outputs.count);
	opener = start_opener(outputs.list, outputs.count);
	free(outputs.list);
	kept_free(&kept);
	places_enforce(&p);
	return opener;
}
