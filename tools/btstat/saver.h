/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --save with --interval: a set of histograms for each interval of wall-clock
 * time, written while ios come.
 *
 * What a device and an operation have of one interval is kept as arrays; when
 * the next begins it goes to a set, which is written when 4,096 histograms or
 * 16 MiB wait.  An io of an interval that has been written is written again by
 * itself: reading adds it up.
 */
#ifndef TOOLS_BTSTAT_SAVER_H
#define TOOLS_BTSTAT_SAVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- savefile ------------------------------------------------------------- */

/*
 * Which operands are save files, and how one is written.
 */

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/* the path of an operand, which the caller frees; directory may be NULL */
char *savefile_path(const char *directory, const char *name);

/* whether the operand is such a file; of directories and pipes: no */
bool savefile_is_one(const char *directory, const char *name);

/* opens one to write it, as outfile_open_by(); gzip'd if it ends in .gz */
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

/*
 * Sets for the file of that name, of intervals of so many ns.  0 and *s, or
 * -ENOMEM; dies if the file cannot be written.
 */
int saver_new(struct saver **s, const struct opener *o, const char *path,
	      uint64_t interval);

/* the time of day of time 0, in ns; to be called before the first io */
void saver_set_clock(struct saver *s, uint64_t wall);
bool saver_has_clock(const struct saver *s);

/* an io that completed and was measured; 0 or -ENOMEM */
int saver_add(struct saver *s, const struct io *io);

/* no more come: the set that is not written yet, to add traces to; or NULL */
struct saved *saver_end(struct saver *s);

/* writes the rest, once; whether all went well, and it can be read again */
bool saver_close(struct saver *s);

/* frees s; NULL is fine */
void saver_free(struct saver *s);

/* what save files call a device, and its host */
void saver_device(const struct device *disk, char text[SAVER_NAME]);
const char *saver_host(const struct device *disk);

#endif
