/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms and heat maps in place of the tables of phases; see screen.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/look.h"
#include "emit/cells.h"
#include "emit/heat_text.h"
#include "emit/histogram_text.h"
#include "stat/group_op.h"
#include "stat/heat.h"
#include "stat/steps.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

static void put_histogram(const struct screen *s, struct bins *bins,
			  const struct group_row *row)
{
	unsigned int m = (unsigned int)s->o->histogram;
	const struct histogram *h = group_histogram(s->tally->group, row, m);
	char name[2 * VALUE_MAX], text[16];

	screen_row_name(s, row, name, sizeof(name));
	buf_printf(s->b, "\n%s: %s of %llu ios\n", name, cell_measure_name(m, text),
		   (unsigned long long)h->count);
	bins_make(bins, h, histogram_text_rows(s->look));
	histogram_text(s->b, s->look, bins);
}

int screen_histograms(const struct screen *s)
{
	unsigned int m = (unsigned int)s->o->histogram;
	struct bins *bins = malloc(sizeof(*bins));

	if (!bins)
		return -1;
	for (unsigned int i = 0; i < s->row_count; i++)
		if (group_histogram(s->tally->group, s->rows[i], m)->count)
			put_histogram(s, bins, s->rows[i]);
	free(bins);
	return 0;
}

static int put_map(const struct screen *s, const struct map *map)
{
	char title[2 * VALUE_MAX], device[VALUE_MAX], text[16];
	const char *span = cell_measure_name((unsigned int)s->o->heatmap, text);
	unsigned long long ios = map->ios;
	struct heat_map m;
	int err;

	heat_end(map->heat, s->facts->from + s->facts->length);
	err = heat_map_make(&m, map->heat, heat_text_columns(s->look),
			    heat_text_rows(s->look));
	if (err)
		return err;
	value_device(&s->values, map->device, device);
	if (s->tally->maps.one)
		snprintf(title, sizeof(title), "%s of %llu ios by time of"
			 " completion", span, ios);
	else
		snprintf(title, sizeof(title), "%s of %llu ios (%s %s%s) by"
			 " time of completion", span, ios, device,
			 group_op_name(map->op), map->other ? " and others" : "");
	buf_append(s->b, "\n", 1);
	heat_text(s->b, s->look, title, &m);
	heat_map_free(&m);
	return 0;
}

int screen_maps(const struct screen *s)
{
	const struct maps *maps = &s->tally->maps;
	int err = 0;

	for (unsigned int i = 0; !err && i < maps->count; i++)
		if (maps->list[i].ios)
			err = put_map(s, &maps->list[i]);
	return err;
}
