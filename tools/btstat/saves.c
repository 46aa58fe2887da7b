/* SPDX-License-Identifier: GPL-2.0-only */
/* Save files; see saves.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/outfile.h"
#include "run/device.h"
#include "stat/group_op.h"
#include "stat/saved.h"
#include "stat/saved_reader.h"
#include "tools/btstat/options.h"
#include "tools/btstat/saver.h"
#include "tools/btstat/saves.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum { CHUNK = 65536 };

static void check(int err)
{
	if (err == -ENOSPC)
		msg_die("too many histograms for one set");
	if (err)
		msg_die("out of memory");
}

/* --- writing -------------------------------------------------------------- */

static int add_trace(const struct facts *f, struct saved *set,
		     const struct device *disk)
{
	uint64_t wall = f->has_wall ? time_of_timespec(&f->wall) : 0;
	char name[SAVER_NAME];
	struct saved_trace t = { .host = saver_host(disk), .device = name };
	struct doubt doubt = facts_device_doubt(f, disk->id);
	struct loss loss;

	saver_device(disk, name);
	reader_loss(f->reader, disk->id, &loss);
	t.from = wall + f->from;
	t.to = t.from + f->length;
	t.records = f->records;
	t.lost = loss.missing;
	t.missing = doubt.missing;
	t.unsure = loss.missing ? doubt.wrong : 0;
	return saved_add_trace(set, &t);
}

static int add_row(const struct screen *s, struct saved *set,
		   const struct group_row *row)
{
	const struct devices *d = reader_devices(s->facts->reader);
	const struct device *disk = d->list[row->keys[0]];
	char name[SAVER_NAME];
	struct saved_key key = { saver_host(disk), name,
				 group_op_name(row->keys[1]), NULL, SAVED_ALWAYS };
	int err = 0;

	saver_device(disk, name);
	for (unsigned int m = 0; !err && m < MEASURES; m++) {
		if (!(s->tally->group_options.measures >> m & 1))
			continue;
		key.phase = measure_name(m);
		err = saved_add(set, &key,
				group_histogram(s->tally->group, row, m));
	}
	return err;
}

static bool write_file(const struct stat_options *o, struct saved *set)
{
	struct outfile f;
	bool written;

	savefile_open(&f, &o->opener, o->save);
	saved_write(set, &f.buf);
	written = outfile_flush(&f, "");
	return outfile_close(&f) && written;
}

static void add_traces(const struct screen *s, struct saved *set)
{
	const struct devices *d = reader_devices(s->facts->reader);

	for (uint32_t i = 0; i < d->count; i++)
		check(add_trace(s->facts, set, d->list[i]));
}

/* the saver has the histograms */
static bool write_sets(const struct screen *s, struct saver *saver)
{
	struct saved *set = saver_end(saver);

	if (!set)
		check(-ENOMEM);
	add_traces(s, set);
	return saver_close(saver);
}

bool saves_write(const struct screen *s)
{
	struct saved *set;
	bool written;

	if (s->tally->saver)
		return write_sets(s, s->tally->saver);
	check(saved_new(&set));
	add_traces(s, set);
	for (unsigned int i = 0; i < s->row_count; i++)
		if (!s->rows[i]->other)
			check(add_row(s, set, s->rows[i]));
	written = write_file(s->o, set);
	saved_free(set);
	return written;
}

/* --- reading -------------------------------------------------------------- */

/* whether the file is complete and undamaged */
static bool feed(struct saved_reader *r, gzFile f, const char *path)
{
	static const char cut[] = "cannot be read to its end";
	char chunk[CHUNK];
	struct saved_fault fault;
	int n, err = 0;

	while (!err && (n = gzread(f, chunk, sizeof(chunk))) > 0)
		err = saved_reader_add(r, chunk, (size_t)n);
	if (!err && n < 0) {
		msg_warn("%s: %s", path, cut);
		return false;
	}
	if (!err)
		err = saved_reader_end(r);
	if (err != -EBADMSG) {
		check(err);
		return true;
	}
	fault = saved_reader_fault(r);
	msg_warn("%s: line %llu: %s", path, (unsigned long long)fault.line,
		 fault.what);
	return false;
}

bool saves_read(struct saved *set, const char *path)
{
	struct saved_reader *r;
	gzFile f = gzopen(path, "rb");
	bool whole;

	if (!f)
		msg_die("cannot read %s:", path);
	check(saved_reader_new(&r, set));
	whole = feed(r, f, path);
	saved_reader_free(r);
	gzclose(f);
	return whole;
}

/* --- output --------------------------------------------------------------- */

struct shown {
	struct saved *set;
	const struct stat_options *o;
	const struct look *look;
	struct buf *b;
};

static void name_text(char *text, size_t size, const char *host,
		      const char *device)
{
	char name[2 * SAVED_NAME_MAX + 2];

	snprintf(name, sizeof(name), "%s%s%s", host, *host ? "/" : "", device);
	escape_text(text, size, name, strlen(name));
}

static void show_trace(const struct shown *s, const struct saved_trace *t)
{
	const struct screen screen = { .b = s->b, .look = s->look };
	unsigned long long ms = (t->to - t->from + NS_PER_MS / 2) / NS_PER_MS;
	char name[128], text[384], lost[128] = "";

	name_text(name, sizeof(name), t->host, t->device);
	if (t->lost)
		snprintf(lost, sizeof(lost), ", %llu lost: up to %llu I/Os are"
			 " not measured", (unsigned long long)t->lost,
			 (unsigned long long)t->missing);
	snprintf(text, sizeof(text), "%-10s%s, %llu records, %llu.%03llu s%s",
		 "saved", name, (unsigned long long)t->records, ms / 1000,
		 ms % 1000, lost);
	screen_lines(&screen, text);
}

/* none where nothing was lost */
static struct doubt doubt_of(const struct shown *s, const struct saved_key *key)
{
	for (size_t i = 0; i < saved_traces(s->set); i++) {
		const struct saved_trace *t = saved_trace(s->set, i);

		if (t->lost && !strcmp(t->host, key->host) &&
		    !strcmp(t->device, key->device))
			return (struct doubt){ t->missing, t->unsure };
	}
	return (struct doubt){ 0 };
}

static bool same_table(const struct saved_key *a, const struct saved_key *b)
{
	return !strcmp(a->host, b->host) && !strcmp(a->device, b->device) &&
	       !strcmp(a->op, b->op);
}

/* Adds all intervals of a measure in the table starting at histogram first. */
static int sum_up(const struct shown *s, size_t first, unsigned int measure,
		  struct histogram *sum)
{
	struct saved_key table, key;
	int err = 0;

	saved_histogram(s->set, first, &table);
	for (size_t i = first; !err && i < saved_histograms(s->set); i++) {
		const struct histogram *h = saved_histogram(s->set, i, &key);

		if (!same_table(&table, &key))
			break;
		if (!strcmp(key.phase, measure_name(measure)))
			err = histogram_merge(sum, h);
	}
	return err;
}

static struct wide sum_of(const struct shown *s, size_t first,
			    unsigned int measure)
{
	struct histogram h = { .count = 0 };
	struct wide sum;

	check(sum_up(s, first, measure, &h));
	sum = h.sum;
	histogram_free(&h);
	return sum;
}

static void add_rows(const struct shown *s, struct phase_table *t, size_t first)
{
	struct wide time = { 0, 0 };
	struct saved_key key;
	struct doubt d;

	saved_histogram(s->set, first, &key);
	d = doubt_of(s, &key);
	for (unsigned int m = 0; m < IO_PHASES; m++)
		wide_join(&time, sum_of(s, first, m));
	for (unsigned int i = 0; i < MEASURES; i++) {
		unsigned int m = phase_table_order[i];
		struct histogram h = { .count = 0 };

		check(sum_up(s, first, m, &h));
		if (h.count)
			phase_table_row(t, m, &h, time);
		if (h.count && (d.missing || d.wrong) && m == MEASURE_Q2C)
			phase_table_bounds(t, &h, d);
		histogram_free(&h);
	}
}

/* one table; returns the number of the histogram after it */
static size_t show_table(const struct shown *s, size_t first)
{
	char name[128], heading[160];
	struct saved_key key, next;
	struct phase_table t;
	size_t i = first;

	saved_histogram(s->set, first, &key);
	name_text(name, sizeof(name), key.host, key.device);
	snprintf(heading, sizeof(heading), "%s %.20s", name, key.op);
	phase_table_init(&t, heading, &s->o->percentiles);
	add_rows(s, &t, first);
	buf_append(s->b, "\n", 1);
	check(table_print(&t.table, s->b, s->look->width, true));
	table_free(&t.table);
	while (++i < saved_histograms(s->set)) {
		saved_histogram(s->set, i, &next);
		if (!same_table(&key, &next))
			break;
	}
	return i;
}

int saves_show(const struct stat_options *o, const struct look *look,
	       struct buf *b)
{
	struct shown s = { .o = o, .look = look, .b = b };
	bool whole = true;

	check(saved_new(&s.set));
	for (int i = 0; i < o->input_count; i++) {
		char *path = savefile_path(o->directory, o->inputs[i]);

		whole &= saves_read(s.set, path);
		free(path);
	}
	for (size_t i = 0; i < saved_traces(s.set); i++)
		show_trace(&s, saved_trace(s.set, i));
	for (size_t i = 0; i < saved_histograms(s.set);)
		i = show_table(&s, i);
	if (o->save)
		whole &= write_file(o, s.set);
	saved_free(s.set);
	return !whole;
}
