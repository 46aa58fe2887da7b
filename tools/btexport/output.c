/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of rows or I/Os; see output.h. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hint.h"
#include "base/msg.h"
#include "base/place.h"
#include "tools/btexport/manifest.h"
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

static void add_sum(struct output *out, const char *column)
{
	const struct fields *f =
		&out->o->fields[__builtin_ctz(out->tables)];

	for (unsigned int i = 0; column && i < f->shape.count; i++)
		if (!strcmp(f->columns[i]->name, column))
			out->sum_at[out->sum_count++] = i;
}

void output_sum(struct output *out, const struct row_table *t)
{
	out->summed = true;
	for (int i = 0; i < ROW_TABLE_SUMS; i++)
		add_sum(out, t->sums[i]);
}

bool output_row(struct output *out, enum table_kind kind,
		const struct cell *cells)
{
	out->rows++;
	for (unsigned int i = 0; i < out->sum_count; i++)
		if (!cells[out->sum_at[i]].null)
			out->sums[i] += (uint64_t)cells[out->sum_at[i]].number;
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

/* Reads the file again, as some formats write what comes first at the end. */
static bool find_checksum(struct output *out)
{
	uint64_t bytes;
	int err = manifest_measure(out->file.place.fd, &bytes, &out->checksum);

	errno = -err;
	if (err)
		msg_warn("cannot read %s again:", out->path);
	return !err;
}

bool output_end(struct output *out)
{
	if (!went_well(out->ops->end(out)))
		return false;
	if (out->ops->able & OUTPUT_OWN_FILE)
		return true;
	if (!outfile_flush(&out->file, ""))
		return false;
	count_bytes(out);
	return !out->summed || find_checksum(out);
}

bool output_place(struct output *out)
{
	bool good = true;

	if (out->ops->able & OUTPUT_OWN_FILE)
		;
	else if (out->summed && place_is_same(&out->file.place))
		outfile_discard(&out->file);
	else
		good = outfile_close(&out->file);
	out->ops->free(out);
	out->ops = NULL;
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
