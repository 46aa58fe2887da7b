/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms per interval; see saver.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/group_op.h"
#include "stat/measure.h"
#include "stat/saved.h"
#include "tools/btstat/saver.h"

/* --- savefile ------------------------------------------------------------- */

enum { FILE_SIZE = 65536 };

char *savefile_path(const char *directory, const char *name)
{
	char *path;

	if (!directory || *name == '/')
		directory = NULL;
	if (asprintf(&path, "%s%s%s", directory ? directory : "",
		     directory ? "/" : "", name) < 0)
		msg_die("out of memory");
	return path;
}

/* gzopen(3) also reads plain files */
static bool has_magic(const char *path)
{
	char begin[sizeof(SAVED_MAGIC)] = "";
	gzFile f = gzopen(path, "rb");
	bool is;

	if (!f)
		return false;
	is = gzread(f, begin, sizeof(begin) - 1) > 0 &&
	     !strncmp(begin, SAVED_MAGIC, strcspn(SAVED_MAGIC, " "));
	gzclose(f);
	return is;
}

bool savefile_is_one(const char *directory, const char *name)
{
	char *path = savefile_path(directory, name);
	struct stat st;
	bool is = !stat(path, &st) && S_ISREG(st.st_mode) && has_magic(path);

	free(path);
	return is;
}

void savefile_open(struct outfile *f, const struct opener *o, const char *path)
{
	size_t len = strlen(path);

	if (len > 3 && !strcmp(path + len - 3, ".gz"))
		outfile_open_packed(f, o, path, FILE_SIZE);
	else
		outfile_open_by(f, o, path, FILE_SIZE);
}

/* --- saver ---------------------------------------------------------------- */

/* all phases, and Q2C, as in files without intervals */
#define KEPT (((UINT32_C(1) << IO_PHASES) - 1) | UINT32_C(1) << MEASURE_Q2C)

/* an operation of a device, in the interval starting at a time */
struct row {
	uint64_t at;
	struct histogram of[MEASURES];
};

struct saver_disk {
	const struct device *disk;	/* NULL: no io yet */
	struct row *rows[GROUP_OPS];
};

struct saver {
	struct outfile out;
	struct saved *set;
	uint64_t interval, wall;
	bool has_clock, begun;
	size_t written;		/* histograms */
	struct saver_disk *disks;
	size_t count;
};

void saver_device(const struct device *disk, char text[SAVER_NAME])
{
	if (disk->label)
		snprintf(text, SAVER_NAME, "%s", disk->label);
	else
		snprintf(text, SAVER_NAME, "%u,%u", disk->number >> 20,
			 disk->number & 0xfffff);
}

const char *saver_host(const struct device *disk)
{
	return disk->host ? disk->host : "";
}

int saver_new(struct saver **s, const struct opener *o, const char *path,
	      uint64_t interval)
{
	*s = calloc(1, sizeof(**s));
	if (!*s || saved_new(&(*s)->set)) {
		free(*s);
		*s = NULL;
		return -ENOMEM;
	}
	(*s)->interval = interval;
	savefile_open(&(*s)->out, o, path);
	return 0;
}

void saver_set_clock(struct saver *s, uint64_t wall)
{
	s->wall = wall;
	s->has_clock = true;
}

bool saver_has_clock(const struct saver *s)
{
	return s->has_clock;
}

/* --- finished intervals --------------------------------------------------- */

/* The buffer keeps a write error, which saver_close() reports. */
static void write_set(struct saver *s)
{
	if (s->begun)
		saved_write_more(s->set, &s->out.buf);
	else
		saved_write(s->set, &s->out.buf);
	s->begun = true;
	s->written += saved_histograms(s->set);
	saved_clear(s->set);
}

static int add_measure(struct saver *s, struct saved_key *key,
		       unsigned int m, struct histogram *h)
{
	int err;

	if (!h->count)
		return 0;
	key->phase = measure_name(m);
	err = saved_add(s->set, key, h);
	histogram_free(h);
	if (saved_histograms(s->set) >= SAVER_HISTOGRAMS ||
	    saved_bytes(s->set) >= SAVER_BYTES)
		write_set(s);
	return err;
}

static int settle(struct saver *s, const struct device *disk,
		  unsigned int op, struct row *row)
{
	char name[SAVER_NAME];
	struct saved_key key = { saver_host(disk), name, group_op_name(op),
				 NULL, row->at };
	int err = 0;

	saver_device(disk, name);
	for (unsigned int m = 0; !err && m < MEASURES; m++)
		err = add_measure(s, &key, m, &row->of[m]);
	return err;
}

/* --- I/Os ----------------------------------------------------------------- */

static struct saver_disk *disk_of(struct saver *s, const struct device *disk)
{
	size_t count = disk->id + 1;
	struct saver_disk *disks;

	if (count > s->count) {
		disks = array_resize(s->disks, count, sizeof(*disks));
		if (!disks)
			return NULL;
		for (size_t i = s->count; i < count; i++)
			disks[i] = (struct saver_disk){ .disk = NULL };
		s->disks = disks;
		s->count = count;
	}
	s->disks[disk->id].disk = disk;
	return &s->disks[disk->id];
}

static struct row *row_of(struct saver *s, const struct io *io,
			  enum group_op op)
{
	struct saver_disk *d = disk_of(s, io->disk);

	if (d && !d->rows[op])
		d->rows[op] = calloc(1, sizeof(*d->rows[op]));
	return d ? d->rows[op] : NULL;
}

int saver_add(struct saver *s, const struct io *io)
{
	uint64_t end = s->wall + io->time + io->total, ns;
	uint64_t at = end - end % s->interval;
	enum group_op op = group_op_of(io);
	struct row *row = row_of(s, io, op);
	int err = 0;

	if (!row)
		return -ENOMEM;
	if (row->at != at)
		err = settle(s, io->disk, op, row);
	row->at = at;
	for (unsigned int m = 0; !err && m < MEASURES; m++)
		if (KEPT >> m & 1 && measure_get(io, m, &ns))
			err = histogram_add(&row->of[m], ns);
	return err;
}

/* --- the end -------------------------------------------------------------- */

struct saved *saver_end(struct saver *s)
{
	int err = 0;

	for (size_t i = 0; i < s->count; i++)
		for (unsigned int op = 0; !err && op < GROUP_OPS; op++)
			if (s->disks[i].rows[op])
				err = settle(s, s->disks[i].disk, op,
					     s->disks[i].rows[op]);
	return err ? NULL : s->set;
}

bool saver_close(struct saver *s)
{
	bool written;

	write_set(s);
	written = outfile_flush(&s->out, "");
	if (s->written > SAVED_COUNT_MAX) {
		msg_warn("%s: more histograms than can be read: a longer"
			 " --interval is needed", s->out.name);
		written = false;
	}
	return outfile_close(&s->out) && written;
}

static void free_row(struct row *row)
{
	for (unsigned int m = 0; row && m < MEASURES; m++)
		histogram_free(&row->of[m]);
	free(row);
}

void saver_free(struct saver *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		for (unsigned int op = 0; op < GROUP_OPS; op++)
			free_row(s->disks[i].rows[op]);
	free(s->disks);
	saved_free(s->set);
	outfile_close(&s->out);
	free(s);
}
