/* SPDX-License-Identifier: GPL-2.0-only */
/* The watched file that is meant; see found.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/watched.h"

/* as it was added; nothing is opened, so the file may be gone */
static int by_path(struct pins *p, const char *word, struct found *found)
{
	char *path = watched_absolute(word);
	struct path_entry e;
	/* its directory may be gone, and only the text be left */
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
 * BDEV_INODE.  Several files may have the name, of which all but one are gone,
 * or are in other subvolumes of btrfs: the one added last.
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
