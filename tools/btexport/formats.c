/* SPDX-License-Identifier: GPL-2.0-only */
/* The export formats; see formats.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/place.h"
#include "base/time.h"
#include "emit/csv.h"
#include "emit/iolog.h"
#include "emit/jsonl.h"
#include "emit/named_io.h"
#include "emit/parquet.h"
#include "emit/perfetto.h"
#include "emit/prometheus.h"
#include "emit/row.h"
#include "emit/rowbinary.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/database.h"
#include "tools/btexport/formats.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/output.h"
#include "tools/btexport/output_options.h"

/* --- rows ----------------------------------------------------------------- */

/* Formats that are a stream of rows of one table (emit/row.h). */

/* that table */
static enum table_kind table_here(const struct output *out)
{
	return (enum table_kind)__builtin_ctz(out->tables);
}

static int rows_begin(struct output *out)
{
	const struct fields *f = &out->o->fields[table_here(out)];
	struct row_writer *w = NULL;
	int err = out->ops->rows->open(&w, &out->file.buf, &f->shape,
				       &out->o->rows);

	out->own = w;
	return err;
}

static int rows_row(struct output *out, enum table_kind kind,
		    const struct cell *cells)
{
	(void)kind;
	return out->ops->rows->row(out->own, cells);
}

/* A format that holds rows back has nothing to write yet. */
static int rows_quiet(struct output *out)
{
	buf_flush(&out->file.buf);
	return 0;
}

static int rows_end(struct output *out)
{
	return out->ops->rows->end(out->own);
}

static void rows_free(struct output *out)
{
	out->ops->rows->free(out->own);
	out->own = NULL;
}

/* --- fio ------------------------------------------------------------------ */

struct fio {
	struct iolog *iolog;
	/* there are I/Os of a device, and their remaps on one below it */
	bool upper, lower;
};

static int fio_begin(struct output *out)
{
	struct fio *f = calloc(1, sizeof(*f));

	out->own = f;
	return f ? iolog_open(&f->iolog, &out->file.buf, &out->o->iolog) :
		   -ENOMEM;
}

static COLD int fail(const struct output *out, int err,
		     const struct named_io *io)
{
	if (err == -EXDEV)
		msg_warn("--target: %s is one device, and the trace has I/Os of"
			 " several, %s too: choose with --where device==NAME",
			 out->o->iolog.target, io->disk);
	return err;
}

static int fio_io(struct output *out, const struct named_io *io)
{
	struct fio *f = out->own;
	int err = iolog_io(f->iolog, io);

	f->upper |= io->io->children > 0;
	f->lower |= io->io->link == IO_REMAP;
	return UNLIKELY(err) ? fail(out, err, io) : 0;
}

static int fio_quiet(struct output *out)
{
	struct fio *f = out->own;
	int err = 0;

	if (out->ios)
		err = iolog_settle(f->iolog, ios_oldest(out->ios));
	buf_flush(&out->file.buf);
	return err;
}

/* warns how a replay will differ from the trace */
static void warn(const struct output *out)
{
	const struct fio *f = out->own;
	const struct iolog_counts *c = iolog_counts(f->iolog);

	if (c->foreign)
		msg_warn("left out, as an iolog has no passthrough commands"
			 " and none for zones: %llu io%s",
			 (unsigned long long)c->foreign,
			 c->foreign == 1 ? "" : "s");
	if (c->late)
		msg_warn("%llu I/O%s out of order: more than %d later ones"
			 " completed before", (unsigned long long)c->late,
			 c->late == 1 ? "" : "s", (int)IOLOG_HELD);
	if (f->upper && f->lower && out->o->iolog.at == IOLOG_AT_QUEUE)
		msg_warn("the trace has I/Os of a device and of those below it:"
			 " a replay does both; choose with --where device==NAME");
}

static int fio_end(struct output *out)
{
	struct fio *f = out->own;
	int err = iolog_end(f->iolog);

	if (!err)
		warn(out);
	return err;
}

static void fio_free(struct output *out)
{
	struct fio *f = out->own;

	if (f)
		iolog_free(f->iolog);
	free(f);
	out->own = NULL;
}

/* --- textfile ------------------------------------------------------------- */

/*
 * Counters for Prometheus (emit/prometheus.h).  The file is replaced every
 * --every seconds, so that node_exporter's textfile collector never reads an
 * unfinished one.
 */

enum {
	BUFFER = 65536,
	LOOK = 256,		/* I/Os between two looks at the clock */
};

struct textfile {
	struct prometheus *counts;
	uint64_t next;		/* time_now() of the next write */
	unsigned int ios;	/* since the last look */
	uint64_t latest, moved;	/* time of the last event; time_now() when it
				 * came */
	bool over;		/* I/Os in flight are coming at the end */
};

static uint64_t every(const struct output *out)
{
	return out->o->every * NS_PER_SECOND;
}

static int textfile_begin(struct output *out)
{
	struct textfile *t = calloc(1, sizeof(*t));

	out->own = t;
	if (!t)
		return -ENOMEM;
	t->next = time_now() + every(out);
	if (!out->path)
		outfile_open(&out->file, NULL, BUFFER);
	return prometheus_new(&t->counts);
}

/* counts the events missing so far */
static void take_drops(const struct output *out)
{
	struct textfile *t = out->own;
	struct loss loss;

	if (!out->ios)
		return;
	reader_loss(ios_reader(out->ios), READER_ALL, &loss);
	prometheus_dropped(t->counts, loss.missing);
}

/* --- in flight ------------------------------------------------------------ */

/* A hanging I/O makes no events: its age grows with this machine's clock. */
static void look_at_time(const struct output *out, struct textfile *t,
			 uint64_t now)
{
	if (!out->ios || ios_time(out->ios) == t->latest)
		return;
	t->latest = ios_time(out->ios);
	t->moved = now;
}

static int take_one(struct textfile *t, const struct io *io, uint64_t now)
{
	char dev[NAMING_DEV];
	const struct named_io named = {
		.io = io, .disk = io->disk->label ? io->disk->label : dev };

	naming_dev(dev, io->device);
	return prometheus_open(t->counts, &named,
			       t->latest - io->time + (now - t->moved));
}

static int take_open(const struct output *out, uint64_t now)
{
	struct textfile *t = out->own;
	const struct io *io;
	uint32_t at = 0;
	int err = 0;

	if (!out->ios || t->over)
		return 0;
	prometheus_none_open(t->counts);
	while (!err && ios_open_now(out->ios, &at, &io))
		err = take_one(t, io, now);
	return err;
}

/* After reading, I/Os in flight come with their age at the trace's end. */
static COLD void begin_end(struct textfile *t)
{
	if (!t->over)
		prometheus_none_open(t->counts);
	t->over = true;
}

/* --- writing -------------------------------------------------------------- */

static COLD int textfile_fail(const struct output *out, int err)
{
	errno = -err;
	if (err != -ENOMEM)
		msg_warn("cannot write %s:", out->path);
	return err;
}

/* to an open file; 0 or -errno */
static int write_to(struct output *out, int fd)
{
	const struct textfile *t = out->own;
	struct buf b;
	int err = buf_init(&b, fd, BUFFER);

	if (err)
		return err;
	prometheus_write(t->counts, &b);
	err = buf_flush(&b);
	out->bytes = b.written;
	buf_free(&b);
	return err;
}

/* Replaces the file. */
static int rewrite(struct output *out)
{
	struct place place;
	int err = place_open(&place, &out->o->opener, out->path);

	if (err)
		return textfile_fail(out, err);
	err = write_to(out, place.fd);
	if (err)
		place_discard(&place);
	else
		err = place_commit(&place);
	return err ? textfile_fail(out, err) : 0;
}

/* if it is time, which is never without --every */
static int write_in_time(struct output *out)
{
	struct textfile *t = out->own;
	uint64_t now = time_now();
	int err;

	look_at_time(out, t, now);
	if (!out->path || !out->o->every || now < t->next)
		return 0;
	t->next = now + every(out);
	take_drops(out);
	err = take_open(out, now);
	return err ? err : rewrite(out);
}

static int textfile_io(struct output *out, const struct named_io *io)
{
	struct textfile *t = out->own;
	int err;

	if (UNLIKELY(io->io->ended == IO_ENDED_OPEN))
		begin_end(t);
	err = prometheus_io(t->counts, io);

	if (LIKELY(++t->ios < LOOK) || err)
		return err;
	t->ios = 0;
	return write_in_time(out);
}

static int textfile_quiet(struct output *out)
{
	take_drops(out);
	return write_in_time(out);
}

static int textfile_end(struct output *out)
{
	struct textfile *t = out->own;

	begin_end(t);
	if (out->path)
		return rewrite(out);
	prometheus_write(t->counts, &out->file.buf);
	outfile_flush(&out->file, "");
	out->bytes = out->file.buf.written;
	return outfile_close(&out->file) ? 0 : -EIO;
}

static void textfile_free(struct output *out)
{
	struct textfile *t = out->own;

	if (t)
		prometheus_free(t->counts);
	free(t);
	out->own = NULL;
}

/* --- timeline ------------------------------------------------------------- */

enum {
	BROWSER_BYTES = 1300,	/* of an I/O in Perfetto's UI */
	GIB = 1 << 30
};

int timeline_begin(struct output *out)
{
	return perfetto_open((struct perfetto **)&out->own, &out->file.buf);
}

static int timeline_io(struct output *out, const struct named_io *io)
{
	return perfetto_add(out->own, io);
}

static int timeline_leave_out(struct output *out, const struct io *io)
{
	return perfetto_leave_out(out->own, io->id);
}

/* A timeline is only read when complete. */
static int timeline_quiet(struct output *out)
{
	buf_flush(&out->file.buf);
	return 0;
}

static void report_many(uint64_t ios)
{
	uint64_t bytes = ios * BROWSER_BYTES + GIB / 2;

	msg_warn("%llu I/Os take some %llu GiB in a browser, which may not have"
		 " them; -w START:END makes a part of it",
		 (unsigned long long)ios,
		 (unsigned long long)(bytes / GIB));
}

int timeline_end(struct output *out)
{
	if (out->rows > TIMELINE_IOS)
		report_many(out->rows);
	return perfetto_end(out->own);
}

void timeline_free(struct output *out)
{
	perfetto_free(out->own);
	out->own = NULL;
}

/* --- formats -------------------------------------------------------------- */

#define ALL_TABLES ((1u << TABLES) - 1)

#define ROWS(row_ops) \
	.tables = ALL_TABLES, .usual = TABLE_BIT(TABLE_IOS), \
	.rows = &row_ops, .begin = rows_begin, .row = rows_row, \
	.quiet = rows_quiet, .end = rows_end, .free = rows_free

static const struct output_ops formats[] = {
	{ "csv", { ".csv" }, OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_HEADER,
	  ROWS(csv_ops) },
	{ "tsv", { ".tsv" }, OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_HEADER,
	  ROWS(tsv_ops) },
	{ "jsonl", { ".jsonl" }, OUTPUT_FOLDER | OUTPUT_FIELDS,
	  ROWS(jsonl_ops) },
	{ "parquet", { ".parquet" },
	  OUTPUT_BINARY | OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_PACKED,
	  ROWS(parquet_ops) },
	{ "rowbinary", { ".rowbinary" },
	  OUTPUT_BINARY | OUTPUT_FOLDER | OUTPUT_FIELDS, ROWS(rowbinary_ops) },
	{ "sqlite", { ".sqlite", ".db" },
	  OUTPUT_BINARY | OUTPUT_FILE | OUTPUT_FIELDS | OUTPUT_SEVERAL,
	  .tables = ALL_TABLES,
	  .usual = TABLE_BIT(TABLE_IOS) | TABLE_BIT(TABLE_LATENCY) |
		   TABLE_BIT(TABLE_META) | TABLE_BIT(TABLE_SEGMENTS),
	  .begin = database_begin, .row = database_row,
	  .quiet = database_quiet, .end = database_end,
	  .free = database_free },
	{ "perfetto", { ".pftrace" }, OUTPUT_BINARY,
	  .begin = timeline_begin, .io = timeline_io,
	  .leave_out = timeline_leave_out, .quiet = timeline_quiet,
	  .end = timeline_end, .free = timeline_free },
	{ "fio", { ".iolog" }, OUTPUT_REPLAYED,
	  .begin = fio_begin, .io = fio_io, .quiet = fio_quiet,
	  .end = fio_end, .free = fio_free },
	{ "prometheus", { ".prom" }, OUTPUT_OWN_FILE, .open = true,
	  .begin = textfile_begin, .io = textfile_io,
	  .quiet = textfile_quiet, .end = textfile_end,
	  .free = textfile_free },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

const struct output_ops *format_named(const char *name)
{
	for (int i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static bool ends_with(const char *path, const char *ending)
{
	size_t len = strlen(path), n = ending ? strlen(ending) : 0;

	return n && len > n && !strcmp(path + len - n, ending);
}

const struct output_ops *format_by_ending(const char *path)
{
	for (int i = 0; i < FORMATS; i++)
		if (ends_with(path, formats[i].endings[0]) ||
		    ends_with(path, formats[i].endings[1]))
			return &formats[i];
	return NULL;
}
