// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many rows like those of ios, to see what a Parquet writer costs.
 *
 *	parquet_load KIND ROWS bare|gzip|beside|none >FILE
 *
 * KIND: ios, as recorded ones are; chance, numbers of 64 bits and texts that
 * are all different; texts, a hundred thousand different ones a group in each
 * column of texts; long, the same with up to 4 KB each.  beside is gzip with
 * threads, none makes the rows and writes nothing.  On standard error: by how
 * much its memory grew, in KiB.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/tasks.h"
#include "emit/parquet.h"
#include "emit/row.h"

enum {
	TEXTS = 13,
	SMALL = 11,		/* columns of 32 bits */
	WIDE = 37,
	COLUMNS = TEXTS + SMALL + WIDE,
	TEXT = 4096
};

struct load {
	struct column columns[COLUMNS];
	const struct column *order[COLUMNS];
	char names[COLUMNS][8];
	struct row_shape shape;
	struct cell cells[COLUMNS];
	char texts[TEXTS][TEXT];
	uint64_t time;
};

static uint64_t dice(uint64_t seed)
{
	seed = (seed + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
	seed = (seed ^ seed >> 29) * 0x94d049bb133111ebu;
	return seed ^ seed >> 32;
}

static void make_shape(struct load *l)
{
	for (unsigned int i = 0; i < COLUMNS; i++) {
		struct column *c = &l->columns[i];

		snprintf(l->names[i], sizeof(l->names[i]), "c%u", i);
		c->name = l->names[i];
		c->may_be_null = i % 4 != 0;
		c->type = i < TEXTS ? COLUMN_TEXT :
			i < TEXTS + SMALL ? COLUMN_INT32 : COLUMN_INT64;
		l->order[i] = c;
	}
	l->shape = (struct row_shape){ "load", l->order, COLUMNS };
}

static void set_text(struct load *l, unsigned int i, size_t len)
{
	l->cells[i].text = l->texts[i];
	l->cells[i].len = (uint32_t)len;
}

/* --- kinds --------------------------------------------------------------- */

/* A third of the columns is null, as phases that an io did not have. */
static void ios(struct load *l, uint32_t row)
{
	static const char *const words[] = { "read", "write", "fio", "C", "WS",
		"kworker/u8:3", "/system.slice/fio.service", "8:0", "R", "sda",
		"jbd2/sda1-8", "postgres", "Q" };
	uint64_t chance = dice(row);

	l->time += chance % 20000;
	for (unsigned int i = 0; i < COLUMNS; i++) {
		struct cell *c = &l->cells[i];

		c->null = l->columns[i].may_be_null && i % 3 == 1;
		if (i < TEXTS) {
			c->text = words[i < 6 ? i : (i + (chance >> i) % 3) %
				TEXTS];
			c->len = (uint32_t)strlen(c->text);
		} else if (i < TEXTS + SMALL) {
			c->number = (int64_t)(chance >> i) % 8;
		} else if (i % 5 == 0) {
			c->number = (int64_t)l->time + i;
		} else if (i % 5 < 3) {
			c->number = (int64_t)(dice(row + i) % 100000);
		} else if (i % 5 == 3) {
			c->number = 0;
		} else {
			c->number = 4096 << ((chance >> i) % 4);
		}
	}
}

static void chance(struct load *l, uint32_t row)
{
	for (unsigned int i = 0; i < COLUMNS; i++) {
		uint64_t v = dice((uint64_t)row * COLUMNS + i);

		l->cells[i].null = l->columns[i].may_be_null && v % 16 == 0;
		if (i < TEXTS)
			set_text(l, i, (size_t)snprintf(l->texts[i], TEXT,
							"%016" PRIx64, v));
		else if (i < TEXTS + SMALL)
			l->cells[i].number = (int32_t)(uint32_t)v;
		else
			l->cells[i].number = (int64_t)v;
	}
}

static void texts(struct load *l, uint32_t row)
{
	ios(l, row);
	for (unsigned int i = 0; i < TEXTS; i++)
		set_text(l, i, (size_t)snprintf(l->texts[i], TEXT,
						"text-%u", row % 100000 + i));
}

static void long_texts(struct load *l, uint32_t row)
{
	texts(l, row);
	for (unsigned int i = 0; i < TEXTS; i++)
		l->cells[i].len = 12 + (uint32_t)(dice(row + i) % (TEXT - 12));
}

/* --- the run ------------------------------------------------------------- */

static long peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static int run(struct load *l, void (*make)(struct load *, uint32_t),
	       uint32_t rows, const char *how)
{
	bool beside = !strcmp(how, "beside");
	const struct row_options o = {
		.packed = beside || !strcmp(how, "gzip"), .schema = 1,
		.tasks = beside ? tasks_new() : NULL,
	};
	bool writes = strcmp(how, "none") != 0;
	struct row_writer *w = NULL;
	struct buf b;
	int err;

	if (buf_init(&b, STDOUT_FILENO, 65536) ||
	    parquet_ops.open(&w, &b, &l->shape, &o))
		return 1;
	err = 0;
	for (uint32_t i = 0; i < rows && !err; i++) {
		make(l, i);
		err = writes ? parquet_ops.row(w, l->cells) : 0;
	}
	err = err ? err : parquet_ops.end(w);
	err = err ? err : buf_flush(&b);
	parquet_ops.free(w);
	tasks_free(o.tasks);
	buf_free(&b);
	return err != 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct load *l, uint32_t row);
	} kinds[] = {
		{ "ios", ios },
		{ "chance", chance },
		{ "texts", texts },
		{ "long", long_texts },
	};
	static struct load l;
	long before;
	int err = 2;

	memset(l.texts, 'x', sizeof(l.texts));
	make_shape(&l);
	before = peak();
	for (size_t i = 0; argc == 4 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			err = run(&l, kinds[i].make,
				  (uint32_t)strtoul(argv[2], NULL, 10),
				  argv[3]);
	if (err == 2)
		fputs("usage: parquet_load KIND ROWS bare|gzip|beside|none\n",
		      stderr);
	else
		fprintf(stderr, "%ld KiB\n", peak() - before);
	return err;
}
