/* SPDX-License-Identifier: GPL-2.0-only */
/* What calls waited for; see commit_table.h. */
#include <stdio.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "commit/commit_sums.h"
#include "commit/commits.h"
#include "emit/commit_text.h"
#include "emit/sink.h"
#include "tools/btstat/commit_table.h"
#include "tools/btstat/committed.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

/* --- text ----------------------------------------------------------------- */

int commit_table_text(const struct screen *s)
{
	const struct committed *c = &s->tally->committed;

	if (!c->sums->all.count) {
		buf_printf(s->b, "nothing waits for a journal or a flush\n");
		return 0;
	}
	if (!commits_has_calls(c->commits))
		buf_printf(s->b, "no calls in this trace (iotracer --commits -b"
			   " NAME has them): its journal commits and flushes\n");
	return commit_text_sums(s->b, c->sums, s->look);
}

/* --- JSON ----------------------------------------------------------------- */

static void put_parts(struct sink *k, const uint64_t parts[COMMIT_PARTS])
{
	char name[32];

	for (int i = 0; i < COMMIT_PARTS; i++) {
		snprintf(name, sizeof(name), "%s_ns",
			 commit_part_name((enum commit_part)i));
		sink_number(k, name, parts[i]);
	}
}

static void put_sum(struct sink *k, const struct commit_sum *sum)
{
	static const struct {
		const char *name;
		uint32_t percentile;
	} list[] = { { "p50_ns", 50000 }, { "p99_ns", 99000 } };

	sink_number(k, "count", sum->count);
	sink_number(k, "unsure", sum->unsure);
	sink_number(k, "time_ns", sum->time);
	for (int i = 0; i < 2; i++)
		sink_number(k, list[i].name, histogram_kth(&sum->durations,
			histogram_rank(sum->count, list[i].percentile)));
	sink_number(k, "max_ns", sum->durations.max);
	put_parts(k, sum->parts);
}

static void put_list(struct sink *k, const char *name, const char *each,
		     const struct commit_list *l)
{
	sink_array(k, name);
	for (unsigned int i = 0; i < l->count; i++) {
		sink_row(k);
		sink_text(k, each, l->rows[i].name);
		put_sum(k, &l->rows[i]);
		sink_row_end(k);
	}
	sink_array_end(k);
}

static void put_slow(struct sink *k, const struct slow_commit *c)
{
	sink_row(k);
	sink_text(k, "call", commit_kind_text(&c->is));
	sink_text(k, "file", c->file);
	sink_text(k, "process", c->process);
	sink_number(k, "start_ns", c->is.time);
	sink_number(k, "duration_ns", c->is.duration);
	put_parts(k, c->is.parts);
	if (c->other)
		sink_text(k, "other_process", c->other);
	else
		sink_none(k, "other_process");
	sink_number(k, "other_bytes", c->is.other_bytes);
	sink_flag(k, "unsure", c->is.unsure);
	sink_row_end(k);
}

void commit_table_data(const struct screen *s, struct sink *k)
{
	const struct committed *c = &s->tally->committed;

	if (!c->commits)
		return;
	sink_object(k, "commits");
	sink_flag(k, "calls", commits_has_calls(c->commits));
	put_sum(k, &c->sums->all);
	put_list(k, "files", "file", &c->sums->files);
	put_list(k, "processes", "process", &c->sums->processes);
	sink_array(k, "slowest");
	for (unsigned int i = 0; i < c->sums->slow_count; i++)
		put_slow(k, &c->sums->slowest[i]);
	sink_array_end(k);
	sink_object_end(k);
}
