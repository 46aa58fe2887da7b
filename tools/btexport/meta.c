/* SPDX-License-Identifier: GPL-2.0-only */
/* The table meta; see meta.h. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/json.h"
#include "cli/version.h"
#include "machine/card.h"
#include "request/io.h"
#include "run/device.h"
#include "run/host_clocks.h"
#include "run/reader.h"
#include "stat/coverage.h"
#include "stat/facts.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/wall.h"

static const struct column columns[META_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "",
	  "the machine: its directory's name, or its own" },
	{ "key", COLUMN_TEXT, false, "",
	  "schema, tool, host, trace, start_unix_ns, start, end_ns, events, "
	  "ios, open, dropped, skipped, missing, devices; of cards also "
	  "clock_error_ns, clock_step_ns, card.DISK.PATH" },
	{ "value", COLUMN_TEXT, true, "", "as text" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
};

const struct row_table meta_table = {
	.name = "meta",
	.words = "facts about a trace",
	.first = columns,
	.step = sizeof(*columns),
	.count = META_COLUMNS,
};

/* counts of a device, by its id */
struct seen {
	uint64_t ios, open;
	uint32_t number;
};

struct meta_row {
	struct cell cells[META_COLUMNS];
};

struct meta {
	struct coverages coverages;
	struct seen *seen;
	uint32_t seen_count;
	struct meta_row *rows;	/* own their texts */
	size_t count, size;
};

int meta_new(struct meta **m)
{
	*m = calloc(1, sizeof(**m));
	return *m ? 0 : -ENOMEM;
}

void meta_free(struct meta *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		for (unsigned int k = 0; k < META_COLUMNS; k++)
			free((char *)m->rows[i].cells[k].text);
	}
	coverages_free(&m->coverages);
	free(m->seen);
	free(m->rows);
	free(m);
}

/* --- counting ------------------------------------------------------------- */

static int grow(struct meta *m, uint32_t count)
{
	struct seen *seen = array_resize(m->seen, count, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	memset(seen + m->seen_count, 0,
	       (count - m->seen_count) * sizeof(*seen));
	m->seen = seen;
	m->seen_count = count;
	return 0;
}

int meta_add(struct meta *m, const struct io *io)
{
	uint32_t id = io->disk->id;

	if (id >= m->seen_count && grow(m, id + 1))
		return -ENOMEM;
	m->seen[id].ios++;
	m->seen[id].open += io->ended == IO_ENDED_OPEN;
	m->seen[id].number = io->device;
	return coverages_add(&m->coverages, io);
}

const struct coverages *meta_coverages(const struct meta *m)
{
	return &m->coverages;
}

static struct seen seen_of(const struct meta *m, uint32_t id)
{
	const struct seen none = { 0, 0, 0 };

	return id < m->seen_count ? m->seen[id] : none;
}

/* --- rows ----------------------------------------------------------------- */

/* a host whose rows are being made */
struct host {
	struct meta *m;
	const struct facts *facts;
	const struct cell *name, *trace;
	uint16_t origin;
	int err;		/* of all rows: 0 or -ENOMEM */
};

static int put_text(struct cell *c, char *text)
{
	*c = (struct cell){ .text = text };
	c->null = !text;
	c->len = text ? (uint32_t)strlen(text) : 0;
	return text ? 0 : -ENOMEM;
}

/* Takes ownership of value; NULL is null. */
static void add(struct host *h, const char *key, char *value)
{
	struct meta *m = h->m;
	struct meta_row *rows = array_reserve(m->rows, m->count, &m->size, 32,
					      sizeof(*rows));
	struct meta_row row = { .cells[0].null = false };

	if (rows)
		m->rows = rows;
	if (!rows || put_text(&row.cells[0], strdup(h->name->text)) ||
	    put_text(&row.cells[1], strdup(key)) ||
	    put_text(&row.cells[3], strdup(h->trace->text))) {
		h->err = -ENOMEM;
		free((char *)row.cells[0].text);
		free((char *)row.cells[1].text);
		free(value);
		return;
	}
	put_text(&row.cells[2], value);
	rows[m->count++] = row;
}

static void add_format(struct host *h, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_format(struct host *h, const char *key, const char *format, ...)
{
	char *text;
	va_list ap;

	va_start(ap, format);
	if (vasprintf(&text, format, ap) < 0)
		h->err = -ENOMEM;
	else
		add(h, key, text);
	va_end(ap);
}

static void add_number(struct host *h, const char *key, uint64_t n)
{
	add_format(h, key, "%" PRIu64, n);
}

static void add_trace(struct host *h, const struct operands *o)
{
	char *names = operands_of(o, h->origin);
	size_t len = names ? strlen(names) : 0, size = UTF8_MAX * len;
	char *text = names ? malloc(size + 1) : NULL;

	if (text) {
		text[utf8_clean(text, size, names, len)] = '\0';
		add(h, "trace", text);
	} else {
		h->err = -ENOMEM;
	}
	free(names);
}

static void add_start(struct host *h)
{
	const struct timespec *t = &h->facts->wall;
	struct wall wall = { .known = false };
	int64_t ns;
	char text[32];
	struct tm tm;

	if (!wall_at(&wall, h->facts->reader, 0, &ns) ||
	    !gmtime_r(&t->tv_sec, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm)) {
		add(h, "start_unix_ns", NULL);
		add(h, "start", NULL);
		return;
	}
	add_format(h, "start_unix_ns", "%" PRIi64, ns);
	add_format(h, "start", "%s.%09ldZ", text, t->tv_nsec);
}

/* sums over the host's devices */
struct sums {
	uint64_t ios, open, dropped, skipped, missing;
};

static void add_device(const struct host *h, const struct device *dev,
		       struct sums *sums)
{
	struct seen seen = seen_of(h->m, dev->id);
	struct loss loss;

	reader_loss(h->facts->reader, dev->id, &loss);
	sums->ios += seen.ios;
	sums->open += seen.open;
	sums->dropped += dev->dropped;
	sums->skipped += loss.missing;
	sums->missing += facts_device_missing(h->facts, dev->id);
}

static void add_sums(struct host *h)
{
	const struct devices *d = reader_devices(h->facts->reader);
	struct sums sums = { 0 };

	for (uint32_t i = 0; i < d->count; i++)
		if (d->list[i]->origin == h->origin)
			add_device(h, d->list[i], &sums);
	add_number(h, "ios", sums.ios);
	add_number(h, "open", sums.open);
	add_number(h, "dropped", sums.dropped);
	add_number(h, "skipped", sums.skipped);
	add_number(h, "missing", sums.missing);
}

/* --- devices, as JSON ----------------------------------------------------- */

static void write_disk(FILE *out, const struct cell *text)
{
	char string[JSON_QUOTES + JSON_GROWS * NAMING_DISK];
	char *end = json_render(string, text->text, text->len);

	fwrite(string, 1, (size_t)(end - string), out);
}

/* The device number of a file is unknown without an I/O. */
static void write_devices(const struct host *h, struct naming *n, FILE *out)
{
	const struct devices *d = reader_devices(h->facts->reader);
	const char *before = "";
	char dev[NAMING_DEV];

	fputc('{', out);
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t number = d->list[i]->number ? d->list[i]->number :
						       seen_of(h->m, i).number;

		if (d->list[i]->origin != h->origin || !number)
			continue;
		naming_dev(dev, number);
		fprintf(out, "%s\"%s\": ", before, dev);
		write_disk(out, naming_disk(n, d->list[i], number));
		before = ", ";
	}
	fputc('}', out);
}

static void add_devices(struct host *h, struct naming *n)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	bool failed;

	if (!out) {
		h->err = -ENOMEM;
		return;
	}
	write_devices(h, n, out);
	/* fclose() may not report a lack of memory */
	failed = ferror(out);
	if (fclose(out) || failed || !text) {
		free(text);
		h->err = -ENOMEM;
		return;
	}
	add(h, "devices", text);
}

/* --- cards ---------------------------------------------------------------- */

static void add_card(struct host *h, const struct device *dev)
{
	char key[CARD_KEY + UTF8_MAX * NAME_MAX + 8], label[NAME_MAX + 1];
	const struct card_value *v;
	size_t len;

	snprintf(label, sizeof(label), "%s", dev->label ? dev->label : "");
	for (size_t i = 0; (v = card_value(dev->card, i)); i++) {
		len = (size_t)snprintf(key, sizeof(key), "card.");
		len += utf8_clean(key + len, UTF8_MAX * NAME_MAX, label,
				  strlen(label));
		snprintf(key + len, sizeof(key) - len, ".%s", v->key);
		add_format(h, key, "%s", v->text);
	}
}

/* The cards' values, and the error of the host's clock. */
static void add_cards(struct host *h)
{
	const struct devices *d = reader_devices(h->facts->reader);
	const struct host_clock *c = reader_clock(h->facts->reader, h->origin);
	bool any = false;

	for (uint32_t i = 0; i < d->count; i++) {
		if (d->list[i]->origin != h->origin || !d->list[i]->card)
			continue;
		add_card(h, d->list[i]);
		any = true;
	}
	if (!c || (!any && !d->host_count))
		return;
	if (c->error == HOST_CLOCK_UNKNOWN)
		add(h, "clock_error_ns", NULL);
	else
		add_number(h, "clock_error_ns", c->error);
	if (c->step)
		add_format(h, "clock_step_ns", "%" PRIi64, c->step);
}

/* --- ending --------------------------------------------------------------- */

static int add_host(struct meta *m, const struct facts *f, struct naming *n,
		    uint16_t origin, const struct operands *o)
{
	struct host h = { m, f, naming_host(n, origin),
			  naming_trace(n, origin), origin, 0 };

	add_number(&h, "schema", ROW_TABLE_SCHEMA);
	add_format(&h, "tool", "btexport %s", SUITE_VERSION);
	add_format(&h, "host", "%s", h.name->text);
	add_trace(&h, o);
	add_start(&h);
	add_number(&h, "end_ns", f->end);
	add_number(&h, "events", f->records);
	add_sums(&h);
	add_devices(&h, n);
	add_cards(&h);
	return h.err;
}

int meta_end(struct meta *m, const struct facts *f, struct naming *n,
	     const struct operands *o)
{
	uint32_t hosts = reader_devices(f->reader)->host_count;
	int err = 0;

	for (uint32_t i = 0; !err && i < (hosts ? hosts : 1); i++)
		err = add_host(m, f, n, (uint16_t)i, o);
	return err;
}

unsigned int meta_count(const struct meta *m)
{
	return (unsigned int)m->count;
}

const struct cell *meta_row(const struct meta *m, unsigned int row)
{
	return m->rows[row].cells;
}
