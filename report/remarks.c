/* SPDX-License-Identifier: GPL-2.0-only */
/* Remarks at the top of a page; see remarks.h. */
#include <stdio.h>
#include <string.h>

#include "emit/lost.h"
#include "findings/finding.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "report/markup.h"
#include "report/remarks.h"
#include "run/device.h"
#include "stat/facts.h"

enum { DEVICE_MAX = 128 };

struct remark *remarks_add(struct report_remarks *r, enum remark_level level)
{
	struct remark *one;

	if (r->count == REMARKS_MAX)
		return NULL;
	one = &r->list[r->count++];
	*one = (struct remark){ .level = level };
	return one;
}

/* --- faults of the trace -------------------------------------------------- */

static void add_lost(struct report_remarks *r, const struct remarks_of *o)
{
	struct remark *one;
	char count[FIGURE_TEXT_MAX], lost[LOST_MAX];

	if (!facts_lossy(o->facts, READER_ALL))
		return;
	one = remarks_add(r, REMARK_PROBLEM);
	if (!one)
		return;
	figure_text(count, figure_count(o->facts->loss.missing));
	lost_text(lost, o->facts);
	if (o->facts->loss.missing)
		snprintf(one->head, sizeof(one->head), "%s records lost",
			 count);
	else
		snprintf(one->head, sizeof(one->head), "The trace is cut");
	snprintf(one->text, sizeof(one->text),
		 "Counts and rates are lower bounds: %s", lost);
	one->timed = o->has_gap;
	one->from = o->gap_from;
	one->to = o->gap_to;
}

static void add_damage(struct report_remarks *r, const struct remarks_of *o)
{
	struct remark *one = o->damages ? remarks_add(r, REMARK_PROBLEM) : NULL;

	if (!one)
		return;
	snprintf(one->head, sizeof(one->head), "The trace is damaged%s",
		 o->damages > 1 ? " in several places" : "");
	snprintf(one->text, sizeof(one->text),
		 "This page shows the readable part. %s", o->damage);
}

static void add_nothing(struct report_remarks *r, const struct remarks_of *o)
{
	struct remark *one = o->ios ? NULL : remarks_add(r, REMARK_NOTE);

	if (!one)
		return;
	snprintf(one->head, sizeof(one->head), "No I/O completed");
	snprintf(one->text, sizeof(one->text),
		 "Graphs show no latency and no throughput.");
}

static void add_imported(struct report_remarks *r, const struct remarks_of *o)
{
	char from[FACTS_IMPORTED];
	struct remark *one = facts_imported(o->facts, from) ?
				     remarks_add(r, REMARK_NOTE) : NULL;

	if (!one)
		return;
	snprintf(one->head, sizeof(one->head), "Imported from %s", from);
	snprintf(one->text, sizeof(one->text),
		 "btimport made this trace of what another program recorded."
		 " What that lacks is unknown here, not 0.");
}

/* --- findings ------------------------------------------------------------- */

static enum remark_level level_of(const struct finding *f)
{
	static const enum remark_level levels[FINDING_SEVERITIES] = {
		[FINDING_CAUTION] = REMARK_WARNING,
		[FINDING_HIGH] = REMARK_PROBLEM,
		[FINDING_MEDIUM] = REMARK_WARNING,
		[FINDING_ADVICE] = REMARK_NOTE,
		[FINDING_INFO] = REMARK_NOTE,
	};

	return levels[f->severity];
}

/* the wider of the spans that the finding has, within the window */
static void set_time(struct remark *one, const struct finding *f,
		     const struct remarks_of *o)
{
	enum finding_number from = finding_has(f, FINDING_LOOK_FROM) ?
				   FINDING_LOOK_FROM : FINDING_FROM;
	enum finding_number to = finding_has(f, FINDING_LOOK_UNTIL) ?
				 FINDING_LOOK_UNTIL : FINDING_UNTIL;
	uint64_t end = o->start + o->length;

	if (!finding_has(f, from) || !finding_has(f, to))
		return;
	one->from = f->numbers[from] > o->start ?
		    f->numbers[from] - o->start : 0;
	one->to = (f->numbers[to] < end ? f->numbers[to] : end) - o->start;
	one->timed = f->numbers[to] >= o->start && one->from < one->to;
}

/* when it was so, as far as that is in the window */
static void set_spans(struct remark *one, const struct finding *f,
		      const struct remarks_of *o)
{
	uint64_t end = o->start + o->length;

	one->rule = finding_rule_name(f->rule);
	for (uint32_t i = 0; i < f->span_count; i++) {
		struct finding_span s = f->spans[i];

		if (s.until < o->start || s.from > end)
			continue;
		s.from = s.from > o->start ? s.from - o->start : 0;
		s.until = (s.until < end ? s.until : end) - o->start;
		one->spans[one->span_count++] = s;
	}
}

static void add_finding(struct report_remarks *r, const struct finding *f,
			const struct remarks_of *o)
{
	struct remark *one = remarks_add(r, level_of(f));
	char device[DEVICE_MAX], text[FINDING_TEXT_MAX];

	if (!one)
		return;
	device_text(f->disk, device, sizeof(device));
	finding_sentence(text, f, o->names);
	snprintf(one->head, sizeof(one->head), "%s: %s", device, text);
	finding_command(text, f);
	snprintf(one->text, sizeof(one->text), "For details: %s", text);
	set_time(one, f, o);
	set_spans(one, f, o);
}

/* whether only one of two runs has it */
static bool is_alone(const struct remarks_of *o, const struct finding *f)
{
	return !o->other || (!findings_first(o->other, f->rule) &&
			     findings_first(o->findings, f->rule) == f);
}

/* The finding about losses repeats a remark. */
static void add_findings(struct report_remarks *r, const struct remarks_of *o,
			 enum remark_level level)
{
	for (size_t i = 0; i < findings_count(o->findings); i++) {
		const struct finding *f = findings_get(o->findings, i);

		if (level_of(f) == level && f->rule != FINDING_LOST &&
		    is_alone(o, f))
			add_finding(r, f, o);
	}
}

void report_remarks_make(struct report_remarks *r, const struct remarks_of *o)
{
	*r = (struct report_remarks){ .count = 0 };
	add_damage(r, o);
	add_lost(r, o);
	add_findings(r, o, REMARK_PROBLEM);
	add_findings(r, o, REMARK_WARNING);
	add_nothing(r, o);
	add_imported(r, o);
	add_findings(r, o, REMARK_NOTE);
}

void remarks_sort(struct report_remarks *r)
{
	for (unsigned int i = 1; i < r->count; i++)
		for (unsigned int k = i; k && r->list[k].level <
					      r->list[k - 1].level; k--) {
			struct remark one = r->list[k];

			r->list[k] = r->list[k - 1];
			r->list[k - 1] = one;
		}
}

const char *remark_level_name(enum remark_level level)
{
	static const char *const names[] = { "problem", "warning", "note" };

	return names[level];
}
