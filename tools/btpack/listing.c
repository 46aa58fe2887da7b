/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of files in a packed trace; see listing.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/unit.h"
#include "cli/look.h"
#include "cli/outfile.h"
#include "emit/table.h"
#include "pack/format.h"
#include "tools/btpack/listing.h"
#include "tools/btpack/options.h"
#include "tools/btpack/packed.h"

enum { BUFFER = 16 * 1024, NUMBER = 24 };

/* of a member, or of all */
struct sums {
	const char *name;
	uint64_t least, most;	/* times of events, ns; UINT64_MAX and 0 */
	uint64_t events, bytes, packed;
	int64_t cpu;		/* -1: several; -2: no records */
};

enum { CPU_SEVERAL = -1, CPU_NONE = -2 };

static const struct sums no_sums = { .least = UINT64_MAX, .cpu = CPU_NONE };

static void add_cpu(struct sums *s, int64_t cpu)
{
	if (cpu == CPU_NONE)
		return;
	s->cpu = s->cpu == CPU_NONE || s->cpu == cpu ? cpu : CPU_SEVERAL;
}

static void add(struct sums *to, const struct sums *s)
{
	to->least = s->least < to->least ? s->least : to->least;
	to->most = s->most > to->most ? s->most : to->most;
	to->events += s->events;
	to->bytes += s->bytes;
	to->packed += s->packed;
	add_cpu(to, s->cpu);
}

static void add_header(struct sums *to, const struct pack_header *h)
{
	add(to, &(struct sums){
		.least = h->least, .most = h->most, .events = h->events,
		.bytes = h->len, .packed = pack_block_size(h),
		.cpu = !h->events ? CPU_NONE : h->cpu,
	});
}

/* in natural order, CPU 2 before CPU 10 */
static int by_name(const void *a, const void *b)
{
	const struct sums *x = a, *y = b;

	return strverscmp(x->name, y->name);
}

static void sum_up(struct packed *p, const struct pack_member *m,
		   struct sums *s)
{
	struct pack_header h;
	const char *what;

	*s = no_sums;
	s->name = m->name;
	for (size_t i = 0; i < m->count; i++) {
		uint64_t offset = m->places[i].offset;

		what = "the file ends before this block";
		if (pack_read_header(p->fd, offset, &h, &what) > 0)
			add_header(s, &h);
		else
			packed_fault(p, offset, 0, what);
	}
}

/* --- the table ------------------------------------------------------------ */

static void put_columns(struct table *t)
{
	static const struct table_column columns[] = {
		{ "file", 20, true, 0 },
		{ "CPU", 4, false, 3 },
		{ "first s", 12, false, 2 },
		{ "last s", 12, false, 1 },
		{ "events", 9, false, 0 },
		{ "bytes", 6, false, 0 },
		{ "packed", 6, false, 0 },
		{ "ratio", 6, false, 0 },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(t, columns[i]);
}

static void put_cpu(struct table *t, int64_t cpu)
{
	char text[NUMBER];

	snprintf(text, sizeof(text), "%lld", (long long)cpu);
	table_cell(t, cpu == CPU_NONE ? "-" : cpu < 0 ? "all" : text);
}

/* ns from the first event of all */
static void put_time(struct table *t, const struct sums *s, uint64_t ns)
{
	char text[2 * NUMBER];

	snprintf(text, sizeof(text), "%llu.%06llu",
		 (unsigned long long)(ns / NS_PER_SECOND),
		 (unsigned long long)(ns % NS_PER_SECOND / NS_PER_US));
	table_cell(t, s->least <= s->most ? text : "-");
}

static void put_row(struct table *t, const struct sums *s, uint64_t zero)
{
	char text[NUMBER], shown[PACKED_SHOWN];

	table_cell(t, packed_shown(shown, s->name));
	put_cpu(t, s->cpu);
	put_time(t, s, s->least - zero);
	put_time(t, s, s->most - zero);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)s->events);
	table_cell(t, text);
	unit_size(text, s->bytes);
	table_cell(t, text);
	unit_size(text, s->packed);
	table_cell(t, text);
	unit_decimal(text, s->bytes, s->packed);
	table_cell(t, text);
}

static void put_rows(struct table *t, const struct packed *p,
		     const struct sums *sums)
{
	struct sums all = no_sums;

	for (size_t i = 0; i < p->list.count; i++)
		add(&all, &sums[i]);
	for (size_t i = 0; i < p->list.count; i++)
		put_row(t, &sums[i], all.least);
	all.name = "all";
	all.packed = p->size;	/* with its index */
	put_row(t, &all, all.least);
}

static bool print(const struct packed *p, const struct sums *sums, bool title)
{
	struct table t = { .text = NULL };
	char shown[PACKED_SHOWN];
	struct outfile out;
	struct look look;

	look_init(&look, &(struct look_options){ .width = 0 }, STDOUT_FILENO);
	outfile_open(&out, NULL, BUFFER);
	if (title)
		buf_printf(&out.buf, "%s:\n", packed_shown(shown, p->path));
	put_columns(&t);
	put_rows(&t, p, sums);
	if (table_print(&t, &out.buf, look.width, true))
		msg_die("out of memory");
	table_free(&t);
	outfile_flush(&out, "");
	return outfile_close(&out);
}

bool listing_run(const struct btpack_options *o, const char *path)
{
	struct packed p;
	struct sums *sums;
	bool good;

	if (!packed_open(&p, path))
		return false;
	packed_report_list(&p);
	sums = calloc(p.list.count + 1, sizeof(*sums));
	if (!sums)
		msg_die("out of memory");
	for (size_t i = 0; i < p.list.count; i++)
		sum_up(&p, &p.list.members[i], &sums[i]);
	qsort(sums, p.list.count, sizeof(*sums), by_name);
	good = print(&p, sums, o->count > 1);
	free(sums);
	packed_close(&p);
	return good && !p.damaged;
}
