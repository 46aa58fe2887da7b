/* SPDX-License-Identifier: GPL-2.0-only */
/* Where blkparse writes; see outputs.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "emit/dump.h"
#include "record/record.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/outputs.h"

enum { TEXT_BUFFER = 262144 };

static const char dump_ends[] = ", the dump ends here";

static void open_dump(struct outputs *out, const struct options *o)
{
	bool to_stdout = !strcmp(o->dump, "-");

	outfile_open(&out->dump, to_stdout ? NULL : o->dump, DUMP_BUFFER);
	out->version = o->record_version;
	out->shared = to_stdout && !o->output;
}

void outputs_open(struct outputs *out, const struct options *o)
{
	*out = (struct outputs){ .failed = false };
	/* without text there is no file for it */
	outfile_open(&out->text, o->no_text ? NULL : o->output, TEXT_BUFFER);
	if (o->dump)
		open_dump(out, o);
	out->added = open_memstream(&out->added_text, &out->added_len);
	if (!out->added)
		msg_die("out of memory");
}

void outputs_added(struct outputs *out, const char *file)
{
	FILE *to = isatty(STDOUT_FILENO) ? stdout : out->added;

	/* 1.3.0 puts the line into the dump */
	if (out->dump.open && outfile_is_stdout(&out->dump)) {
		msg_warn("Input file %s added", file);
		return;
	}
	fprintf(to, "Input file %s added\n", file);
	fflush(to);
}

/* --- the dump ------------------------------------------------------------ */

static void cannot_express(struct outputs *out, const struct event *ev)
{
	msg_warn("%s: the %s record of CPU %u, number %u, at sector %llu has"
		 " categories that version %u cannot express; the dump ends"
		 " here", out->dump.name, event_is_note(ev) ? "note" : "event",
		 ev->cpu, ev->sequence, (unsigned long long)ev->sector,
		 out->version);
	buf_flush(&out->dump.buf);
	out->dump.open = false;
	out->failed = true;
}

void outputs_dump(struct outputs *out, const struct event *ev)
{
	struct buf *dump = &out->dump.buf;
	size_t need = BLK_HEADER_MAX + ev->pdu_len;

	/* on one descriptor text comes before the block it belongs to */
	if (out->shared && dump->size - dump->len <= need)
		buf_flush(&out->text.buf);
	if (dump_event(dump, ev, out->version))
		cannot_express(out, ev);
	else
		outfile_check(&out->dump, dump_ends);
}

/* --- the text ------------------------------------------------------------ */

bool outputs_text_fine(struct outputs *out)
{
	return outfile_check(&out->text, "");
}

bool outputs_flush(struct outputs *out)
{
	buf_flush(&out->text.buf);
	if (out->dump.open)
		outfile_flush(&out->dump, dump_ends);
	return outputs_text_fine(out);
}

/* --- the end ------------------------------------------------------------- */

void outputs_end(struct outputs *out)
{
	if (out->dump.open)
		buf_flush(&out->dump.buf);
	fclose(out->added);
	out->added = NULL;
	fwrite(out->added_text, 1, out->added_len, stdout);
}

bool outputs_close(struct outputs *out)
{
	bool fine = !out->failed;

	if (out->added)
		fclose(out->added);
	free(out->added_text);
	fine = outfile_close(&out->text) && fine;
	return outfile_close(&out->dump) && fine;
}
