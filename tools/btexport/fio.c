/* SPDX-License-Identifier: GPL-2.0-only */
/* An iolog as an output; see fio.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/iolog.h"
#include "emit/named_io.h"
#include "request/io.h"
#include "request/ios.h"
#include "tools/btexport/fio.h"
#include "tools/btexport/output_options.h"

struct fio {
	struct iolog *iolog;
	/* ios of a device, and what became of them on one below it */
	bool upper, lower;
};

int fio_begin(struct output *out)
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
		msg_warn("--target: %s is one device, and there are ios of"
			 " several, %s too: choose with --where device==NAME",
			 out->o->iolog.target, io->disk);
	return err;
}

int fio_io(struct output *out, const struct named_io *io)
{
	struct fio *f = out->own;
	int err = iolog_io(f->iolog, io);

	f->upper |= io->io->children > 0;
	f->lower |= io->io->link == IO_REMAP;
	return UNLIKELY(err) ? fail(out, err, io) : 0;
}

int fio_quiet(struct output *out)
{
	struct fio *f = out->own;
	int err = 0;

	if (out->ios)
		err = iolog_settle(f->iolog, ios_oldest(out->ios));
	buf_flush(&out->file.buf);
	return err;
}

/* what a replay will do otherwise than was done */
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
		msg_warn("out of order, as more than %d later ones were"
			 " complete before: %llu io%s", (int)IOLOG_HELD,
			 (unsigned long long)c->late, c->late == 1 ? "" : "s");
	if (f->upper && f->lower && out->o->iolog.at == IOLOG_AT_QUEUE)
		msg_warn("ios of a device and of what is below it are there: a"
			 " replay does both; choose with --where device==NAME");
}

int fio_end(struct output *out)
{
	struct fio *f = out->own;
	int err = iolog_end(f->iolog);

	if (!err)
		warn(out);
	return err;
}

void fio_free(struct output *out)
{
	struct fio *f = out->own;

	if (f)
		iolog_free(f->iolog);
	free(f);
	out->own = NULL;
}
