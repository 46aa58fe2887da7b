/* SPDX-License-Identifier: GPL-2.0-only */
/* --compare; see versus.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/msg.h"
#include "cli/between.h"
#include "cli/traces.h"
#include "compare/comparison.h"
#include "compare/side.h"
#include "emit/cells.h"
#include "emit/sink.h"
#include "expr/filter.h"
#include "findings/explain.h"
#include "findings/finding.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "request/ios.h"
#include "stat/facts.h"
#include "stat/measure.h"
#include "stat/saved.h"
#include "tools/btstat/notable.h"
#include "tools/btstat/options.h"
#include "tools/btstat/saved_run.h"
#include "tools/btstat/saver.h"
#include "tools/btstat/saves.h"
#include "tools/btstat/versus.h"

/* --- contrast ------------------------------------------------------------- */

enum { NAME_SHOWN = 256 };

/* a finding as text or JSON, to be freed by the caller, or NULL */
static char *text_of(const struct contrast *c, const struct finding *f,
		     const struct finding_names *names, bool json)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (json)
		explain_members(out, f, names);
	else
		explain_one(out, f, names, c->width);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int keep(const struct contrast *c, struct contrast_rule *rule,
		const struct finding *f, const struct finding_names *names)
{
	rule->text = text_of(c, f, names, false);
	rule->json = text_of(c, f, names, true);
	return rule->text && rule->json ? 0 : -ENOMEM;
}

int contrast_add(struct contrast *c, enum compare_side side, const char *run,
		 const struct findings *f, const struct finding_names *names)
{
	int err = 0;

	c->runs[side]++;
	for (unsigned int i = 0; !err && i < FINDING_RULES; i++) {
		const struct finding *first = findings_first(f, i);
		struct contrast_rule *rule = &c->rules[side][i];

		if (first && !rule->runs++) {
			rule->run = run;
			err = keep(c, rule, first, names);
		}
	}
	return err;
}

void contrast_free(struct contrast *c)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		for (unsigned int i = 0; i < FINDING_RULES; i++) {
			free(c->rules[side][i].text);
			free(c->rules[side][i].json);
		}
}

/* --- contrast: output ----------------------------------------------------- */

/* whether only that side has the rule */
static bool is_alone(const struct contrast *c, unsigned int side,
		     unsigned int rule)
{
	return c->rules[side][rule].runs && !c->rules[!side][rule].runs;
}

/* nothing if each side has one run */
static void print_runs(const struct contrast *c, unsigned int side,
		       const struct contrast_rule *rule, struct buf *b)
{
	char name[NAME_SHOWN];

	if (c->runs[side] == 1)
		return;
	escape_text(name, sizeof(name), rule->run, strlen(rule->run));
	if (rule->runs == 1)
		buf_printf(b, "in %s, 1 of %u runs:\n", name, c->runs[side]);
	else
		buf_printf(b, "in %u of %u runs, first in %s:\n", rule->runs,
			   c->runs[side], name);
}

static void print_side(const struct contrast *c, unsigned int side,
		       struct buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < FINDING_RULES; i++) {
		const struct contrast_rule *rule = &c->rules[side][i];

		if (!is_alone(c, side, i))
			continue;
		if (!any)
			buf_printf(b, "\nfound in %c only:\n", "AB"[side]);
		any = true;
		print_runs(c, side, rule, b);
		buf_append(b, rule->text, strlen(rule->text));
	}
}

void contrast_print(const struct contrast *c, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		print_side(c, side, b);
}

static void put_rule(struct sink *k, unsigned int side,
		     const struct contrast_rule *rule)
{
	sink_row(k);
	sink_text(k, "side", side == COMPARE_A ? "a" : "b");
	sink_text(k, "run", rule->run);
	sink_number(k, "runs", rule->runs);
	buf_append(k->b, ",", 1);
	buf_append(k->b, rule->json, strlen(rule->json));
	sink_row_end(k);
}

void contrast_json(const struct contrast *c, struct buf *b)
{
	struct sink k = { .b = b, .json = true };

	sink_array(&k, NULL);
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		for (unsigned int i = 0; i < FINDING_RULES; i++)
			if (is_alone(c, side, i))
				put_rule(&k, side, &c->rules[side][i]);
	sink_array_end(&k);
}

/* --- versus --------------------------------------------------------------- */

enum {
	LEAST_BASE = 100000,	/* of --least */
	GATE_LEAST = 5000,	/* of --gate without --least: 5% */
};

/* a comparison per measure */
struct versus {
	const struct stat_options *o;
	struct window window;	/* of the current run */
	struct comparison *list[MEASURES];
	char phases[MEASURES][16];
	unsigned int measures[MEASURES];
	unsigned int count;
	struct contrast contrast;
};

static void check(int err)
{
	if (err)
		msg_die(err == -ENOMEM ? "out of memory" :
			err == -EINVAL ?
			"--compare needs 1 to 256 runs per side" :
			"too many I/Os to compare");
}

/* --- setup ---------------------------------------------------------------- */

static void fill_options(const struct stat_options *o,
			 struct comparison_options *c)
{
	unsigned int most = COMPARE_PERCENTILES;

	c->compare.runs[COMPARE_A] = (unsigned int)o->runs_a;
	c->compare.runs[COMPARE_B] = (unsigned int)(o->input_count -
						    o->runs_a);
	c->compare.least = (double)(o->gate && !o->least ? GATE_LEAST :
				    o->least) / LEAST_BASE;
	for (unsigned int i = 0; i < o->percentiles.count && i < most; i++)
		c->compare.percentiles[i] = o->percentiles.list[i];
	c->name[COMPARE_A] = o->inputs[0];
	c->name[COMPARE_B] = o->inputs[o->runs_a];
}

static void add_measure(struct versus *v, unsigned int m)
{
	struct comparison_options c = { .phase = v->phases[v->count] };

	cell_measure_name(m, v->phases[v->count]);
	fill_options(v->o, &c);
	v->measures[v->count] = m;
	check(comparison_new(&v->list[v->count++], &c));
}

static void add_measures(struct versus *v)
{
	uint32_t mask = v->o->measures ? v->o->measures :
					 UINT32_C(1) << MEASURE_Q2C;

	for (unsigned int i = 0; i < MEASURES; i++) {
		unsigned int m = (i + IO_PHASES) % MEASURES;

		if (mask >> m & 1)
			add_measure(v, m);
	}
}

/* --- runs ----------------------------------------------------------------- */

static enum compare_side side_of(const struct versus *v, int run)
{
	return run < v->o->runs_a ? COMPARE_A : COMPARE_B;
}

/* its number on that side */
static unsigned int number_of(const struct versus *v, int run)
{
	int a = v->o->runs_a;

	return (unsigned int)(run < a ? run : run - a);
}

static void add_io(struct versus *v, int run, const struct io *io)
{
	uint64_t ns;

	for (unsigned int i = 0; i < v->count; i++)
		if (measure_get(io, v->measures[i], &ns))
			check(comparison_io(v->list[i], side_of(v, run),
					    number_of(v, run), io, ns));
}

static void add_saved(struct versus *v, int run, struct saved *set)
{
	for (unsigned int i = 0; i < v->count; i++)
		check(saved_run_add(set, measure_name(v->measures[i]),
				    v->list[i], side_of(v, run),
				    number_of(v, run)));
}

/* adds a save file; whether it is undamaged */
static bool read_saved(struct versus *v, int run)
{
	const char *name = v->o->inputs[run];
	char *path = savefile_path(v->o->directory, name);
	struct saved *set;
	uint64_t rest;
	bool whole;

	check(saved_new(&set));
	whole = saves_read(set, path);
	add_saved(v, run, set);
	rest = saved_run_left_out(set, measure_name(v->measures[0]));
	if (rest)
		msg_warn("%s: %llu I/Os of passthrough commands or zones are not"
			 " compared", name, (unsigned long long)rest);
	saved_free(set);
	free(path);
	return whole;
}

static bool is_counted(const struct versus *v, struct filter *f,
		       const struct io *io, uint64_t now)
{
	return io_completed(io) && !io->gap &&
	       io_in_window(io, &v->window) &&
	       filter_is_unit(v->o->per_request, io) &&
	       filter_passes(f, io, now);
}

/* the current run */
struct run {
	int number;
	struct traces in;
	struct filter filter;
	struct coverages coverages;
	struct findings *findings;	/* NULL: some I/Os are left out */
};

static void open_run(struct versus *v, struct run *r)
{
	const struct traces_options reading = {
		.directory = v->o->directory,
		.names = &v->o->inputs[r->number],
		.count = 1,
		.window = v->window,
		.progress = !v->o->no_progress,
		.ahead = true,
		.threads = v->o->threads,
	};
	const struct reader *reader;

	if (!traces_open(&r->in, &reading))
		exit(1);
	reader = ios_reader(r->in.ios);
	filter_init(&r->filter, v->o->mask, v->o->where, reader);
	if (!filter_is_on(&r->filter) && v->o->format != STAT_CSV)
		check(findings_new(&r->findings, notable_name, reader));
}

static void take_io(struct versus *v, struct run *r, const struct io *io)
{
	if (io_in_window(io, &v->window) && r->findings) {
		check(coverages_add(&r->coverages, io));
		check(findings_io(r->findings, io));
	}
	if (is_counted(v, &r->filter, io, ios_time(r->in.ios)))
		add_io(v, r->number, io);
}

static void find(struct versus *v, struct run *r)
{
	const struct finding_names names = {
		.name = notable_name, .names = ios_reader(r->in.ios),
	};
	struct facts facts;

	facts_find(&facts, r->in.ios, &r->coverages, &v->window);
	check(notable_end(r->findings, &facts));
	check(contrast_add(&v->contrast, side_of(v, r->number),
			   v->o->inputs[r->number], r->findings, &names));
}

/* Each run has its marks at other times. */
static struct window window_of(const struct versus *v, int number,
			       const volatile sig_atomic_t *stop)
{
	const struct between b = {
		.text = v->o->between,
		.directory = v->o->directory,
		.names = &v->o->inputs[number],
		.count = 1,
		.stop = stop,
		.progress = !v->o->no_progress,
	};

	return v->o->between ? between_find(&b) : v->o->window;
}

/* adds a trace; whether it is undamaged */
static bool read_run(struct versus *v, int number,
		     const volatile sig_atomic_t *stop)
{
	struct run r = { .number = number };
	const struct io *io;
	int got = 1;

	v->window = window_of(v, number, stop);
	open_run(v, &r);
	while (got && (!*stop || traces_left(&r.in))) {
		got = traces_next_io(&r.in, &io);
		if (got == 1)
			take_io(v, &r, io);
		else if (got < 0 && got != -EINTR && got != -EAGAIN)
			exit(1);
	}
	if (r.findings)
		find(v, &r);
	findings_free(r.findings);
	coverages_free(&r.coverages);
	traces_close(&r.in);
	return !r.in.damaged;
}

/* --- tables --------------------------------------------------------------- */

static void show_text(const struct versus *v, const struct comparison *c,
		      struct buf *b)
{
	comparison_print(c, b);
	if (v->o->gate)
		comparison_gate_print(c, b);
}

static void show(const struct versus *v, struct buf *b)
{
	bool json = v->o->format == STAT_JSON;

	if (json)
		buf_printf(b, "{\"schema\":1,\"comparisons\":[\n");
	for (unsigned int i = 0; i < v->count; i++) {
		const char *between = json ? ",\n" : "\n";

		if (i && v->o->format != STAT_CSV)
			buf_printf(b, "%s", between);
		if (json)
			comparison_json(v->list[i], b);
		else if (v->o->format == STAT_CSV)
			comparison_csv(v->list[i], b, !i);
		else
			show_text(v, v->list[i], b);
	}
	if (v->o->format == STAT_TEXT)
		contrast_print(&v->contrast, b);
	if (!json)
		return;
	buf_printf(b, "],\"findings\":");
	contrast_json(&v->contrast, b);
	buf_printf(b, "}\n");
}

struct versus_result versus_run(const struct stat_options *o,
				const struct look *look, struct buf *b,
				const volatile sig_atomic_t *stop)
{
	struct versus_result result = { .damaged = false };
	struct versus v = { .o = o, .contrast = { .width = look->width } };

	add_measures(&v);
	for (int run = 0; run < o->input_count; run++)
		result.damaged |= o->saved ? !read_saved(&v, run) :
					     !read_run(&v, run, stop);
	for (unsigned int i = 0; i < v.count; i++)
		check(comparison_end(v.list[i]));
	show(&v, b);
	for (unsigned int i = 0; i < v.count; i++) {
		enum comparison_gate gate = comparison_gate(v.list[i]);

		result.gate = gate > result.gate ? gate : result.gate;
		comparison_free(v.list[i]);
	}
	contrast_free(&v.contrast);
	return result;
}
