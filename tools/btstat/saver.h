/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --save with --interval: histograms per interval of wall-clock time, written
 * while I/Os are read.
 *
 * A finished interval is moved to a set, which is written when it holds
 * SAVER_HISTOGRAMS or SAVER_BYTES.  An I/O of an interval already written gets
 * a histogram to itself: readers add histograms of one interval.
 */
#ifndef TOOLS_BTSTAT_SAVER_H
#define TOOLS_BTSTAT_SAVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- savefile ------------------------------------------------------------- */

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/* the path of an operand, to be freed by the caller; directory may be NULL */
char *savefile_path(const char *directory, const char *name);

/* whether the operand is a save file; never a directory or pipe */
bool savefile_is_one(const char *directory, const char *name);

/* as outfile_open_by(), gzip'd if path ends in .gz */
void savefile_open(struct outfile *f, const struct opener *o,
		   const char *path);

/* --- saver ---------------------------------------------------------------- */

struct device;			/* run/device.h */
struct io;			/* request/io.h */
struct saved;			/* stat/saved.h */
struct saver;

enum {
	SAVER_HISTOGRAMS = 4096,
	SAVER_BYTES = 16 << 20,
	SAVER_NAME = 64,
};

/* Opens the file; interval in ns.  0 and *s, or -ENOMEM; dies if the file
 * cannot be written. */
int saver_new(struct saver **s, const struct opener *o, const char *path,
	      uint64_t interval);

/* the time of day at time 0, ns; call before the first I/O */
void saver_set_clock(struct saver *s, uint64_t wall);
bool saver_has_clock(const struct saver *s);

/* adds a completed, measured I/O; 0 or -ENOMEM */
int saver_add(struct saver *s, const struct io *io);

/* after the last I/O: the unwritten set, to add traces to, or NULL */
struct saved *saver_end(struct saver *s);

/* writes the rest, once; whether the file is complete and readable */
bool saver_close(struct saver *s);

/* accepts NULL */
void saver_free(struct saver *s);

/* the names of a device and its host in save files */
void saver_device(const struct device *disk, char text[SAVER_NAME]);
const char *saver_host(const struct device *disk);

#endif
