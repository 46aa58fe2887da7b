/* SPDX-License-Identifier: GPL-2.0-only */
/* Outputs of texts; see outputs.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/msg.h"
#include "tools/btt/options.h"
#include "tools/btt/outputs.h"

enum { BUFFER = 32768 };

static struct buf *open_file(struct outputs *out, const struct options *o,
			     const char *suffix, const char *what)
{
	struct outfile *f = &out->files[out->count];
	char **path = &out->paths[out->count];

	if (asprintf(path, "%s%s", o->output, suffix) < 0)
		msg_die("out of memory");
	outfile_open_by(f, &o->opener, *path, BUFFER);
	out->count++;
	if (o->verbose)
		buf_printf(&out->standard.buf, "Sending %s to %s\n", what,
			   *path);
	return &f->buf;
}

void btt_outputs_open(struct outputs *out, const struct options *o)
{
	*out = (struct outputs){ .count = 0 };
	outfile_open(&out->standard, NULL, BUFFER);
	out->report = out->ranges = out->messages = &out->standard.buf;
	if (!o->output)
		return;
	out->ranges = open_file(out, o, ".dat", "range data");
	out->report = open_file(out, o, ".avg", "stats data");
	out->messages = open_file(out, o, ".msg", "K messages");
	if (o->easy_parse)
		out->easy = open_file(out, o, ".xvg", "EZ stats data");
}

static bool finish(struct outfile *f)
{
	outfile_flush(f, ", it ends early");
	return outfile_close(f);
}

bool btt_outputs_close(struct outputs *out)
{
	bool fine = finish(&out->standard);

	for (int i = 0; i < out->count; i++) {
		fine = finish(&out->files[i]) && fine;
		free(out->paths[i]);
	}
	return fine;
}
