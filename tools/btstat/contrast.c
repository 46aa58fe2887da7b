/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings that only one side has; see contrast.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "emit/sink.h"
#include "findings/explain.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "tools/btstat/contrast.h"

enum { NAME_SHOWN = 256 };

/* --- runs ----------------------------------------------------------------- */

/* a finding as text or json: the caller's, or NULL */
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

/* --- what is shown -------------------------------------------------------- */

/* whether that side has the rule, and the other has not */
static bool is_alone(const struct contrast *c, unsigned int side,
		     unsigned int rule)
{
	return c->rules[side][rule].runs && !c->rules[!side][rule].runs;
}

/* of one run each nothing is to be said */
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
