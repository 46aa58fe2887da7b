/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command extents: where files lie on their devices, as the filesystem
 * reports by FIEMAP.  Needs neither programs in the kernel nor any privilege.
 */
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
#include "tools/iotracer/commands.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/output.h"
#include "tools/iotracer/watched.h"

enum { EXTENTS = 256, SECTOR = 512 };

/* flags that make the place less than certain, and how we call them */
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

/* "-", or what is to be known of an extent */
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

/* Where the flags say that there is no place, the sector means nothing. */
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

/* the sector of the disk at which the filesystem's device begins */
static uint64_t start_of(const struct watched *t)
{
	uint64_t start = 0;
	struct stat st;

	if (!fstat(t->fd, &st))
		sysfs_number(st.st_dev, "start", &start);
	return start;
}

/* Asks for some more, from *at on: 1: these were the last; 0; -errno. */
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
		msg_warn("%s: its filesystem does not report where files lie",
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
