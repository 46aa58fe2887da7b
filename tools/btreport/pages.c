/* SPDX-License-Identifier: GPL-2.0-only */
/* btreport's files; see pages.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/outfile.h"
#include "cli/reason.h"
#include "cli/version.h"
#include "compare/comparison.h"
#include "emit/csv.h"
#include "report/html.h"
#include "report/meta.h"
#include "report/pair.h"
#include "report/pair_html.h"
#include "report/pair_meta.h"
#include "report/remarks.h"
#include "report/report.h"
#include "report/sheets.h"
#include "run/host.h"
#include "tools/btreport/options.h"
#include "tools/btreport/pages.h"
#include "tools/btreport/side.h"

enum { OUT_SIZE = 65536, TITLE_MAX = 768, REASON_SHOWN = 700 };

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

/* --- files ---------------------------------------------------------------- */

typedef void write_page(const void *page, struct buf *b);

/* whether all went well; else it has been reported */
static bool write_file(const struct btreport_options *o, const char *name,
		       const void *page, write_page *write)
{
	bool is_stdout = !strcmp(name, "-");
	struct outfile out;

	if (is_stdout)
		outfile_open(&out, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&out, &o->opener, name, OUT_SIZE))
		return false;
	write(page, &out.buf);
	outfile_flush(&out, is_stdout ? "" : ", it is not written");
	return outfile_close(&out);
}

static bool write_sheet(const struct btreport_options *o, enum sheet sheet,
			const struct report_page *page)
{
	struct outfile out;
	char *name;
	bool good;

	if (asprintf(&name, "%s/%s.csv", o->csv, sheet_name(sheet)) < 0)
		msg_die("out of memory");
	good = outfile_open_whole(&out, &o->opener, name, OUT_SIZE);
	if (good) {
		check(sheet_write(sheet, page, &csv_ops, &out.buf));
		outfile_flush(&out, ", it is not written");
		good = outfile_close(&out);
	}
	free(name);
	return good;
}

/* a directory that is there, or is made */
static bool write_sheets(const struct btreport_options *o,
			 const struct report_page *page)
{
	bool good = true;

	if (opener_mkdir(&o->opener, o->csv, 0777) && errno != EEXIST) {
		msg_warn("%s: %s", o->csv, strerror(errno));
		return false;
	}
	for (unsigned int i = 0; i < SHEETS; i++)
		good &= write_sheet(o, i, page);
	return good;
}

/* --- one run -------------------------------------------------------------- */

static void write_html(const void *page, struct buf *b)
{
	report_html_write(page, b);
}

static void write_meta(const void *page, struct buf *b)
{
	report_meta_write(page, b, false);
}

/* Traces of a flight recorder say why they were written. */
static void add_reasons(struct report_remarks *to, const struct side *s)
{
	for (size_t i = 0; i < s->count; i++) {
		char reason[REASON_TEXT];
		struct remark *one = NULL;

		if (reason_read(s->names[i], reason))
			one = remarks_add(to, REMARK_NOTE);
		if (!one)
			continue;
		snprintf(one->head, sizeof(one->head),
			 "Written by a flight recorder");
		snprintf(one->text, sizeof(one->text), "Its trigger was %.*s.",
			 REASON_SHOWN, reason);
	}
}

static void make(struct page_side *p, const struct btreport_options *o,
		 const struct side *s)
{
	const struct making_options making = {
		.title = o->title, .host = p->host,
		.program = "btreport " SUITE_VERSION, .command = o->command,
		.theme = o->theme, .of_pair = o->compare,
	};
	int err;

	p->host[0] = '\0';
	check(host_of_collector(p->host, sizeof(p->host), s->names[0]));
	err = making_init(&p->making, &s->gathering, &making);
	if (err == -ENOSPC)
		msg_die("--size: there is not room enough for the devices and"
			" processes of this trace");
	check(err);
}

bool pages_write(const struct btreport_options *o, const struct side *s)
{
	struct page_side p;
	bool good;

	make(&p, o, s);
	add_reasons(&p.making.remarks, s);
	good = write_file(o, o->output, &p.making.page, write_html);
	if (o->json)
		good &= write_file(o, o->json, &p.making.page, write_meta);
	if (o->csv)
		good &= write_sheets(o, &p.making.page);
	making_free(&p.making);
	return good;
}

/* --- two ------------------------------------------------------------------ */

static void write_pair_html(const void *pair, struct buf *b)
{
	pair_html_write(pair, b);
}

static void write_pair_meta(const void *pair, struct buf *b)
{
	pair_meta_write(pair, b, false);
}

void pages_make_side(struct page_side *p, const struct btreport_options *o,
		     const struct side *s)
{
	make(p, o, s);
	report_drop(s->gathering.report);
}

static void add_remarks(const struct side *s, struct page_side *p)
{
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		making_remark(&p[i].making, &s[i].gathering, &s[!i].gathering);
		add_reasons(&p[i].making.remarks, &s[i]);
		pair_note_absent(&p[i].making.remarks, &p[i].making.page,
				 &p[!i].making.page);
	}
}

static void fill_pair(struct report_pair *pair, const struct side *s,
		      const struct page_side *p,
		      struct comparison *const *comparisons)
{
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		pair->side[i] = &p[i].making.page;
		pair->name[i] = s[i].names[0];
	}
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		comparison_get(comparisons[i], &pair->verdicts[i].o,
			       &pair->verdicts[i].result);
	check(pair_init(pair));
}

bool pages_write_pair(const struct btreport_options *o, const struct side *s,
		      struct page_side *p,
		      struct comparison *const *comparisons)
{
	char title[TITLE_MAX];
	struct report_pair pair = { .title = o->title ? o->title : title };
	bool good;

	snprintf(title, sizeof(title), "%s and %s", s[COMPARE_A].names[0],
		 s[COMPARE_B].names[0]);
	add_remarks(s, p);
	fill_pair(&pair, s, p, comparisons);
	good = write_file(o, o->output, &pair, write_pair_html);
	if (o->json)
		good &= write_file(o, o->json, &pair, write_pair_meta);
	pair_free(&pair);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++)
		making_free(&p[i].making);
	return good;
}
