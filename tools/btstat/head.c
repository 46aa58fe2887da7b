/* SPDX-License-Identifier: GPL-2.0-only */
/* The head of a screen; see screen.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "act_mask.h"
#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "cli/reason.h"
#include "emit/lost.h"
#include "emit/machine_words.h"
#include "emit/table.h"
#include "findings/words.h"
#include "run/device.h"
#include "tools/btstat/marked.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum { TEXT_MAX = 8192, INDENT = 10 };

/* appended to; cut at TEXT_MAX */
struct text {
	char bytes[TEXT_MAX];
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *t,
						      const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->bytes + t->len, sizeof(t->bytes) - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n;
	if (t->len >= sizeof(t->bytes))
		t->len = sizeof(t->bytes) - 1;
}

/* --- lines ---------------------------------------------------------------- */

/* the bytes of text that fit into columns, up to a blank if possible */
static size_t fitting(const char *text, unsigned int columns)
{
	size_t blank = 0, i;

	for (i = 0; text[i]; i++) {
		if ((text[i] & 0xc0) == 0x80)
			continue;
		if (!columns--)
			return blank ? blank : i;
		if (text[i] == ' ')
			blank = i;
	}
	return i;
}

void screen_lines(const struct screen *s, const char *text)
{
	unsigned int columns = s->look->width;

	while (*text) {
		/* never cut at leading blanks */
		size_t lead = columns == s->look->width ? INDENT : 0;
		size_t n = strlen(text) > lead ?
			   lead + fitting(text + lead, columns -
						       (unsigned int)lead) :
			   strlen(text);

		buf_append(s->b, text, n);
		buf_append(s->b, "\n", 1);
		text += n + (text[n] == ' ');
		if (*text)
			buf_printf(s->b, "%*s", INDENT, "");
		columns = s->look->width - INDENT;
	}
}

/* --- trace ---------------------------------------------------------------- */

static void add_devices(const struct screen *s, struct text *t)
{
	const struct devices *d = reader_devices(s->facts->reader);

	for (uint32_t i = 0; i < d->count; i++) {
		char name[VALUE_MAX];

		value_device(&s->values, i, name);
		add(t, "%s%s", i ? ", " : "", name);
	}
}

static void add_seconds(struct text *t, uint64_t ns)
{
	uint64_t ms = (ns + NS_PER_MS / 2) / NS_PER_MS;

	add(t, "%llu.%03u s", (unsigned long long)(ms / 1000),
	    (unsigned int)(ms % 1000));
}

static void add_wall(const struct facts *f, struct text *t)
{
	char day[64];
	struct tm tm;

	if (!f->has_wall || !gmtime_r(&f->wall.tv_sec, &tm))
		return;
	strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm);
	add(t, ", from %s UTC", day);
}

static void add_between(const struct screen *s, struct text *t)
{
	char marks[1024];

	escape_text(marks, sizeof(marks), s->o->between,
		    strlen(s->o->between));
	add(t, ", between %s", marks);
}

static void put_trace(const struct screen *s)
{
	const struct facts *f = s->facts;
	struct text t = { .len = 0 };

	add(&t, "%-10s", "trace");
	add_devices(s, &t);
	add(&t, ", %u CPU%s, %llu records, ", f->cpus, f->cpus == 1 ? "" : "s",
	    (unsigned long long)f->records);
	add_seconds(&t, f->end);
	add_wall(f, &t);
	screen_lines(s, t.bytes);
	if (!f->windowed)
		return;
	t.len = 0;
	add(&t, "%-10s", "window");
	add_seconds(&t, f->length);
	add(&t, " from ");
	add_seconds(&t, f->from);
	if (s->o->between)
		add_between(s, &t);
	screen_lines(s, t.bytes);
}

/* --- machines ------------------------------------------------------------- */

static void put_words(const struct screen *s, const char *what,
		      const char *words)
{
	struct text t = { .len = 0 };

	add(&t, "%-10s%s", what, words);
	screen_lines(s, t.bytes);
}

static void put_clocks(const struct screen *s, unsigned int hosts)
{
	struct text t = { .len = 0 };
	char words[MACHINE_WORDS];

	add(&t, "%-10s", "clocks");
	for (unsigned int i = 0; i < hosts; i++) {
		machine_words_clock(words, s->facts->reader, (uint16_t)i);
		add(&t, "%s%s", i ? ", " : "", words);
	}
	screen_lines(s, t.bytes);
}

static void put_machines(const struct screen *s)
{
	const struct reader *r = s->facts->reader;
	const struct devices *d = reader_devices(r);
	unsigned int hosts = d->host_count;
	char words[MACHINE_WORDS];

	for (unsigned int i = 0; i < (hosts ? hosts : 1); i++)
		if (machine_words(words, r, (uint16_t)i))
			put_words(s, "host", words);
	for (uint32_t i = 0; i < d->count; i++)
		if (machine_words_device(words, r, i))
			put_words(s, "device", words);
	if (hosts)
		put_clocks(s, hosts);
}

/* --- only ----------------------------------------------------------------- */

static void add_categories(uint32_t mask, struct text *t)
{
	const char *between = "";

	for (unsigned int nr = 0; act_mask_name(nr); nr++) {
		if (!(mask >> nr & 1))
			continue;
		add(t, "%s", between);
		for (const char *c = act_mask_name(nr); *c; c++)
			add(t, "%c", *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' :
							      *c);
		between = ", ";
	}
}

/* which I/Os are counted, if not all */
static void put_only(const struct screen *s)
{
	const struct stat_options *o = s->o;
	bool masked = o->mask != UINT32_MAX;
	struct text t = { .len = 0 };
	char where[1024];

	if (!masked && !o->where)
		return;
	add(&t, "%-10s", "only");
	if (masked)
		add_categories(o->mask, &t);
	if (o->where) {
		escape_text(where, sizeof(where), o->where_text,
			    strlen(o->where_text));
		add(&t, "%s%s", masked ? "; " : "", where);
	}
	screen_lines(s, t.bytes);
}

/* --- I/Os ----------------------------------------------------------------- */

static void add_count(struct text *t, uint64_t n, const char *what)
{
	if (n)
		add(t, ", %llu %s", (unsigned long long)n, what);
}

static void put_ios(const struct screen *s)
{
	const struct facts *f = s->facts;
	const struct coverage *c = &f->all;
	unsigned long long measured = coverage_measured(c), ios = facts_ios(f);
	char share[UNIT_MAX];
	struct text t = { .len = 0 };

	unit_share(share, measured, ios);
	add(&t, "%-10s%llu: %llu measured (%s), %llu open, %llu unmatched",
	    "I/Os",
	    ios, measured, ios ? share : "-", (unsigned long long)c->open,
	    (unsigned long long)f->ghosts);
	add_count(&t, c->lost, "lost");
	add_count(&t, c->evicted, "evicted");
	add_count(&t, c->gap, "with gaps");
	add_count(&t, c->complete - measured, "without Q");
	screen_lines(s, t.bytes);
}

static void put_lost(const struct screen *s)
{
	char lost[LOST_MAX];
	struct text t = { .len = 0 };

	lost_text(lost, s->facts);
	add(&t, "%-10s%s", "lost", lost);
	screen_lines(s, t.bytes);
}

static void put_imported(const struct screen *s)
{
	char from[FACTS_IMPORTED];
	struct text t = { .len = 0 };

	if (!facts_imported(s->facts, from))
		return;
	add(&t, "%-10sfrom %s", "imported", from);
	screen_lines(s, t.bytes);
}

/* why a flight recorder wrote the traces */
static void put_causes(const struct screen *s)
{
	for (int i = 0; i < s->o->input_count; i++) {
		char reason[REASON_TEXT];
		struct text t = { .len = 0 };

		/* a capture of our own has none */
		if (s->o->captured.names ||
		    !reason_read(s->o->inputs[i], reason))
			continue;
		add(&t, "%-10s%s", "cause", reason);
		screen_lines(s, t.bytes);
	}
}

/* --- in flight ------------------------------------------------------------ */

/* why open I/Os may have completed */
static void add_doubt(const struct screen *s, uint32_t device, struct text *t)
{
	struct pace p = { 0 };

	if (s->tally)
		p = paces_get(&s->tally->paces, device);
	if (facts_lossy(s->facts, device))
		add(t, "; records were lost, some may have completed");
	else if (p.passed)
		add(t, "; later I/O completed, completions may be missing");
	else if (p.silent) {
		add(t, "; CPU %u has no record after the last completion, ",
		    p.cpu);
		add_seconds(t, s->facts->end - p.ended);
		add(t, " before the end: some may have completed");
	}
}

static void put_open(const struct screen *s, uint32_t device,
		     const struct coverage_open *o)
{
	const struct in_flight f = {
		.count = o->count, .age = o->age, .op = o->op,
		.sector = o->sector,
		.process = reader_process(s->facts->reader, o->origin, o->pid),
	};
	char name[VALUE_MAX], words[FINDING_TEXT_MAX];
	struct text t = { .len = 0 };

	value_device(&s->values, device, name);
	in_flight_text(words, &f);
	add(&t, "%-10s%s: %s", "open", name, words);
	add_doubt(s, device, &t);
	screen_lines(s, t.bytes);
}

void screen_in_flight(const struct screen *s, const struct coverages *c,
		      uint64_t least)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct coverage_open *o = &c->list[i].in_flight;

		if (o->count && o->age >= least)
			put_open(s, i, o);
	}
}

int screen_head(const struct screen *s)
{
	put_trace(s);
	put_machines(s);
	put_causes(s);
	if (!s->o->marks)
		marked_head(s);
	put_imported(s);
	put_ios(s);
	screen_in_flight(s, &s->tally->coverages, 0);
	put_lost(s);
	put_only(s);
	return 0;
}
