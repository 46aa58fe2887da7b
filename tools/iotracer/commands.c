/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands about one watched file, list and extents; see commands.h. */
#include <errno.h>
#include <inttypes.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/sysfs.h"
#include "base/time.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/log.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/output.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/watched.h"

/* --- extents -------------------------------------------------------------- */

/*
 * The command extents: files' locations on their devices, by FIEMAP.  Needs no
 * BPF programs and no privilege.
 */

enum { EXTENTS = 256, SECTOR = 512 };

/* flags of an uncertain location, and our names of them */
static const struct {
	uint32_t flag;
	const char *name;
} notes[] = {
	{ FIEMAP_EXTENT_UNKNOWN, "unknown" },
	{ FIEMAP_EXTENT_DELALLOC, "delayed" },
	{ FIEMAP_EXTENT_ENCODED, "encoded" },
	{ FIEMAP_EXTENT_DATA_INLINE, "inline" },
	{ FIEMAP_EXTENT_UNWRITTEN, "unwritten" },
	{ FIEMAP_EXTENT_SHARED, "shared" },
};

/* Prints an extent's flags, or "-". */
static void print_notes(struct buf *out, uint32_t flags)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (flags & notes[i].flag) {
			buf_printf(out, "%c%s", any ? ',' : ' ',
				   notes[i].name);
			any = true;
		}
	if (!any)
		buf_printf(out, " -");
}

/* Prints no sector if the flags say that there is no location. */
static void print_extent(struct buf *out, const struct fiemap_extent *e,
			 uint64_t start, const char *path)
{
	bool nowhere = e->fe_flags & (FIEMAP_EXTENT_UNKNOWN |
				      FIEMAP_EXTENT_DELALLOC |
				      FIEMAP_EXTENT_DATA_INLINE);

	buf_printf(out, "%" PRIu64, (uint64_t)e->fe_logical);
	if (nowhere)
		buf_printf(out, " -");
	else
		buf_printf(out, " %" PRIu64,
			   (uint64_t)e->fe_physical / SECTOR + start);
	buf_printf(out, " %" PRIu64, (uint64_t)e->fe_length);
	print_notes(out, e->fe_flags);
	buf_printf(out, " %s\n", path);
}

/* The disk's first sector of the filesystem's device. */
static uint64_t start_of(const struct watched *t)
{
	uint64_t start = 0;
	struct stat st;

	if (!fstat(t->fd, &st))
		sysfs_number(st.st_dev, "start", &start);
	return start;
}

/* Reads more extents, from *at on: 1: the last ones; 0; -errno. */
static int ask(const struct watched *t, struct fiemap *map, uint64_t start,
	       uint64_t *at, struct buf *out)
{
	memset(map, 0, sizeof(*map));
	map->fm_start = *at;
	map->fm_length = FIEMAP_MAX_OFFSET - *at;
	map->fm_flags = FIEMAP_FLAG_SYNC;
	map->fm_extent_count = EXTENTS;
	if (ioctl(t->fd, FS_IOC_FIEMAP, map))
		return -errno;
	for (uint32_t i = 0; i < map->fm_mapped_extents; i++) {
		const struct fiemap_extent *e = &map->fm_extents[i];

		print_extent(out, e, start, t->path);
		*at = e->fe_logical + e->fe_length;
		if (e->fe_flags & FIEMAP_EXTENT_LAST)
			return 1;
	}
	return !map->fm_mapped_extents;
}

static int extents_of(const char *path, const struct options *o,
		      struct buf *out)
{
	struct fiemap *map = malloc(sizeof(*map) +
				    EXTENTS * sizeof(struct fiemap_extent));
	uint64_t at = 0, start;
	struct watched t;
	int err = map ? watched_open_regular(&t, path) : -ENOMEM;

	if (!map)
		msg_warn("out of memory");
	if (err) {
		free(map);
		return err;
	}
	start = o->style.whole_disk ? start_of(&t) : 0;
	do
		err = ask(&t, map, start, &at, out);
	while (!err);
	if (err == -EOPNOTSUPP || err == -ENOTTY)
		msg_warn("%s: its filesystem does not report extents",
			 path);
	else if (err < 0)
		msg_warn("%s: %s", path, strerror(-err));
	watched_close(&t);
	free(map);
	return err < 0 ? err : 0;
}

int command_extents(const struct options *o)
{
	struct buf out;
	int failed = 0;

	if (output_open(&out))
		return 1;
	for (int i = 0; i < o->count; i++)
		failed |= extents_of(o->words[i], o, &out) != 0;
	return output_close(&out) | failed;
}

/* --- list -------------------------------------------------------------- */

static int by_added(const void *a, const void *b)
{
	const struct bpf_file *const *x = a, *const *y = b;

	return ((*x)->added > (*y)->added) - ((*x)->added < (*y)->added);
}

/* A line of list: the name and the paths. */
static void list_one(struct buf *out, const struct pins *p,
		     const struct bpf_file *f, const struct path_entry *paths,
		     int count)
{
	buf_append(out, f->name, strnlen(f->name, sizeof(f->name)));
	for (int i = 0; i < count; i++)
		if (&p->bpf.files[paths[i].file] == f) {
			buf_append(out, " ", 1);
			buf_append(out, paths[i].text, strlen(paths[i].text));
		}
	buf_append(out, "\n", 1);
}

static int list_all(struct pins *p, struct buf *out)
{
	const struct bpf_file *files[BPF_FILES_MAX];
	struct path_entry *paths;
	int count = paths_read(p->paths, &paths);
	size_t n = 0;

	if (count < 0) {
		msg_warn("the list of paths: %s", strerror(-count));
		return 1;
	}
	for (int i = 0; i < BPF_FILES_MAX; i++)
		if (p->bpf.files[i].used)
			files[n++] = &p->bpf.files[i];
	qsort(files, n, sizeof(*files), by_added);
	for (size_t i = 0; i < n; i++) {
		list_one(out, p, files[i], paths, count);
		missing_warn_paths(p, (uint32_t)(files[i] - p->bpf.files),
				   paths, count);
	}
	free(paths);
	return 0;
}

int command_list(const struct options *o)
{
	struct pins p;
	struct buf out;
	int err, status;

	(void)o;
	if (output_open(&out))
		return 1;
	err = pins_open(&p);
	status = err ? err != -ENOENT : list_all(&p, &out);
	pins_close(&p);
	return output_close(&out) | status;
}

/* --- one file ---------------------------------------------------------- */

int command_status(const struct options *o)
{
	struct found found;
	const struct bpf_file *f;
	struct pins p;
	struct buf out;

	if (found_open(&p, o->words[0], &found))
		return 1;
	if (output_open(&out)) {
		pins_close(&p);
		return 1;
	}
	f = &p.bpf.files[found.file];
	buf_printf(&out, "%d %" PRIu64 ".%09" PRIu64
		   " %" PRIu64 " %" PRIu64 "\n",
		   !f->stopped, (uint64_t)f->zero_time / NS_PER_SECOND,
		   (uint64_t)f->zero_time % NS_PER_SECOND, (uint64_t)f->room,
		   log_get_count(&p.bpf, found.file));
	missing_warn(&p, found.file);
	pins_close(&p);
	return output_close(&out);
}

/* Prints all lines of a log, with path in extended ones. */
static int show_lines(const struct options *o, const struct pins *p,
		      uint32_t file, const struct bpf_line *lines, int64_t n,
		      const char *path)
{
	uint64_t zero_time = p->bpf.files[file].zero_time;
	size_t room = LINE_FIXED + strlen(path);
	struct buf out;
	char *at;

	if (output_open(&out))
		return 1;
	for (int64_t i = 0; i < n && (at = buf_room(&out, room)); i++)
		buf_commit(&out, line_format(at, &lines[i], zero_time,
					     &o->style, path));
	return output_close(&out);
}

int command_log(const struct options *o)
{
	struct found found;
	struct bpf_line *lines;
	struct pins p;
	int64_t n;
	int status;

	if (found_open(&p, o->words[0], &found))
		return 1;
	n = log_read(&p.bpf, found.file, &lines);
	if (n < 0) {
		msg_warn("the log of %s: %s", o->words[0], strerror((int)-n));
		status = 1;
	} else {
		status = show_lines(o, &p, found.file, lines, n,
				    found.by_name ? o->words[0] : found.path);
		free(lines);
	}
	missing_warn(&p, found.file);
	pins_close(&p);
	return status;
}

/* --- changes ----------------------------------------------------------- */

static void stop(struct bpf *b, uint32_t file)
{
	b->files[file].stopped = 1;
}

static void start(struct bpf *b, uint32_t file)
{
	b->files[file].stopped = 0;
}

/* Empties the log, and sets T0. */
static void timereset(struct bpf *b, uint32_t file)
{
	b->files[file].zero_time = time_now();
	log_reset(b, file);
}

/* Finds the file and changes it. */
static int change(const struct options *o, void (*how)(struct bpf *, uint32_t))
{
	struct found found;
	struct pins p;

	if (found_open(&p, o->words[0], &found))
		return 1;
	how(&p.bpf, found.file);
	pins_close(&p);
	return 0;
}

int command_stop(const struct options *o)
{
	return change(o, stop);
}

int command_start(const struct options *o)
{
	return change(o, start);
}

int command_reset(const struct options *o)
{
	return change(o, log_reset);
}

int command_timereset(const struct options *o)
{
	return change(o, timereset);
}
