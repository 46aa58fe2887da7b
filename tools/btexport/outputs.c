/* SPDX-License-Identifier: GPL-2.0-only */
/* All outputs of a run; see outputs.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/msg.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"
#include "tools/btexport/partition.h"
#include "tools/btexport/row_table.h"

static bool open_one(struct outputs *s, const char *path, unsigned int tables)
{
	struct output *out = &s->list[s->count];

	if (!output_begin(out, &s->o->out, path, tables))
		return false;
	out->ios = s->ios;
	s->count++;
	for (int kind = 0; kind < TABLES; kind++)
		if (tables >> kind & 1)
			s->of[kind] = out;
	return true;
}

static void report_path(const char *path, int err)
{
	errno = -err;
	if (path)
		msg_warn("cannot make the directory %s:", path);
	else
		msg_warn("out of memory");
}

/* a file for each table */
static bool open_parts(struct outputs *s, const struct partition *p)
{
	for (int kind = 0; kind < TABLES; kind++) {
		const struct row_table *t = tables_get((enum table_kind)kind);
		char *path;
		int err;

		if (!export_wants(s->o, (enum table_kind)kind))
			continue;
		err = partition_path(p, t->name, &path);
		s->paths[kind] = path;
		if (err)
			report_path(path, err);
		if (err || !open_one(s, path, TABLE_BIT(kind)))
			return false;
	}
	return true;
}

bool outputs_begin(struct outputs *s, const struct export_options *o,
		  const struct partition *p)
{
	bool good;

	s->o = o;
	s->open = true;
	good = p ? open_parts(s, p) : open_one(s, o->output, o->tables);
	if (!good)
		outputs_discard(s);
	return good;
}

void outputs_from(struct outputs *s, const struct ios *ios)
{
	s->ios = ios;
	for (unsigned int i = 0; i < s->count; i++)
		s->list[i].ios = ios;
}

bool outputs_quiet(struct outputs *s)
{
	bool good = true;

	for (unsigned int i = 0; i < s->count; i++)
		good &= output_quiet(&s->list[i]);
	return good;
}

bool outputs_finish(struct outputs *s)
{
	bool good = true;

	for (unsigned int i = 0; i < s->count && good; i++) {
		good = output_finish(&s->list[i]);
		s->rows += s->list[i].rows;
		s->bytes += s->list[i].bytes;
	}
	outputs_discard(s);
	return good;
}

void outputs_discard(struct outputs *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		output_discard(&s->list[i]);
	for (int kind = 0; kind < TABLES; kind++) {
		free(s->paths[kind]);
		s->paths[kind] = NULL;
		s->of[kind] = NULL;
	}
	s->count = 0;
	s->open = false;
}
