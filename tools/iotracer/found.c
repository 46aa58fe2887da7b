/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the watched file of a word; see found.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/pins.h"
#include "tools/iotracer/watched.h"

/* --- missing -------------------------------------------------------------- */

/* the file at a path: ours, none, or another */
enum place { PLACE_FOUND, PLACE_EMPTY, PLACE_TAKEN };

/* A path that cannot be read counts as found. */
static enum place look(struct bpf *b, const char *path,
		       const struct bpf_key *key)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err;
	struct bpf_found found;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? PLACE_EMPTY :
							     PLACE_FOUND;
	err = bpf_file_find(b, fd, &found);
	close(fd);
	if (err || !memcmp(&found.key, key, sizeof(*key)))
		return PLACE_FOUND;
	return PLACE_TAKEN;
}

static void warn_missing(const char *path, enum place place, uint32_t device)
{
	if (!watched_is_mounted(device))
		msg_warn("%s: its filesystem is not mounted here", path);
	else if (place == PLACE_EMPTY)
		msg_warn("%s: the file was removed or renamed; 'iotracer"
			 " remove' ends its watch", path);
	else
		msg_warn("%s: another file is there now, the watched one was"
			 " removed or renamed; 'iotracer remove' ends its"
			 " watch", path);
}

void missing_warn_paths(struct pins *p, uint32_t file,
			const struct path_entry *paths, int count)
{
	const struct bpf_key *key = &p->bpf.files[file].key;
	enum place newest = PLACE_FOUND;
	const char *path = NULL;

	for (int i = 0; i < count; i++) {
		enum place place;

		if (paths[i].file != file)
			continue;
		place = look(&p->bpf, paths[i].text, key);
		if (place == PLACE_FOUND)
			return;
		if (!path) {
			path = paths[i].text;
			newest = place;
		}
	}
	if (path)
		warn_missing(path, newest, key->device);
}

void missing_warn(struct pins *p, uint32_t file)
{
	struct path_entry *paths;
	int count = paths_read(p->paths, &paths);

	if (count < 0)
		return;
	missing_warn_paths(p, file, paths, count);
	free(paths);
}

/* --- found ---------------------------------------------------------------- */

/* By the path as added; opens nothing, so the file may be gone. */
static int by_path(struct pins *p, const char *word, struct found *found)
{
	char *path = watched_absolute(word);
	struct path_entry e;
	/* without its directory, compare the text */
	int err = paths_find(p->paths, path ? path : word, &e);

	free(path);
	if (err)
		return err;
	found->file = e.file;
	found->by_name = false;
	strcpy(found->path, e.text);
	return e.file < BPF_FILES_MAX ? 0 : -EINVAL;
}

/*
 * By BDEV_INODE.  Of several files with this name, which are gone, or in other
 * subvolumes of btrfs, the last one added.
 */
static int by_name(struct pins *p, const char *word, struct found *found)
{
	uint64_t added = 0;

	for (uint32_t i = 0; i < BPF_FILES_MAX; i++) {
		const struct bpf_file *f = &p->bpf.files[i];

		if (!f->used || f->added <= added || strcmp(f->name, word))
			continue;
		added = f->added;
		found->file = i;
		found->by_name = true;
	}
	return added ? 0 : -ENOENT;
}

int found_open_quietly(struct pins *p, const char *word, struct found *found)
{
	int err = pins_open(p);

	if (!err)
		err = by_path(p, word, found);
	if (err == -ENOENT && p->open)
		err = by_name(p, word, found);
	if (err)
		pins_close(p);
	return err;
}

int found_open(struct pins *p, const char *word, struct found *found)
{
	int err = found_open_quietly(p, word, found);

	if (err == -ENOENT)
		msg_warn("%s is not watched; 'iotracer list' prints what is",
			 word);
	return err;
}
