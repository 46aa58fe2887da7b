/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters as an output; see textfile.h. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/place.h"
#include "base/time.h"
#include "emit/named_io.h"
#include "emit/prometheus.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/textfile.h"

enum {
	BUFFER = 65536,
	LOOK = 256,		/* ios between two looks at the clock */
};

struct textfile {
	struct prometheus *counts;
	uint64_t next;		/* when it is written again, by our clock */
	unsigned int ios;	/* since the last look */
	uint64_t latest, moved;	/* time of the last event; when, by our clock,
				 * it came */
	bool over;		/* what is open comes as the rest of the ios */
};

static uint64_t every(const struct output *out)
{
	return out->o->every * NS_PER_SECOND;
}

int textfile_begin(struct output *out)
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

/* what is missing so far: the reader counts it */
static void take_drops(const struct output *out)
{
	struct textfile *t = out->own;
	struct loss loss;

	if (!out->ios)
		return;
	reader_loss(ios_reader(out->ios), READER_ALL, &loss);
	prometheus_dropped(t->counts, loss.missing);
}

/* --- what is open --------------------------------------------------------- */

/* What hangs makes no events: it ages by our clock. */
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

/* All has been read: what is open comes with its age at the trace's end. */
static COLD void begin_end(struct textfile *t)
{
	if (!t->over)
		prometheus_none_open(t->counts);
	t->over = true;
}

/* --- writing -------------------------------------------------------------- */

static COLD int fail(const struct output *out, int err)
{
	errno = -err;
	if (err != -ENOMEM)
		msg_warn("cannot write %s:", out->path);
	return err;
}

/* all of it to a file that is open: 0, or -errno */
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

/* A new file takes the place of the last one. */
static int rewrite(struct output *out)
{
	struct place place;
	int err = place_open(&place, &out->o->opener, out->path);

	if (err)
		return fail(out, err);
	err = write_to(out, place.fd);
	if (err)
		place_discard(&place);
	else
		err = place_commit(&place);
	return err ? fail(out, err) : 0;
}

/* if it is time: of files, which end by themselves, never */
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

int textfile_io(struct output *out, const struct named_io *io)
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

int textfile_quiet(struct output *out)
{
	take_drops(out);
	return write_in_time(out);
}

int textfile_end(struct output *out)
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

void textfile_free(struct output *out)
{
	struct textfile *t = out->own;

	if (t)
		prometheus_free(t->counts);
	free(t);
	out->own = NULL;
}
