/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding the files of a trace: NAME.blktrace.CPU as blktrace writes them,
 * gzip'd with .gz behind it, or NAME_out.CPU with NAME_dat.CPU from its first
 * days.  Where a directory has none of these but segments (file/segments.h)
 * which have, the trace goes through all of them.
 */
#ifndef FILE_FILES_H
#define FILE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain_link;		/* file/source_chain.h */
struct segments;		/* file/segments.h */
struct source;			/* file/source.h */

struct file_entry {
	uint32_t cpu;
	char *path;		/* of several, the first's */
	struct chain_link *links;	/* the files of its segments, that */
	size_t link_count;	/* first one too; or NULL, 0 */
	char *payloads;		/* NAME_dat.CPU, or NULL */
	bool old;		/* a NAME_out.CPU */
	bool empty;		/* nothing in it: not an input, not an error */
};

struct files {
	struct file_entry *list;	/* by CPU, ascending */
	size_t count;
};

/*
 * All files of device name, in dir ("" for the working directory).  0 with
 * at least one file; -ENOENT: there is none; -ENOMEM.
 */
int files_find(struct files *f, const char *dir, const char *name);

/* the same of a device in these segments only */
int files_find_in(struct files *f, const struct segments *s, const char *name);

/* frees the list; an all-zero struct files is fine */
void files_free(struct files *f);

/* opens one of them: 0 and *s, or -errno */
int files_open(const struct file_entry *e, struct source **s);

/*
 * The names of all devices that have files in dir, sorted as people count
 * (nvme2n1 before nvme10n1).  Returns their number, or -errno;
 * *names and each of them are the caller's to free.
 */
int files_devices(const char *dir, char ***names);

#endif
