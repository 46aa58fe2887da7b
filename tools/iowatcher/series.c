/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of graphs; see series.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/outfile.h"
#include "emit/sink.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/outputs.h"
#include "tools/iowatcher/plane.h"
#include "tools/iowatcher/sources.h"

enum { OUT_SIZE = 65536, VERSION = 1 };

struct series_run {
	struct buf *b;
	const struct watch_options *o;
	const struct sources *s;
	struct time_frame frame;
	struct json json;
};

static void run_init(struct series_run *r, struct buf *b,
		     const struct watch_options *o, const struct sources *s)
{
	*r = (struct series_run){ .b = b, .o = o, .s = s,
				   .json = { .b = b } };
	time_frame_find(&r->frame, o, s);
}

static void make_plane(const struct series_run *r, struct plane *p)
{
	plane_make(p, r->o, &r->frame, picture_ticks_up(r->o->height),
		   r->s->traces, r->s->trace_count);
}

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_SECOND;
}

static void put(struct series_run *r, const char *text)
{
	buf_append(r->b, text, strlen(text));
}

/* --- cells ---------------------------------------------------------------- */

/* calls each with the middle of all cells in which there is something */
static void each_cell(struct series_run *r, const struct plane *p,
		      void (*each)(struct series_run *r, const char *label,
				   const double numbers[3]))
{
	double second = seconds(r->frame.to - r->frame.from) / p->columns;
	double mib = (p->axis.high - p->axis.low) / p->rows;

	for (unsigned int share = 0; share < p->shares.shown; share++) {
		const char *label = plane_shares_label(&p->shares, share);
		size_t cells = (size_t)p->columns * p->rows;

		for (size_t i = 0; i < cells; i++) {
			double row = p->rows - 1 - (double)(i / p->columns);
			const double numbers[] = {
				seconds(r->frame.from) + second *
					((double)(i % p->columns) + 0.5),
				p->axis.low + mib * (row + 0.5),
				p->counts[share * cells + i],
			};

			if (p->counts[share * cells + i])
				each(r, label, numbers);
		}
	}
}

/* --- csv ------------------------------------------------------------------ */

static void csv_row(struct series_run *r, const char *label,
		    const double numbers[3])
{
	quoted_csv(r->b, label);
	for (int i = 0; i < 3; i++) {
		put(r, ",");
		quoted_csv_number(r->b, numbers[i]);
	}
	put(r, "\n");
}

static void csv_plane(struct series_run *r)
{
	struct plane p;

	put(r, "series,time_s,offset_mib,count\n");
	make_plane(r, &p);
	each_cell(r, &p, csv_row);
	plane_free(&p);
}

static void csv_figure(struct series_run *r, enum graph_kind kind)
{
	struct figure f;

	buf_printf(r->b, "series,time_s,%s,least\n", units_column(kind));
	figure_make(&f, kind, r->o, &r->frame, r->s);
	for (size_t i = 0; i < f.count; i++) {
		const struct curve *c = &f.curves[i];

		for (size_t k = 0; k < c->count; k++) {
			const double numbers[] = {
				c->x[k], c->y[k], c->low ? c->low[k] : NAN
			};

			csv_row(r, c->label, numbers);
		}
	}
	figure_free(&f);
}

static bool csv_file(const char *directory, enum graph_kind kind,
		     const struct watch_options *o, const struct sources *s)
{
	struct series_run r;
	struct outfile f;
	bool good = false;
	char *path;

	if (asprintf(&path, "%s/%s.csv", directory, graph_name(kind)) < 0)
		msg_die("out of memory");
	if (outfile_open_whole(&f, &o->opener, path, OUT_SIZE)) {
		run_init(&r, &f.buf, o, s);
		if (kind == GRAPH_IO)
			csv_plane(&r);
		else
			csv_figure(&r, kind);
		outfile_flush(&f, "");
		good = outfile_close(&f);
	}
	free(path);
	return good;
}

bool series_write_csv(const char *directory, const struct watch_options *o,
		      const struct sources *s)
{
	unsigned int graphs = sources_graphs(s, o);
	bool good = true;

	if (opener_mkdir(&o->opener, directory, 0777) && errno != EEXIST) {
		msg_warn("cannot make %s:", directory);
		return false;
	}
	for (unsigned int i = 0; good && i < GRAPHS; i++)
		if (graphs & GRAPH_BIT(i))
			good = csv_file(directory, (enum graph_kind)i, o, s);
	return good;
}

/* --- JSON ----------------------------------------------------------------- */

static void json_numbers(struct json *j, const char *name,
			 const double *numbers, size_t count)
{
	json_put_array(j, name);
	for (size_t i = 0; i < count; i++)
		json_put_measured(j, NULL, numbers[i]);
	json_put_array_end(j);
}

static void json_cell(struct series_run *r, const char *label,
		      const double numbers[3])
{
	json_put_array(&r->json, NULL);
	json_put_string(&r->json, NULL, label);
	for (int i = 0; i < 3; i++)
		json_put_measured(&r->json, NULL, numbers[i]);
	json_put_array_end(&r->json);
}

static void json_plane(struct series_run *r)
{
	struct plane p;

	json_put_string(&r->json, "unit", "MiB");
	json_put_array(&r->json, "cells");
	make_plane(r, &p);
	each_cell(r, &p, json_cell);
	plane_free(&p);
	json_put_array_end(&r->json);
}

static void json_curve(struct json *j, const struct curve *c)
{
	json_put_object(j, NULL);
	json_put_string(j, "label", c->label);
	json_numbers(j, "time_s", c->x, c->count);
	json_numbers(j, "value", c->y, c->count);
	if (c->low)
		json_numbers(j, "least", c->low, c->count);
	json_put_object_end(j);
}

static void json_figure(struct series_run *r, enum graph_kind kind)
{
	struct figure f;

	json_put_string(&r->json, "unit", units_column(kind));
	json_put_array(&r->json, "series");
	figure_make(&f, kind, r->o, &r->frame, r->s);
	for (size_t i = 0; i < f.count; i++)
		json_curve(&r->json, &f.curves[i]);
	figure_free(&f);
	json_put_array_end(&r->json);
}

static void json_graphs(struct series_run *r)
{
	unsigned int graphs = sources_graphs(r->s, r->o);

	json_put_array(&r->json, "graphs");
	for (unsigned int i = 0; i < GRAPHS; i++) {
		enum graph_kind kind = (enum graph_kind)i;

		if (!(graphs & GRAPH_BIT(i)))
			continue;
		json_put_object(&r->json, NULL);
		json_put_string(&r->json, "name", graph_name(kind));
		json_put_string(&r->json, "title", graph_title(kind));
		if (kind == GRAPH_IO)
			json_plane(r);
		else
			json_figure(r, kind);
		json_put_object_end(&r->json);
	}
	json_put_array_end(&r->json);
}

static void json_all(struct series_run *r)
{
	struct json *j = &r->json;

	json_put_object(j, NULL);
	json_put_number(j, "version", VERSION);
	json_put_string(j, "title", r->o->title);
	json_put_measured(j, "from_s", seconds(r->frame.from));
	json_put_measured(j, "to_s", seconds(r->frame.to));
	json_put_measured(j, "bin_s", seconds(r->frame.bin));
	json_put_number(j, "missing", sources_missing(r->s));
	json_graphs(r);
	json_put_object_end(j);
}

bool series_write_json(const char *path, const struct watch_options *o,
		       const struct sources *s)
{
	struct series_run r;
	struct outfile f;

	if (!strcmp(path, "-"))
		outfile_open(&f, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&f, &o->opener, path, OUT_SIZE))
		return false;
	run_init(&r, &f.buf, o, s);
	json_all(&r);
	put(&r, "\n");
	outfile_flush(&f, "");
	return outfile_close(&f);
}
