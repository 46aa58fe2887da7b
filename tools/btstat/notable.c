/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings about a run; see notable.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/msg.h"
#include "findings/explain.h"
#include "findings/findings.h"
#include "findings/manual.h"
#include "findings/words.h"
#include "run/device.h"
#include "tools/btstat/notable.h"

enum { FIRST = 3, WIDTH = 80 };

const char *notable_name(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

int notable_rule(const char *name)
{
	int rule = strcmp(name, "all") ? finding_rule_find(name) : NOTABLE_ALL;

	if (rule == -1)
		msg_die("--explain: no rule %s; btstat-findings(7) lists them",
			name);
	return rule;
}

static int print_entry(FILE *out, int rule, unsigned int width)
{
	int err = 0;

	for (int i = 0; i < FINDING_RULES && !err; i++)
		if (rule == i || rule == NOTABLE_ALL)
			err = finding_rule_print(out, (enum finding_rule)i,
						 width);
	return err;
}

void notable_manual(int rule)
{
	if (print_entry(stdout, rule, WIDTH))
		msg_die("out of memory");
}

/* --- the end -------------------------------------------------------------- */

static int add_device(struct findings *f, const struct facts *facts,
		      const struct device *disk)
{
	struct findings_facts known = { .dropped = disk->dropped };
	struct loss loss;

	reader_loss(facts->reader, disk->id, &loss);
	known.lost = loss.missing;
	known.missing = facts_device_missing(facts, disk->id);
	return findings_device(f, disk, &known);
}

int notable_end(struct findings *f, const struct facts *facts)
{
	const struct devices *d = reader_devices(facts->reader);
	int err = 0;

	for (uint32_t i = 0; !err && i < d->count && i < FINDINGS_DEVICES; i++)
		err = add_device(f, facts, d->list[i]);
	if (err)
		return err;
	return findings_end(f, facts->from, facts->from + facts->length);
}

/* --- text ----------------------------------------------------------------- */

/* printed to a stream, appended to a buffer */
struct text {
	FILE *stream;
	char *bytes;
	size_t len;
};

static int text_open(struct text *t)
{
	t->stream = open_memstream(&t->bytes, &t->len);
	return t->stream ? 0 : -ENOMEM;
}

static int text_close(struct text *t, struct buf *b)
{
	int failed = fclose(t->stream);

	if (!failed)
		buf_append(b, t->bytes, t->len);
	free(t->bytes);
	return failed ? -ENOMEM : 0;
}

static struct finding_names names_of(const struct screen *s)
{
	return (struct finding_names){ .name = notable_name,
				       .names = s->facts->reader };
}

int notable_headlines(const struct screen *s, const struct findings *f)
{
	struct finding_names names = names_of(s);
	size_t count = findings_headlines(f);
	struct text t;

	if (!count)
		return 0;
	if (text_open(&t))
		return -ENOMEM;
	explain_print(t.stream, f, &names, 0, count, s->look->width);
	putc('\n', t.stream);
	return text_close(&t, s->b);
}

int notable_rest(const struct screen *s, const struct findings *f)
{
	struct finding_names names = names_of(s);
	size_t shown = findings_headlines(f), count = findings_count(f);
	struct text t;

	if (count == shown)
		return 0;
	if (text_open(&t))
		return -ENOMEM;
	putc('\n', t.stream);
	explain_print(t.stream, f, &names, shown, FIRST, s->look->width);
	if (count > FIRST)
		fprintf(t.stream, "%zu more: btstat --explain\n",
			count - FIRST);
	return text_close(&t, s->b);
}

int notable_all(const struct screen *s, const struct findings *f, int rule)
{
	struct finding_names names = names_of(s);
	struct text t;
	int err = 0;

	if (text_open(&t))
		return -ENOMEM;
	if (rule >= 0) {
		explain_evidence(t.stream, f, &names, rule);
		putc('\n', t.stream);
		err = print_entry(t.stream, rule, s->look->width);
	} else if (!explain_print(t.stream, f, &names, 0,
				  findings_count(f), s->look->width))
		fputs("nothing that a rule looks for\n", t.stream);
	return text_close(&t, s->b) ? -ENOMEM : err;
}

int notable_json(struct sink *k, const struct screen *s,
		 const struct findings *f)
{
	struct finding_names names = names_of(s);
	struct text t;

	if (text_open(&t))
		return -ENOMEM;
	explain_json(t.stream, f, &names);
	sink_made(k, "findings");
	return text_close(&t, s->b);
}
