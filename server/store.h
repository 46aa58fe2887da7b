/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server's files: a new directory for each run, with NAME.blktrace.CPU
 * files.  Keeps only the last used ones open.  The caller checks names, see
 * net_name_valid().
 */
#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct store;
struct store_dir;
struct store_file;

struct store_options {
	const char *directory;	/* made if missing */
	uint64_t max_bytes;	/* of all files; 0: no limit */
	unsigned int max_open;	/* files open at a time, at least 1 */
};

/* 0 and *s, or -errno */
int store_new(struct store **s, const struct store_options *o);

/* its directory's descriptor, open as long as s */
int store_directory(const struct store *s);

/* whether store_new() has made it */
bool store_is_new(const struct store *s);

/* free inodes of its file system; UINT64_MAX: unlimited, or unknown */
uint64_t store_free_files(const struct store *s);

/* whether a directory of that name is one of its open ones */
bool store_is_open(const struct store *s, const char *name);

/* bytes that were removed count no more for max_bytes */
void store_forget(struct store *s, uint64_t bytes);

/* after its directories; s may be NULL */
void store_free(struct store *s);

/* makes the directory HOST-YYYY-MM-DD-HH:MM:SS (UTC), with -2, -3 and so on if
 * that exists; 0 and *f, or -errno.  It is locked, by flock(2), while it is open */
int store_dir_new(struct store *s, const char *host, time_t when,
		  struct store_dir **f);

/* opens such a directory again; 0 and *f, or -errno */
int store_dir_open(struct store *s, const char *name, struct store_dir **f);

/* its name below the store's directory */
const char *store_dir_name(const struct store_dir *f);

/* adds an empty file, so that readers find all CPUs; 0 or -errno */
int store_dir_add(struct store_dir *f, const char *device, uint32_t cpu);

/* whether it has that file */
bool store_dir_has(const struct store_dir *f, const char *device, uint32_t cpu);

/* writes or replaces a device's card; 0; or -errno, -EDQUOT: beyond max_bytes,
 * for which each card counts.  A full disk leaves a partial card */
int store_dir_card(struct store_dir *f, const char *device, const void *bytes,
		   size_t len);

/* 1 and the name of a file that ends in suffix, NUL-terminated in size bytes; 0:
 * none; or -errno */
int store_dir_find(const struct store_dir *f, const char *suffix, char *name,
		   size_t size);

/* frees f, after its files; the directory stays.  f may be NULL */
void store_dir_free(struct store_dir *f);

/* the file of a device and CPU, made at the first write; NULL: no memory */
struct store_file *store_file_new(struct store_dir *f, const char *device,
				  uint32_t cpu);

/* the same of another file of that name, shorter than 64 bytes */
struct store_file *store_file_named(struct store_dir *f, const char *name);

/* appends; 0; or -errno, -EDQUOT: beyond max_bytes; *stored: bytes written, in
 * any case */
int store_file_write(struct store_file *file, const void *bytes, size_t len,
		     size_t *stored);

/* 0 and its length, or -errno */
int store_file_length(struct store_file *file, uint64_t *length);

/* opens it to be read; a descriptor, which the caller closes, or -errno */
int store_file_reader(const struct store_file *file);

/* reads up to len bytes from an offset on; their number or -errno */
ssize_t store_file_read(struct store_file *file, uint64_t from, void *bytes,
			size_t len);

/* removes the last n bytes; 0 or -errno */
int store_file_cut(struct store_file *file, uint64_t n);

/* closes and frees; file may be NULL */
void store_file_free(struct store_file *file);

#endif
