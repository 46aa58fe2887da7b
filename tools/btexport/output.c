/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of rows or I/Os; see output.h. */
#include <errno.h>
#include <sys/stat.h>

#include "base/hint.h"
#include "base/msg.h"
#include "tools/btexport/output.h"
#include "tools/btexport/output_options.h"

/* of a format's result; other errors have been reported */
static inline bool went_well(int err)
{
	if (UNLIKELY(err == -ENOMEM))
		msg_warn("out of memory");
	return LIKELY(!err);
}

static bool open_file(struct output *out)
{
	if (out->ops->able & OUTPUT_OWN_FILE)
		return true;
	if (out->o->early) {
		out->file = *out->o->early;
		*out->o->early = (struct outfile){ .open = false };
		return true;
	}
	if (out->path)
		return outfile_open_whole(&out->file, &out->o->opener,
					  out->path, OUTPUT_BUFFER);
	outfile_open(&out->file, NULL, OUTPUT_BUFFER);
	/* rows are for programs, even on a terminal */
	out->file.buf.terminal = false;
	return true;
}

bool output_begin(struct output *out, const struct output_options *o,
		  const char *path, unsigned int tables)
{
	*out = (struct output){ .ops = o->format, .o = o, .tables = tables,
				.path = path };
	if (!open_file(out)) {
		out->ops = NULL;
		return false;
	}
	if (went_well(out->ops->begin(out)))
		return true;
	output_discard(out);
	return false;
}

bool output_row(struct output *out, enum table_kind kind,
		const struct cell *cells)
{
	out->rows++;
	return went_well(out->ops->row(out, kind, cells)) &&
	       outfile_check(&out->file, "");
}

bool output_io(struct output *out, const struct named_io *io)
{
	out->rows++;
	return went_well(out->ops->io(out, io)) &&
	       outfile_check(&out->file, "");
}

bool output_leave_out(struct output *out, const struct io *io)
{
	return !out->ops->leave_out ||
	       went_well(out->ops->leave_out(out, io));
}

bool output_quiet(struct output *out)
{
	return went_well(out->ops->quiet(out)) && outfile_check(&out->file, "");
}

/* bytes written; a library writes a database's file */
static void count_bytes(struct output *out)
{
	struct stat st;

	if (out->ops->able & OUTPUT_OWN_FILE)
		return;
	out->bytes = out->file.buf.written;
	if (out->file.place.part && !fstat(out->file.place.fd, &st))
		out->bytes = (uint64_t)st.st_size;
}

static bool end_file(struct output *out)
{
	if (out->ops->able & OUTPUT_OWN_FILE)
		return true;
	outfile_flush(&out->file, "");
	count_bytes(out);
	return outfile_close(&out->file);
}

bool output_finish(struct output *out)
{
	bool good = went_well(out->ops->end(out)) && end_file(out);

	if (good) {
		out->ops->free(out);
		out->ops = NULL;
	} else {
		output_discard(out);
	}
	return good;
}

void output_discard(struct output *out)
{
	if (!out->ops)
		return;
	out->ops->free(out);
	outfile_discard(&out->file);
	out->ops = NULL;
}
