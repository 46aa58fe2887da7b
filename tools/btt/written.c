/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a run may make; see written.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"
#include "tools/btt/options.h"
#include "tools/btt/written.h"

/* prefix + suffix, and what ends so if end is not NULL; no prefix: nothing */
static void add(struct written *w, const char *prefix, const char *suffix,
		const char *end)
{
	char **name = &w->owned[w->count];

	if (!prefix)
		return;
	if (asprintf(name, "%s%s", prefix, suffix) < 0)
		msg_die("out of memory");
	w->list[w->count++] = (struct writable){
		.kind = end ? WRITABLE_BEGIN : WRITABLE_EXACT,
		.name = *name, .end = end };
}

/* PREFIX_DEVICE... .dat */
static void add_devices(struct written *w, const char *prefix)
{
	add(w, prefix, "_", ".dat");
}

/* DEVICE + end, where btt was started */
static void add_here(struct written *w, bool wanted, const char *end)
{
	add(w, wanted ? "" : NULL, "", end);
}

void btt_written_init(struct written *w, const struct options *o)
{
	static const char *const suffixes[] = { ".avg", ".dat", ".msg",
						"_qhist.dat", "_dhist.dat" };
	const char *const prefixes[] = {
		o->d2c, o->q2c, o->q2d, o->depth, o->block_numbers, o->seeks,
		o->seeks_per_second, o->issue_seeks_per_second, o->unplugs,
	};

	*w = (struct written){ .count = 0 };
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		add(w, o->output, suffixes[i], NULL);
	add(w, o->easy_parse ? o->output : NULL, ".xvg", NULL);
	add(w, o->iostat, "", NULL);
	add(w, o->requests, "", NULL);
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		add_devices(w, prefixes[i]);
	add_here(w, true, "_iops_fp.dat");
	add_here(w, true, "_mbps_fp.dat");
	add_here(w, o->trees, "_pit.dat");
	add_here(w, o->periods, "_live.dat");
	add_here(w, o->latency_period > 0, "_d2c_plat.dat");
	add_here(w, o->latency_period > 0, "_q2c_plat.dat");
	add_here(w, o->latency_period > 0, "_q2d_plat.dat");
}

void btt_written_free(struct written *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->owned[i]);
}
