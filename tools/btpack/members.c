/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that operands name; see members.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/captured.h"
#include "cli/inputs.h"
#include "file/files.h"
#include "file/location.h"
#include "file/segments.h"
#include "file/shelf.h"
#include "file/source_chain.h"
#include "machine/card.h"
#include "pack/format.h"
#include "run/cards.h"
#include "tools/btpack/members.h"
#include "tools/btpack/packed.h"

/* a flight recorder's reason, beside a trace */
static const char reason[] = "cause.json";

static const char pipe_name[] = "trace";

static void *need(void *allocated)
{
	if (!allocated)
		msg_die("out of memory");
	return allocated;
}

static char *join(const char *dir, const char *name)
{
	char *path;

	if (asprintf(&path, "%s%s%s", dir, *dir ? "/" : "", name) < 0)
		msg_die("out of memory");
	return path;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void members_free(struct members *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->list[i].path);
		free(m->list[i].name);
		free(m->list[i].text);
	}
	for (size_t i = 0; i < m->packed_count; i++) {
		packed_close(m->packed[i]);
		free(m->packed[i]);
	}
	for (size_t i = 0; i < m->group_count; i++)
		free(m->groups[i]);
	for (size_t i = 0; i < m->file_count; i++)
		files_free(&m->files[i]);
	locations_free(&m->locations);
	free(m->files);
	free(m->list);
	free(m->packed);
	free(m->groups);
	*m = (struct members){ .list = NULL };
}

/* --- members -------------------------------------------------------------- */

static bool is_gzip(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t magic[2] = { 0 };
	bool is = fd >= 0 && read(fd, magic, 2) == 2 && magic[0] == 0x1f &&
		  magic[1] == 0x8b;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Takes path and name over. */
static struct member *add(struct members *m, char *path, char *name,
			  size_t group)
{
	struct member *list = need(array_reserve(m->list, m->count, &m->size,
						 16, sizeof(*list)));

	m->list = list;
	list[m->count] = (struct member){ .path = need(path),
					  .name = need(name), .group = group };
	return &list[m->count++];
}

/* The packed file at path, opened once; NULL: it cannot be read, reported. */
static struct packed *packed_at(struct members *m, const char *path)
{
	struct packed *p;

	for (size_t i = 0; i < m->packed_count; i++)
		if (!strcmp(m->packed[i]->path, path))
			return m->packed[i];
	m->packed = need(array_resize(m->packed, m->packed_count + 1,
				      sizeof(*m->packed)));
	p = need(malloc(sizeof(*p)));
	if (!packed_open(p, path)) {
		free(p);
		return NULL;
	}
	packed_report_list(p);
	return m->packed[m->packed_count++] = p;
}

/* Finds the member of a packed file that a path below it names. */
static const struct pack_member *find_inside(struct members *m,
					     const char *path,
					     struct packed **from)
{
	const struct pack_member *in = NULL;
	const char *below;
	char *file;

	if (shelf_split(path, &file, &below))
		return NULL;
	*from = *below ? packed_at(m, file) : NULL;
	if (*from)
		in = pack_list_find(&(*from)->list, below);
	free(file);
	return in;
}

static bool ends_in_gz(const char *name)
{
	size_t len = strlen(name);

	return len > 3 && !strcmp(name + len - 3, ".gz");
}

/* Of a packed file, where reading the first bytes takes unpacking a block, the
 * name says whether it is gzip'd. */
static void set_inside(struct member *one, struct packed *from,
		       const struct pack_member *in)
{
	one->from = from;
	one->in = in;
	one->gzip = ends_in_gz(in->name);
}

/* Adds a file by the name that it has in its group's directory. */
static struct member *add_file(struct members *m, const char *path,
			       const char *name, size_t group)
{
	struct packed *from = NULL;
	const struct pack_member *in = find_inside(m, path, &from);
	struct member *one = add(m, strdup(path), strdup(name), group);
	struct stat st;

	if (in) {
		set_inside(one, from, in);
	} else if (!stat(path, &st) && S_ISREG(st.st_mode)) {
		one->size = (uint64_t)st.st_size;
		one->gzip = is_gzip(path);
	}
	return one;
}

static bool exists(struct members *m, const char *path)
{
	struct packed *from;

	return !access(path, F_OK) || find_inside(m, path, &from);
}

static bool has_path(const struct members *m, const char *path)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->list[i].path, path))
			return true;
	return false;
}

static size_t group_of(struct members *m, const char *dir)
{
	size_t i = 0, len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (len == 1 && *dir == '.')
		len = 0;
	while (i < m->group_count && (strncmp(m->groups[i], dir, len) ||
				      m->groups[i][len]))
		i++;
	if (i < m->group_count)
		return i;
	m->groups = need(array_resize(m->groups, i + 1, sizeof(*m->groups)));
	m->groups[i] = need(strndup(dir, len));
	m->group_count++;
	return i;
}

/* Adds a file beside the trace, if it exists; dir is the trace's. */
static void add_aside(struct members *m, const char *path, const char *name,
		      const char *dir)
{
	if (!has_path(m, path) && exists(m, path))
		add_file(m, path, name, group_of(m, dir))->aside = true;
}

/* --- devices -------------------------------------------------------------- */

/* a device whose files are added */
struct device {
	struct members *to;
	const struct location *at;
	size_t group;
};

/* The part of a path after the trace's directory. */
static const char *below(const struct device *d, const char *path)
{
	size_t len = strlen(d->at->dir);

	if (len && !strncmp(path, d->at->dir, len))
		path += len;
	while (*path == '/' || !strncmp(path, "./", 2))
		path += *path == '/' ? 1 : 2;
	return path;
}

/* The card is in the directory of the file. */
static void add_card(const struct device *d, const char *file)
{
	size_t dir = (size_t)(base_of(file) - file);
	char *path;

	if (asprintf(&path, "%.*s%s" CARD_SUFFIX, (int)dir, file,
		     base_of(d->at->name)) < 0)
		msg_die("out of memory");
	add_aside(d->to, path, below(d, path), d->at->dir);
	free(path);
}

static void add_trace_file(const struct device *d, const char *path)
{
	if (!path || has_path(d->to, path))
		return;
	add_file(d->to, path, below(d, path), d->group);
	add_card(d, path);
}

static bool add_device(struct members *m, const struct location *at)
{
	struct device d = { m, at, group_of(m, at->dir) };
	struct files f;
	int err = location_files(at, &f);

	if (err) {
		msg_warn("%s: %s", at->name, inputs_why(err));
		return false;
	}
	for (size_t i = 0; i < f.count; i++) {
		const struct file_entry *e = &f.list[i];

		for (size_t k = 0; k < e->link_count; k++)
			add_trace_file(&d, e->links[k].path);
		add_trace_file(&d, e->path);
		add_trace_file(&d, e->payloads);
	}
	files_free(&f);
	return true;
}

/* --- operands ------------------------------------------------------------- */

/* All that a packed file has, traces or not. */
static bool add_packed(struct members *m, const char *path)
{
	struct packed *p = packed_at(m, path);
	size_t group = group_of(m, path);

	for (size_t i = 0; p && i < p->list.count; i++) {
		const struct pack_member *in = &p->list.members[i];
		char *at = join(path, in->name);
		struct member *one;

		if (!has_path(m, at)) {
			one = add(m, strdup(at), strdup(in->name), group);
			set_inside(one, p, in);
			one->aside = in->aside;
		}
		free(at);
	}
	return p;
}

/* A FIFO is opened only once, as its writer waits for that. */
static void add_dump(struct members *m, const char *path)
{
	const char *base = base_of(path);
	char *dir;

	if (location_is_pipe(path)) {
		add(m, strdup(path), strdup(pipe_name), group_of(m, ""));
		return;
	}
	if (has_path(m, path))
		return;
	dir = need(strndup(path, (size_t)(base - path)));
	add_file(m, path, base, group_of(m, dir));
	free(dir);
}

/* whether a path is below a packed file all of which is added */
static bool is_added(const struct members *m, const char *path)
{
	for (size_t i = 0; path && i < m->whole; i++) {
		size_t len = strlen(m->packed[i]->path);

		if (!strncmp(path, m->packed[i]->path, len) &&
		    (!path[len] || path[len] == '/'))
			return true;
	}
	return false;
}

static bool add_location(struct members *m, const struct location *at)
{
	if (at->name)
		return add_device(m, at);
	add_dump(m, at->path);
	return true;
}

static bool find_operands(struct locations *l, const char *const *operands,
			  size_t count)
{
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		int err = captured_is_device(operands[i]) ? -ENOTBLK :
			  locations_add(l, NULL, operands[i]);

		if (!err)
			continue;
		if (err == -ENOENT)
			err = locations_why_none(NULL, operands[i]);
		msg_warn("%s: %s", operands[i], err == -ENOTBLK ?
			 "a device; trace it first, with blktrace" :
			 inputs_why(err));
		good = false;
	}
	return good;
}

/* Adds packed files that are operands as they are, then all other files. */
static bool add_operands(struct members *m, struct locations *l,
			 const char *const *operands, size_t count)
{
	bool good = find_operands(l, operands, count);
	int bad = 0, err = 0;

	for (size_t i = 0; good && i < l->count; i++)
		if (l->list[i].path && !location_is_pipe(l->list[i].path) &&
		    shelf_is_packed(l->list[i].path))
			good = add_packed(m, l->list[i].path);
	if (good)
		err = locations_unpack(l, &bad);
	if (err)
		msg_warn("%s: %s", operands[bad], inputs_why(err));
	m->whole = m->packed_count;
	for (size_t i = 0; good && !err && i < l->count; i++) {
		const struct location *at = &l->list[i];

		if (!is_added(m, at->path) && !is_added(m, at->dir))
			good = add_location(m, at);
	}
	return good && !err;
}

/* --- traces --------------------------------------------------------------- */

static void on_unread(void *ctx, const char *path, const char *what)
{
	(void)ctx;
	msg_warn("%s: %s; it is left out", path, what);
}

/* A file of a device's CPU, or its card, as if there were no segments. */
static struct member *add_made(struct members *m, const struct location *at,
			       const char *path, const char *suffix)
{
	char *name;

	if (asprintf(&name, "%s%s", base_of(at->name), suffix) < 0)
		msg_die("out of memory");
	return add(m, strdup(path), name, group_of(m, at->dir));
}

static bool add_device_records(struct members *m, const struct location *at)
{
	struct files *f = need(array_resize(m->files, m->file_count + 1,
					    sizeof(*f)));
	int err;

	m->files = f;
	f += m->file_count++;
	err = location_files(at, f);
	if (err) {
		msg_warn("%s: %s", at->name, inputs_why(err));
		return false;
	}
	for (size_t i = 0; i < f->count; i++) {
		char suffix[32];

		snprintf(suffix, sizeof(suffix), ".blktrace.%u",
			 (unsigned int)f->list[i].cpu);
		add_made(m, at, f->list[i].path, suffix)->entry = &f->list[i];
	}
	if (at->card) {
		struct member *card = add_made(m, at, at->name, CARD_SUFFIX);

		card->aside = true;
		card->at = at;
	}
	return true;
}

static bool add_dump_records(struct members *m, const struct location *at)
{
	if (location_is_pipe(at->path)) {
		msg_warn("%s: a pipe; record it first, as records are selected"
			 " by reading them twice", at->path);
		return false;
	}
	add_file(m, at->path, base_of(at->path), group_of(m, ""));
	return true;
}

static bool add_records(struct members *m, const char *const *operands,
			size_t count)
{
	static const struct cards_hooks hooks = { .unread = on_unread };
	struct locations *l = &m->locations;
	int bad = 0, err;

	if (!find_operands(l, operands, count))
		return false;
	err = locations_unpack(l, &bad);
	if (!err)
		err = cards_load(l, &hooks);
	if (err)
		msg_warn("%s: %s", operands[bad], inputs_why(err));
	for (size_t i = 0; !err && i < l->count; i++)
		if (l->list[i].name ? !add_device_records(m, &l->list[i]) :
				      !add_dump_records(m, &l->list[i]))
			return false;
	return !err;
}

/* A directory has a reason beside its segments. */
static void add_reason(struct members *m, const char *dir)
{
	char *path = join(dir, reason);
	struct stat st;

	if (!stat(dir, &st) && S_ISDIR(st.st_mode))
		add_aside(m, path, reason, dir);
	free(path);
}

/* --- names ---------------------------------------------------------------- */

/* Puts the last part of the directory before a name. */
static void add_directory(struct member *one, const char *dir)
{
	size_t len = strlen(dir);
	const char *base;
	char *name;

	while (len && dir[len - 1] == '/')
		len--;
	for (base = dir + len; base > dir && base[-1] != '/';)
		base--;
	len -= (size_t)(base - dir);
	if (!len || !strncmp(base, ".", len) || !strncmp(base, "..", len))
		return;
	if (asprintf(&name, "%.*s/%s", (int)len, base, one->name) < 0)
		msg_die("out of memory");
	free(one->name);
	one->name = name;
}

/* A packed file is a directory without .btz. */
static void drop_packed(char *name)
{
	const size_t len = strlen(SEGMENT_PACKED);

	for (char *at = name; (at = strstr(at, SEGMENT_PACKED));)
		if (at[len] == '/' || !strncmp(at + len, SEGMENT_PARTIAL "/",
					       strlen(SEGMENT_PARTIAL "/")))
			memmove(at, at + len, strlen(at + len) + 1);
		else
			at += len;
}

/* What a gzip'd file holds has no ending .gz. */
static void drop_ending(struct member *one)
{
	if (one->gzip && ends_in_gz(one->name))
		one->name[strlen(one->name) - 3] = '\0';
}

static int by_name(const void *a, const void *b)
{
	const struct member *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Two files of one name cannot be restored. */
static bool are_unique(const struct members *m)
{
	const struct member **sorted = need(calloc(m->count + 1,
						   sizeof(*sorted)));
	bool good = true;

	for (size_t i = 0; i < m->count; i++)
		sorted[i] = &m->list[i];
	qsort(sorted, m->count, sizeof(*sorted), by_name);
	for (size_t i = 1; good && i < m->count; i++) {
		good = strcmp(sorted[i - 1]->name, sorted[i]->name);
		if (!good)
			msg_warn("%s and %s would both be %s; pack them into"
				 " two files", sorted[i - 1]->path,
				 sorted[i]->path, sorted[i]->name);
	}
	free(sorted);
	return good;
}

static bool are_short(const struct members *m)
{
	for (size_t i = 0; i < m->count; i++) {
		if (strlen(m->list[i].name) <= PACK_NAME_MAX)
			continue;
		msg_warn("%s: its name is too long to be packed",
			 m->list[i].path);
		return false;
	}
	return true;
}

/* All files as they are, with those beside them. */
static bool add_files(struct members *m, const char *const *operands,
		      size_t count)
{
	struct locations l = { 0 };
	bool good = add_operands(m, &l, operands, count);

	locations_free(&l);
	for (size_t i = 0; good && i < count; i++)
		add_reason(m, operands[i]);
	return good;
}

bool members_find(struct members *m, const char *const *operands, size_t count,
		  enum members_how how)
{
	if (how == MEMBERS_RECORDS ? !add_records(m, operands, count) :
				     !add_files(m, operands, count))
		return false;
	for (size_t i = 0; i < m->count; i++) {
		if (m->group_count > 1)
			add_directory(&m->list[i], m->groups[m->list[i].group]);
		drop_packed(m->list[i].name);
		if (how == MEMBERS_HELD)
			drop_ending(&m->list[i]);
	}
	return are_unique(m) && are_short(m);
}
