/* SPDX-License-Identifier: GPL-2.0-only */
/* What is conspicuous about a trace; see findings.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "findings/evidence.h"
#include "findings/findings.h"
#include "findings/rules.h"
#include "request/io.h"
#include "run/device.h"

enum { HEADLINES = 3 };

struct findings {
	findings_name *name;
	const void *names;
	struct evidence *devices[FINDINGS_DEVICES];	/* as they came */
	uint32_t device_count;
	struct evidence *last;	/* of the device that was asked for last */
	struct finding *list;	/* a row of rules per device, then sorted */
	size_t count, found;
};

int findings_new(struct findings **f, findings_name *name, const void *names)
{
	*f = calloc(1, sizeof(**f));
	if (!*f)
		return -ENOMEM;
	(*f)->name = name;
	(*f)->names = names;
	return 0;
}

void findings_free(struct findings *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->device_count; i++)
		evidence_free(f->devices[i]);
	free(f->list);
	free(f);
}

static struct evidence *find(const struct findings *f,
			     const struct device *disk)
{
	for (uint32_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->disk == disk)
			return f->devices[i];
	return NULL;
}

/* *e is a disk's evidence, or NULL: too many disks */
static APART int find_or_add(struct findings *f, const struct device *disk,
			     struct evidence **e)
{
	int err;

	*e = f->last = find(f, disk);
	if (*e || f->device_count == FINDINGS_DEVICES)
		return 0;
	err = evidence_new(e, disk, f->name, f->names);
	if (!err)
		f->devices[f->device_count++] = *e;
	return err;
}

int findings_io(struct findings *f, const struct io *io)
{
	struct evidence *e = f->last;

	if (UNLIKELY(!e || e->disk != io->disk)) {
		int err = find_or_add(f, io->disk, &e);

		if (err || !e)
			return err;
	}
	return evidence_add(e, io);
}

int findings_device(struct findings *f, const struct device *disk,
		    const struct findings_facts *facts)
{
	struct evidence *e;
	int err = find_or_add(f, disk, &e);

	if (!err && e)
		e->facts = *facts;
	return err;
}

/* --- the end ------------------------------------------------------------- */

static void try_rule(const struct evidence *e, enum finding_rule rule,
		     struct finding *f)
{
	const struct rule *r = &findings_rules[rule];

	*f = (struct finding){
		.rule = rule, .severity = r->severity, .disk = e->disk,
	};
	memset(f->numbers, 0xff, sizeof(f->numbers));
	f->state = r->test(e, r, f) ? FINDING_FOUND : FINDING_ABSENT;
}

/* What was found, whether or not it is silent itself, silences others. */
static void silence(struct finding *row)
{
	uint32_t found = 0;

	for (int i = 0; i < FINDING_RULES; i++)
		if (row[i].state == FINDING_FOUND)
			found |= 1U << i;
	for (int i = 0; i < FINDING_RULES; i++) {
		uint32_t because = findings_rules[i].silent & found;

		if (row[i].state != FINDING_FOUND || !because)
			continue;
		row[i].state = FINDING_SILENT;
		row[i].because = (enum finding_rule)__builtin_ctz(because);
	}
}

/* Found first; then by severity, whether it leads, time lost, device, rule. */
static int by_weight(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	if (findings_rules[x->rule].leads != findings_rules[y->rule].leads)
		return findings_rules[x->rule].leads ? -1 : 1;
	if (x->time_lost != y->time_lost)
		return x->time_lost > y->time_lost ? -1 : 1;
	if (x->disk->id != y->disk->id)
		return x->disk->id < y->disk->id ? -1 : 1;
	return (x->rule > y->rule) - (x->rule < y->rule);
}

static void try_device(struct findings *f, const struct evidence *e)
{
	struct finding *row = f->list + f->count;

	for (int i = 0; i < FINDING_RULES; i++)
		try_rule(e, i, &row[i]);
	silence(row);
	for (int i = 0; i < FINDING_RULES; i++)
		f->found += row[i].state == FINDING_FOUND;
	f->count += FINDING_RULES;
}

static bool any_completion(const struct findings *f)
{
	for (uint32_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->faults.completed)
			return true;
	return false;
}

int findings_end(struct findings *f, uint64_t from, uint64_t to)
{
	size_t rows = f->device_count ? f->device_count : 1;
	int err = 0;

	f->list = calloc(rows * FINDING_RULES, sizeof(*f->list));
	if (!f->list)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->device_count && !err; i++) {
		f->devices[i]->completions = any_completion(f);
		err = evidence_end(f->devices[i], from, to);
		if (!err)
			try_device(f, f->devices[i]);
	}
	qsort(f->list, f->count, sizeof(*f->list), by_weight);
	return err;
}

size_t findings_count(const struct findings *f)
{
	return f->found;
}

size_t findings_tried(const struct findings *f)
{
	return f->count;
}

size_t findings_headlines(const struct findings *f)
{
	size_t count = 0;

	while (count < HEADLINES && count < f->found &&
	       f->list[count].severity <= FINDING_MEDIUM)
		count++;
	return count;
}

const struct finding *findings_get(const struct findings *f, size_t i)
{
	return &f->list[i];
}

const struct finding *findings_first(const struct findings *f,
				     enum finding_rule rule)
{
	for (size_t i = 0; i < f->found; i++)
		if (f->list[i].rule == rule)
			return &f->list[i];
	return NULL;
}
