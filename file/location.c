/* SPDX-License-Identifier: GPL-2.0-only */
/* What names on a command line mean; see location.h. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "file/files.h"
#include "file/location.h"
#include "file/segments.h"
#include "file/shelf.h"
#include "machine/card.h"

static void location_clear(struct location *at)
{
	free(at->dir);
	free(at->name);
	free(at->path);
	segments_free(&at->only);
	card_free(at->card);
}

void locations_free(struct locations *l)
{
	for (size_t i = 0; i < l->count; i++)
		location_clear(&l->list[i]);
	for (unsigned int i = 0; i < l->host_count; i++)
		free(l->hosts[i]);
	free(l->list);
	free(l->hosts);
	free(l->sticky);
	*l = (struct locations){ 0 };
}

int location_files(const struct location *at, struct files *f)
{
	return at->only.count ? files_find_in(f, &at->only, at->name) :
				files_find(f, at->dir, at->name);
}

bool location_is_pipe(const char *name)
{
	struct stat st;

	return !strcmp(name, "-") || (!stat(name, &st) && S_ISFIFO(st.st_mode));
}

/* --- the lists ----------------------------------------------------------- */

/* Takes over what *at points to, also on failure. */
static int add(struct locations *l, struct location at)
{
	struct location *list = realloc(l->list,
					(l->count + 1) * sizeof(*list));

	if (list)
		l->list = list;
	if (!list || (!at.path && (!at.dir || !at.name))) {
		location_clear(&at);
		return -ENOMEM;
	}
	at.operand = l->operands;
	list[l->count++] = at;
	return 0;
}

/* dir may be NULL */
static char *join(const char *dir, const char *name)
{
	char *path;

	return text_print(&path, "%s%s%s", dir ? dir : "", dir ? "/" : "",
			  name) < 0 ? NULL : path;
}

static bool is_host(const struct locations *l, const char *name)
{
	for (unsigned int i = 0; i < l->host_count; i++)
		if (!strcmp(l->hosts[i], name))
			return true;
	return false;
}

/* The last part of path, or "part#2" and so on where that is taken. */
static char *host_name(const struct locations *l, const char *path)
{
	char *copy = strdup(path), *part, *host;

	if (!copy)
		return NULL;
	part = basename(copy);
	host = strdup(part);
	for (unsigned int n = 2; host && is_host(l, host); n++) {
		free(host);
		if (text_print(&host, "%s#%u", part, n) < 0)
			host = NULL;
	}
	free(copy);
	return host;
}

/* 0 and the index in *host, or -ENOMEM. */
static int add_host(struct locations *l, const char *path, unsigned int *host)
{
	char **hosts = realloc(l->hosts, (l->host_count + 1) * sizeof(*hosts));
	char *name;

	if (!hosts)
		return -ENOMEM;
	l->hosts = hosts;
	name = host_name(l, path);
	if (!name)
		return -ENOMEM;
	hosts[l->host_count] = name;
	*host = l->host_count++;
	return 0;
}

int locations_add_host(struct locations *l, const char *path)
{
	unsigned int host;

	return add_host(l, path, &host);
}

int locations_name_host(struct locations *l, unsigned int host,
			const char *path)
{
	char *old = l->hosts[host], *name;

	l->hosts[host] = (char *)"";	/* its own name is not taken */
	name = host_name(l, path);
	l->hosts[host] = name ? name : old;
	if (name)
		free(old);
	return name ? 0 : -ENOMEM;
}

/* The host of devices named by themselves. */
static int own_host(struct locations *l, unsigned int *host)
{
	int err = 0;

	if (!l->own_host) {
		err = add_host(l, ".", host);
		if (!err)
			l->own_host = *host + 1;
	}
	*host = l->own_host - 1;
	return err;
}

/* --- devices ------------------------------------------------------------- */

/* Whether a directory is in a file, or is one, which is not read yet: 1, 0 or
 * -ENOMEM. */
static int is_packed_below(const char *dir)
{
	const char *below;
	char *file;
	int err = *dir ? shelf_split(dir, &file, &below) : -ENOENT;

	if (!err)
		free(file);
	return err == -ENOMEM ? err : !err;
}

/* Whether dir has packed segments: 1, 0 or -ENOMEM.  Of thousands only those
 * that are named so are looked at. */
static int has_packed_segments(const char *dir)
{
	struct segments s;
	int has = is_packed_below(dir), err;

	if (has)	/* it is read later */
		return has < 0 ? has : 0;
	err = segments_find(&s, dir);
	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; !has && i < s.count; i++)
		has = strstr(s.list[i].path, SEGMENT_PACKED) ?
			is_packed_below(s.list[i].path) : 0;
	segments_free(&s);
	return has;
}

static int add_device(struct locations *l, const char *dir, const char *name,
		      unsigned int host)
{
	return add(l, (struct location){ .dir = strdup(dir),
					 .name = strdup(name), .host = host });
}

/* 0: it has files in dir; -ENOENT; -ENOMEM */
static int look_for_device(const char *dir, const char *name)
{
	char *path = join(*dir ? dir : ".", name), *slash;
	int err = -ENOMEM;

	if (path) {
		slash = strrchr(path, '/');
		slash[slash == path] = '\0';
		err = is_packed_below(path);
		if (!err)
			err = has_packed_segments(path);
		if (!err)
			err = files_exist(dir, name);
	}
	free(path);
	/* its files are unknown until it is read */
	return err == 1 ? -ENOENT : err;
}

static int find_device(struct locations *l, const char *dir, const char *name)
{
	unsigned int host;
	int err = look_for_device(dir, name);

	if (!err)
		err = own_host(l, &host);
	return err ? err : add_device(l, dir, name, host);
}

/*
 * 1.3.0: the last directory in a name also applies to later names, unless the
 * device is not in there.
 */
static int find_in_place(struct locations *l, const char *directory,
			 const char *name)
{
	int err = -ENOENT;

	if (l->sticky)
		err = find_device(l, l->sticky, name);
	return err == -ENOENT ?
		find_device(l, directory ? directory : "", name) : err;
}

static int find_by_itself(struct locations *l, const char *directory,
			  char *name)
{
	char *copy = strdup(name), *dir;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	dir = dirname(copy);
	if (strcmp(dir, ".")) {
		free(l->sticky);
		l->sticky = strdup(dir);
		err = l->sticky ? find_device(l, l->sticky, basename(name)) :
				  -ENOMEM;
	} else {
		err = find_in_place(l, directory, name);
	}
	free(copy);
	return err;
}

/* The device of its own name or the name of one of its files. */
static char *device_of(const char *name)
{
	char *device = strdup(name), *cut;

	if (!device)
		return NULL;
	cut = strstr(device, ".blktrace.");
	if (cut)
		*cut = '\0';
	return device;
}

/* --- directories and dumps ------------------------------------------------ */

static bool is_listed(const struct locations *l, const char *dir,
		      const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].name && !strcmp(l->list[i].name, name) &&
		    !strcmp(l->list[i].dir, dir))
			return true;
	return false;
}

/* Adds a directory's device, with the first one also the host. */
static int add_one(struct locations *l, const char *dir, const char *name,
		   unsigned int *host)
{
	int err = *host == UINT_MAX ? add_host(l, dir, host) : 0;

	return err ? err : add_device(l, dir, name, *host);
}

/* The devices of dir that are not listed yet; *host is theirs, if it is known.
 * Their number, listed or not, or -errno. */
static int add_devices(struct locations *l, const char *dir, unsigned int *host)
{
	char **names = NULL;
	int count = files_devices(dir, &names), err = 0;

	for (int i = 0; !err && i < count; i++)
		if (!is_listed(l, dir, names[i]))
			err = add_one(l, dir, names[i], host);
	folder_free(names, count);
	return err ? err : count;
}

/* --- packed files, whose devices are not known yet -------------------------- */

static size_t packed_stem(const char *file, const void *ctx)
{
	size_t len = strlen(file), tail = strlen(SEGMENT_PACKED);

	(void)ctx;
	return len > tail && !strcmp(file + len - tail, SEGMENT_PACKED) &&
	       !segment_number(file) ? len : 0;
}

/* Adds a path that locations_unpack() will replace, with the first one also the
 * host. */
static int add_unread(struct locations *l, char *path, const char *dir,
		      unsigned int *host)
{
	int err = !path ? -ENOMEM : *host == UINT_MAX ?
			  add_host(l, dir, host) : 0;

	if (!err)
		return add(l, (struct location){ .path = path,
						 .dir = strdup(dir),
						 .host = *host });
	free(path);
	return err;
}

/* Adds the packed files in dir, but not segments; their number, or -errno. */
static int add_packed(struct locations *l, const char *dir, unsigned int *host)
{
	char **names = NULL;
	int count = folder_names(dir, folder_walk_directory, packed_stem, NULL,
				 &names, 0), err = 0;

	for (int i = 0; !err && i < count; i++)
		err = add_unread(l, join(dir, names[i]), dir, host);
	folder_free(names, count > 0 ? count : 0);
	return err ? err : count == -ENOMEM || count > 0 ? count : 0;
}

int locations_add_all(struct locations *l, const char *dir)
{
	unsigned int host = UINT_MAX;
	int devices, packed = has_packed_segments(dir);

	if (packed > 0)
		packed = add_unread(l, strdup(dir), dir, &host) ? -ENOMEM : 1;
	if (packed)
		return packed;
	devices = add_devices(l, dir, &host);
	packed = devices < 0 ? 0 : add_packed(l, dir, &host);
	return packed < 0 ? packed : devices + packed;
}

/* --- segments that are named one by one ----------------------------------- */

/* A device of which other segments of dir were named, or NULL. */
static struct location *find_cut(const struct locations *l, const char *dir,
				 const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		struct location *at = &l->list[i];

		if (at->only.count && !strcmp(at->dir, dir) &&
		    !strcmp(at->name, name))
			return at;
	}
	return NULL;
}

/* The host of dir's named segments, or that one if none is named yet. */
static unsigned int cut_host(const struct locations *l, const char *dir,
			     unsigned int host)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].only.count && !strcmp(l->list[i].dir, dir))
			return l->list[i].host;
	return host;
}

/* One of the devices in a segment of dir. */
static int add_cut(struct locations *l, const char *dir, const char *name,
		   const char *segment, unsigned int host)
{
	struct location *at = find_cut(l, dir, name);
	int err;

	host = cut_host(l, dir, host);
	err = at ? 0 : add_one(l, dir, name, &host);
	if (err)
		return err;
	return segments_add(at ? &at->only : &l->list[l->count - 1].only,
			    segment);
}

/* Adds the devices of a segment, of that host unless it is UINT_MAX; returns their
 * number, or -errno. */
static int add_segment(struct locations *l, const char *path, unsigned int host)
{
	char *copy = strdup(path), **names = NULL;
	const char *dir = copy ? dirname(copy) : NULL;
	int count = copy ? files_devices(path, &names) : -ENOMEM, err = 0;

	for (int i = 0; !err && i < count; i++)
		err = add_cut(l, dir, names[i], path, host);
	folder_free(names, count);
	free(copy);
	return err ? err : count;
}

static bool is_segment(const char *path)
{
	const char *slash = strrchr(path, '/');

	return segment_number(slash ? slash + 1 : path) != 0;
}

static int add_file(struct locations *l, const char *path)
{
	unsigned int host;
	int err = add_host(l, path, &host);

	return err ? err : add(l, (struct location){ .path = strdup(path),
						     .host = host });
}

/* Anything but a device, which 1.3.0 does not accept. */
static int add_path(struct locations *l, char *path)
{
	struct stat st;
	int count;

	for (size_t len = strlen(path); len > 1 && path[len - 1] == '/';)
		path[--len] = '\0';
	if (stat(path, &st)) {
		count = is_packed_below(path);
		return count < 0 ? count : count ? add_file(l, path) : -ENOENT;
	}
	if (!S_ISDIR(st.st_mode))
		return add_file(l, path);
	count = is_segment(path) ? add_segment(l, path, UINT_MAX) :
				   locations_add_all(l, path);
	return count > 0 ? 0 : count < 0 ? count : -ENOENT;
}

/* --- names --------------------------------------------------------------- */

/* Where sda means nothing, sda.btz may be there. */
static int find_packed(struct locations *l, const char *name)
{
	struct stat st;
	char *path;
	int err = -ENOENT;

	if (text_print(&path, "%s" SEGMENT_PACKED, name) < 0)
		return -ENOMEM;
	if (!stat(path, &st) && S_ISREG(st.st_mode))
		err = add_file(l, path);
	free(path);
	return err;
}

/* What may be a device in packed segments. */
static int find_in_segments(struct locations *l, const char *path)
{
	char *dir = strdup(path), *slash = dir ? strrchr(dir, '/') : NULL;
	int has = dir ? 0 : -ENOMEM;

	if (slash)
		slash[slash == dir] = '\0';
	if (dir)
		has = has_packed_segments(slash ? dir : ".");
	free(dir);
	return has > 0 ? add_file(l, path) : has ? has : -ENOENT;
}

static int find(struct locations *l, const char *directory, const char *name)
{
	char *device = device_of(name), *path;
	int err = device ? find_by_itself(l, directory, device) : -ENOMEM;

	free(device);
	if (err != -ENOENT)
		return err;
	path = join(directory, name);
	err = path ? add_path(l, path) : -ENOMEM;
	if (err == -ENOENT)
		err = find_packed(l, path);
	if (err == -ENOENT)
		err = find_in_segments(l, path);
	free(path);
	return err;
}

int locations_add(struct locations *l, const char *directory, const char *name)
{
	int err = location_is_pipe(name) ? add_file(l, name) :
					   find(l, directory, name);

	l->operands++;
	return err;
}

/* access(2) knows the user's rights, whatever the sandbox allows. */
static bool may_not_list(const char *dir)
{
	return access(dir, R_OK) && errno == EACCES;
}

int locations_why_none(const char *directory, const char *name)
{
	char *path = join(directory, name);
	struct stat st;
	int err;

	if (!path)
		return -ENOMEM;
	if (stat(path, &st))
		err = errno == EACCES || may_not_list(dirname(path)) ?
			-EACCES : -ENOENT;
	else if (!S_ISDIR(st.st_mode))
		err = -ENOENT;
	else
		err = may_not_list(path) ? -EACCES : -EISDIR;
	free(path);
	return err;
}

static int find_once(struct locations *l, const char *dir, const char *name)
{
	return is_listed(l, dir, name) ? 0 : find_device(l, dir, name);
}

static int find_below(struct locations *l, const char *dir, const char *name)
{
	char *device = device_of(name);
	char *path = strcmp(name, "-") ? join(dir, name) : strdup(name);
	int err = device && path ? find_once(l, dir, name) : -ENOMEM;

	if (err == -ENOENT && *device && strcmp(device, name))
		err = find_once(l, dir, device);
	if (err == -ENOENT && location_is_pipe(path))
		err = add_file(l, path);
	else if (err == -ENOENT)
		err = add_path(l, path);
	if (err == -ENOENT)
		err = find_packed(l, path);
	if (err == -ENOENT)
		err = find_in_segments(l, path);
	free(device);
	free(path);
	return err;
}

int locations_add_below(struct locations *l, const char *dir, const char *name)
{
	const char *slash = *name == '/' ? strrchr(name, '/') : NULL;
	char *own;
	int err;

	l->operands++;
	if (!slash)
		return find_below(l, dir, name);
	own = strndup(name, (size_t)(slash - name) + 1);
	err = own ? find_below(l, own, slash + 1) : -ENOMEM;
	free(own);
	return err;
}

/* --- what packed files hold ------------------------------------------------ */

struct inside {
	struct locations *l;
	const struct location *at;
	int count;		/* dumps so far */
};

/* A file in a packed one that has no device. */
static int add_inside(void *ctx, const struct folder_item *item)
{
	static const char card[] = ".json";
	struct inside *in = ctx;
	size_t len = strlen(item->name);
	char *path;

	if (len >= sizeof(card) &&
	    !strcmp(item->name + len - (sizeof(card) - 1), card))
		return 0;
	path = join(in->at->path, item->name);
	in->count++;
	return path ? add(in->l, (struct location){ .path = path,
						    .host = in->at->host }) :
		      -ENOMEM;
}

/* All in a directory: devices, or dumps if there are none. */
static int unpack_all(struct locations *l, const struct location *at)
{
	unsigned int host = at->host;
	struct inside in = { l, at, 0 };
	int count = is_segment(at->path) ? add_segment(l, at->path, host) :
					   add_devices(l, at->path, &host);

	if (count)
		return count < 0 ? count : 0;
	count = shelf_walk(at->path, add_inside, &in);
	return count || in.count ? count : -ENODATA;
}

/* A path below a packed file or beside packed segments: a device, or a
 * directory. */
static int unpack_below(struct locations *l, const struct location *at)
{
	const char *slash = strrchr(at->path, '/');
	char *dir = slash ? strndup(at->path, (size_t)(slash - at->path)) :
			    strdup("");
	char *name = device_of(slash ? slash + 1 : at->path);
	struct files files;
	int err = dir && name ? files_find(&files, dir, name) : -ENOMEM;

	if (!err) {
		files_free(&files);
		err = add_device(l, dir, name, at->host);
	} else if (err == -ENOENT) {
		err = unpack_all(l, at);
	}
	free(name);
	free(dir);
	return err;
}

/* 0: what a path means was added; -ENODATA: it stays a path; or -errno. */
static int unpack(struct locations *l, const struct location *at)
{
	const char *below;
	char *file;
	bool packed, deep;
	int err = location_is_pipe(at->path) ? -ENODATA :
		  shelf_split(at->path, &file, &below);

	if (err == -ENOTDIR)	/* it has packed segments */
		return unpack_all(l, at);
	if (err == -ENOENT)
		return unpack_below(l, at);
	if (err)
		return err;
	packed = shelf_is_packed(file);
	deep = *below;
	free(file);
	if (!packed)
		return -ENODATA;
	return deep ? unpack_below(l, at) : unpack_all(l, at);
}

/* A location of the old list: moved, or replaced. */
static int unpack_one(struct locations *l, struct location *at)
{
	int err = at->path ? unpack(l, at) : -ENODATA;

	if (err != -ENODATA) {
		location_clear(at);
		return err;
	}
	return add(l, *at);
}

int locations_unpack(struct locations *l, int *bad)
{
	struct location *old = l->list;
	size_t count = l->count;
	int operands = l->operands, err = 0;

	l->list = NULL;
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		l->operands = old[i].operand;
		if (err) {
			location_clear(&old[i]);
			continue;
		}
		err = unpack_one(l, &old[i]);
		*bad = err ? l->operands : *bad;
	}
	l->operands = operands;
	free(old);
	return err;
}
