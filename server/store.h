/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the server stores traces: a new directory for each run, with the
 * usual NAME.blktrace.CPU files.
 *
 * There can be more files than descriptors: those that were used last are
 * open.  The caller checks names, see net_name_valid().
 */
#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct store;
struct store_dir;
struct store_file;

struct store_options {
	const char *directory;	/* made if it does not exist */
	uint64_t max_bytes;	/* of all files together; 0: no limit */
	unsigned int max_open;	/* files open at a time, at least 1 */
};

/* 0 and *s, or -errno */
int store_new(struct store **s, const struct store_options *o);

/* its directory, open for as long as s is there */
int store_directory(const struct store *s);

/* whether store_new() has made it */
bool store_is_new(const struct store *s);

/* how many files its file system has room for, by inodes; UINT64_MAX: that is
 * not limited, or not known */
uint64_t store_free_files(const struct store *s);

/* after its directories; NULL is fine */
void store_free(struct store *s);

/*
 * Makes the directory HOST-YYYY-MM-DD-HH:MM:SS (UTC), followed by -2, -3 and
 * so on if that exists.  0 and *f, or -errno.
 */
int store_dir_new(struct store *s, const char *host, time_t when,
		  struct store_dir **f);

/* its name below the store's directory */
const char *store_dir_name(const struct store_dir *f);

/* adds an empty file, so that readers find no gap; 0 or -errno */
int store_dir_add(struct store_dir *f, const char *device, uint32_t cpu);

/*
 * Writes the card of a device, in place of one that is there.  0; or -errno,
 * -EDQUOT beyond max_bytes, for which each counts.  What is there is whole
 * unless the disk is full.
 */
int store_dir_card(struct store_dir *f, const char *device, const void *bytes,
		   size_t len);

/* frees f, after its files; the directory stays.  NULL is fine */
void store_dir_free(struct store_dir *f);

/* the file of a device and CPU, made when it is first written; or NULL */
struct store_file *store_file_new(struct store_dir *f, const char *device,
				  uint32_t cpu);

/*
 * Appends.  0; or -errno, -EDQUOT beyond max_bytes.  In either case *stored
 * is how many of the bytes are in the file.
 */
int store_file_write(struct store_file *file, const void *bytes, size_t len,
		     size_t *stored);

/* removes the last n bytes; 0 or -errno */
int store_file_cut(struct store_file *file, uint64_t n);

/* closes and frees; NULL is fine */
void store_file_free(struct store_file *file);

#endif
