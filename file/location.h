/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What names on a command line mean: devices with a file per CPU, directories
 * of such devices, dumps, pipes.  Names are resolved here, and nothing is read.
 *
 * A directory of segments (file/segments.h) is one of the devices that are in
 * them.  Segments that are named one by one are, too, but of these only.
 *
 * What was recorded on one machine has one host: a directory is one, and a
 * dump.  Devices that are named by themselves have one host together, as
 * 1.3.0 reads them.
 */
#ifndef FILE_LOCATION_H
#define FILE_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "file/segments.h"

struct card;			/* machine/card.h */
struct files;			/* file/files.h */

struct location {
	char *dir, *name;	/* a device's files, dir may be ""; or */
	struct segments only;	/* those of dir's that are meant; none: all */
	char *path;		/* a dump or pipe */
	unsigned int host;	/* index in hosts */
	int operand;		/* which call added it, from 0 */
	struct card *card;	/* cards_load() sets it; or NULL */
};

struct locations {
	struct location *list;	/* in the order of names */
	size_t count;
	int operands;		/* calls so far */
	char **hosts;		/* what to call them, all different: "db1", of
				 * /data/db1/ */
	unsigned int host_count;
	unsigned int own_host;	/* of devices named by themselves, plus 1; or 0 */
	char *sticky;		/* 1.3.0: the last directory in a name */
};

/* an all-zero struct locations is empty */
void locations_free(struct locations *l);

/*
 * Adds what name means to blkparse and btt.  directory, if it is not NULL, is
 * put in front of names.  A file of any other name is taken for a dump, without
 * a look into it.  0; -ENOENT: there is nothing of that name; or -errno.
 */
int locations_add(struct locations *l, const char *directory,
		  const char *name);

/*
 * Why locations_add() returned -ENOENT: -EISDIR: name is a directory without a
 * trace; -EACCES: a directory on the way to it may not be read; or -ENOENT.
 */
int locations_why_none(const char *directory, const char *name);

/*
 * Adds what name means to btrecord: absolute, or looked for in dir.  What is
 * there already is not added again.  The same results.
 */
int locations_add_below(struct locations *l, const char *dir,
			const char *name);

/* Adds all devices in dir that are not there yet, as one host.  How many dir
 * has, or -errno. */
int locations_add_all(struct locations *l, const char *dir);

/* One more host, of no location yet, called after the last part of path.  0 or
 * -ENOMEM. */
int locations_add_host(struct locations *l, const char *path);

/* Calls a host after the last part of path instead, "part#2" and so on where
 * that is taken.  0 or -ENOMEM. */
int locations_name_host(struct locations *l, unsigned int host,
			const char *path);

/* the files of a location that is a device: as files_find() */
int location_files(const struct location *at, struct files *f);

/* whether a name means a pipe: "-" or a FIFO */
bool location_is_pipe(const char *name);

#endif
