/* SPDX-License-Identifier: GPL-2.0-only */
/* Watched files that are not found any more; see missing.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/iotracer/missing.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/pins.h"
#include "tools/iotracer/watched.h"

/* what a path leads to: the file, nothing, or another file */
enum place { PLACE_FOUND, PLACE_EMPTY, PLACE_TAKEN };

/* What cannot be looked at counts as found: nothing is known against it. */
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
