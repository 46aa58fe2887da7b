/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's iologs; see iolog.h.  Version 3 has a time, in us, before each of
 *
 *	FILE add|open|close
 *	FILE read|write|trim|sync|datasync OFFSET BYTES
 *
 * version 2 has waits instead: FILE wait US.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/time.h"
#include "blktrace.h"
#include "import/columns.h"
#include "import/import.h"
#include "import/iolog.h"
#include "import/lines.h"
#include "import/rows.h"
#include "record/payload.h"

static const char *const headers[] = {
	[2] = "fio version 2 iolog",
	[3] = "fio version 3 iolog",
};

enum deed { NOTHING, WAIT, IO, DEEDS };

static const struct action {
	const char *word;
	enum deed deed;
	uint32_t categories;
} actions[] = {
	{ "read", IO, BLK_TC_BIT(BLK_TC_READ) },
	{ "write", IO, BLK_TC_BIT(BLK_TC_WRITE) },
	{ "trim", IO, BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_DISCARD) },
	{ "sync", IO, BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_FLUSH) },
	{ "datasync", IO,
	  BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_FLUSH) },
	{ "wait", WAIT, 0 },
	{ "add", NOTHING, 0 },
	{ "open", NOTHING, 0 },
	{ "close", NOTHING, 0 },
};

struct iolog_in {
	const struct import_to *to;
	struct lines lines;
	struct rows rows;
	int version;
	uint64_t now;		/* ns */
};

/* what a line has, in order */
enum word { TIME, FILE_NAME, ACTION, OFFSET, BYTES, WORDS };

static const char *const expected[WORDS] = {
	"a time in us", "a file", "an action of fio", "an offset", "a size",
};

/* --- lines ---------------------------------------------------------------- */

/* The words of a line, of which the first may be absent; how many in all. */
static int split(const char *line, size_t len, struct field words[WORDS],
		 int first)
{
	const char *at = line, *end = line + len;
	int n = first;

	while (n < WORDS) {
		while (at < end && *at == ' ')
			at++;
		if (at == end)
			break;
		words[n] = (struct field){ at, strcspn(at, " ") };
		at += words[n++].len;
	}
	return n;
}

static const struct action *action_of(const struct field *f)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (field_is(f, actions[i].word))
			return &actions[i];
	return NULL;
}

static int report(const struct iolog_in *i, const char *line,
		  const struct field *f, enum word word)
{
	char why[IMPORT_WHY], text[40];

	escape_text(text, sizeof(text), f->text, f->len);
	snprintf(why, sizeof(why), "\"%s\" is not %s", text, expected[word]);
	i->to->fault(i->to->ctx, i->lines.number,
		     f->len ? (uint64_t)(f->text - line) + 1 : 1, why);
	return 0;
}

/* A file as a device: /dev/sda is sda. */
static struct field device_of(struct field f)
{
	static const char dev[] = "/dev/";
	size_t n = sizeof(dev) - 1;

	if (f.len > n && !memcmp(f.text, dev, n))
		f = (struct field){ f.text + n, f.len - n };
	return f;
}

static int add_io(struct iolog_in *i, const struct action *a,
		  const struct field words[WORDS], const char *line)
{
	struct row r = {
		.queued = i->now, .issued = ROW_NONE, .completed = ROW_NONE,
		.categories = a->categories, .devices = 1,
		.device = { device_of(words[FILE_NAME]) },
	};
	bool flush = a->categories & BLK_TC_BIT(BLK_TC_FLUSH);

	if (!flush && !field_number(&words[OFFSET], &r.offset))
		return report(i, line, &words[OFFSET], OFFSET);
	if (!flush && (!field_number(&words[BYTES], &r.bytes) ||
		       r.bytes > UINT32_MAX))
		return report(i, line, &words[BYTES], BYTES);
	return rows_add(&i->rows, &r);
}

static int read_line(struct iolog_in *i, const char *line, size_t len)
{
	struct field words[WORDS] = { { line, 0 }, { line, 0 }, { line, 0 },
				      { line, 0 }, { line, 0 } };
	int first = i->version == 2 ? FILE_NAME : TIME;
	int n = split(line, len, words, first);
	const struct action *a = action_of(&words[ACTION]);
	uint64_t us = 0;

	if (n == first)
		return 0;
	if (first == TIME && !field_scaled(&words[TIME], NS_PER_US, &i->now))
		return report(i, line, &words[TIME], TIME);
	if (!a)
		return report(i, line, &words[ACTION], ACTION);
	if (a->deed == IO)
		return add_io(i, a, words, line);
	if (a->deed == WAIT) {
		if (!field_scaled(&words[OFFSET], NS_PER_US, &us))
			return report(i, line, &words[OFFSET], TIME);
		i->now += us;
	}
	return 0;
}

/* --- all ------------------------------------------------------------------ */

static int version_of(const char *line)
{
	for (int v = 2; v <= 3; v++)
		if (!strncmp(line, headers[v], strlen(headers[v])))
			return v;
	return 0;
}

bool iolog_is(const struct import_format *f, const char *begin, size_t len)
{
	(void)f, (void)len;
	return version_of(begin);
}

static int read_lines(struct iolog_in *i)
{
	char *line;
	size_t len;
	int n;

	while ((n = lines_next(&i->lines, &line, &len)) > 0) {
		int err = 0;

		if (i->lines.number == 1)
			i->version = version_of(line);
		else if (i->version)
			err = read_line(i, line, len);
		if (!i->version) {
			i->to->fault(i->to->ctx, 1, 1,
				     "no iolog of version 2 or 3");
			err = -EBADMSG;
		}
		if (err)
			return err;
	}
	return n ? n : rows_end(&i->rows);
}

int iolog_read(const struct import_format *f, struct source *s,
	       const struct import_options *o, const struct import_to *to)
{
	const struct import_about about = {
		.from = "fio's iolog", .lacks = IMPORTED_NO_RESPONSE,
		.clock = "us since the start", .tool = "fio",
	};
	struct iolog_in i = { .to = to };
	int err = lines_open(&i.lines, s);

	(void)f, (void)o;
	if (err)
		return err;
	rows_init(&i.rows, to, ROW_QUEUED, false);
	err = to->about(to->ctx, &about);
	if (!err)
		err = read_lines(&i);
	rows_free(&i.rows);
	lines_close(&i.lines);
	return err;
}
