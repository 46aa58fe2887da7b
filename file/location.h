/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What names on a command line mean: devices with a file per CPU, directories
 * of devices, packed files, dumps, pipes.  Resolves names and reads nothing,
 * until locations_unpack() lists packed files.
 *
 * A directory of segments (file/segments.h) means the devices in them; segments
 * named one by one, their devices in these only.
 *
 * A directory is one host, and so is a dump.  All devices named by themselves
 * are one host together, as 1.3.0 reads them.
 */
#ifndef FILE_LOCATION_H
#define FILE_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "file/segments.h"

struct card;			/* machine/card.h */
struct files;			/* file/files.h */

struct location {
	char *dir, *name;	/* of a device, dir may be ""; or NULL, but dir
				 * is also where a path was found */
	struct segments only;	/* of dir; none: all segments */
	char *path;		/* of a dump or pipe; or what locations_unpack()
				 * replaces: a packed file or a path below it,
				 * a directory of packed segments or a device
				 * in it; or NULL */
	unsigned int host;	/* index in hosts */
	int operand;		/* which call added it, from 0 */
	struct card *card;	/* cards_load() sets it; or NULL */
};

struct locations {
	struct location *list;	/* in the order of names */
	size_t count;
	int operands;		/* calls so far */
	char **hosts;		/* unique names: "db1" for /data/db1/ */
	unsigned int host_count;
	unsigned int own_host;	/* of devices named alone, plus 1; or 0 */
	char *sticky;		/* 1.3.0: the last directory in a name */
};

/* an all-zero struct locations is empty */
void locations_free(struct locations *l);

/*
 * Adds what name means to blkparse and btt.  directory, or NULL, is prepended.
 * Any file that is not a device's is taken for a dump, unread.  Where sda means
 * nothing, it means sda.btz.  0; -ENOENT:
 * nothing has that name; or -errno.
 */
int locations_add(struct locations *l, const char *directory,
		  const char *name);

/*
 * Replaces packed files by the devices in them, or by dumps if they have none.
 * Reads these files: call it when no more can be opened than they.  0; or -errno
 * of a packed file, and its operand in *bad.
 */
int locations_unpack(struct locations *l, int *bad);

/*
 * Why locations_add() returned -ENOENT: -EISDIR: name is a directory without a
 * trace; -EACCES: it, or a directory on the way to it, may not be read; or
 * -ENOENT.
 */
int locations_why_none(const char *directory, const char *name);

/*
 * Adds what name, absolute or in dir, means to btrecord, unless it is already
 * added.  Returns as locations_add().
 */
int locations_add_below(struct locations *l, const char *dir,
			const char *name);

/* Adds all devices in dir that are not added yet, as one host.  Returns how
 * many dir has, or -errno. */
int locations_add_all(struct locations *l, const char *dir);

/* Adds a host without locations, named after the last part of path.  0 or
 * -ENOMEM. */
int locations_add_host(struct locations *l, const char *path);

/* Renames a host after the last part of path, "part#2" and so on if that is
 * taken.  0 or -ENOMEM. */
int locations_name_host(struct locations *l, unsigned int host,
			const char *path);

/* the files of a device's location, as files_find() */
int location_files(const struct location *at, struct files *f);

/* whether a name means a pipe: "-" or a FIFO */
bool location_is_pipe(const char *name);

#endif
