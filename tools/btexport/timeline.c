/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace of Perfetto's as an output; see timeline.h. */
#include "base/msg.h"
#include "emit/perfetto.h"
#include "request/io.h"
#include "tools/btexport/timeline.h"

enum {
	BROWSER_BYTES = 1300,	/* of an io in Perfetto's UI */
	GIGABYTE = 1000000000
};

int timeline_begin(struct output *out)
{
	return perfetto_open((struct perfetto **)&out->own, &out->file.buf);
}

int timeline_io(struct output *out, const struct named_io *io)
{
	return perfetto_add(out->own, io);
}

int timeline_leave_out(struct output *out, const struct io *io)
{
	return perfetto_leave_out(out->own, io->id);
}

/* A timeline is looked at when it is complete. */
int timeline_quiet(struct output *out)
{
	buf_flush(&out->file.buf);
	return 0;
}

static void report_many(uint64_t ios)
{
	uint64_t bytes = ios * BROWSER_BYTES + GIGABYTE / 2;

	msg_warn("%llu ios take some %llu GB in a browser, which may not have"
		 " them; -w START:END makes a part of it",
		 (unsigned long long)ios,
		 (unsigned long long)(bytes / GIGABYTE));
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
