/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a trace: NAME.blktrace.CPU, NAME.blktrace.CPU.gz, or
 * NAME_out.CPU with NAME_dat.CPU of blktrace's first days.  A directory that
 * has only segments (file/segments.h) is one trace through all of them.
 */
#ifndef FILE_FILES_H
#define FILE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/folder.h"

struct chain_link;		/* file/source_chain.h */
struct segments;		/* file/segments.h */
struct source;			/* file/source.h */

struct file_entry {
	uint32_t cpu;
	char *path;		/* in segments: of the first file */
	struct chain_link *links;	/* in segments: all files; or NULL */
	size_t link_count;
	char *payloads;		/* NAME_dat.CPU, or NULL */
	bool old;		/* a NAME_out.CPU */
	enum folder_fill fill;	/* of path, or all links */
};

struct files {
	struct file_entry *list;	/* by CPU, ascending */
	size_t count;
};

/*
 * All files of device name, in dir ("" for the working directory).  0 with at
 * least one file; -ENOENT: none; -ENOMEM.
 */
int files_find(struct files *f, const char *dir, const char *name);

/* whether there is any; as files_find() */
int files_exist(const char *dir, const char *name);

/* as files_find(), in these segments only */
int files_find_in(struct files *f, const struct segments *s, const char *name);

/* frees the list; an all-zero struct files is fine */
void files_free(struct files *f);

/* whether it is an empty file, or all its links are: ignored, no error */
bool files_is_empty(const struct file_entry *e);

/* opens one of them: 0 and *s, or -errno */
int files_open(const struct file_entry *e, struct source **s);

/* the same of files in segments, which continue the one before, by its number */
int files_continue(const struct file_entry *e, unsigned int before,
		   struct source **s);

/*
 * The names of all devices that have files in dir, in natural order (nvme2n1
 * before nvme10n1).  Returns their number, or -errno; the caller frees each
 * name and *names.
 */
int files_devices(const char *dir, char ***names);

#endif
