/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreport: a page of traces, in one file that opens in any browser.
 *
 * Takes joined ios from request/ios, gathers what a page shows, and writes it.
 * Manual: doc/btreport.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/report/report.h"
#include "base/hint.h"
#include "base/limit.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/host.h"
#include "cli/outfile.h"
#include "cli/traces.h"
#include "cli/version.h"
#include "emit/csv.h"
#include "emit/report/gathering.h"
#include "emit/report/html.h"
#include "emit/report/meta.h"
#include "emit/report/sheets.h"
#include "emit/report/summary.h"
#include "tools/btreport/options.h"
#include "trace/location.h"

enum { OUT_SIZE = 65536, TITLE_MAX = 256, HOST_MAX = 256 };

/* how long a pipe may take to end by itself, when a signal ends the reading */
#define LAST_WORDS NS_PER_SECOND

enum { GO_ON, STOP, STOP_NOW };

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = stop == GO_ON ? STOP : STOP_NOW;
}

/* Ends the reading, not the program: the page is still made. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

struct run {
	struct btreport_options o;
	struct traces in;
	struct gathering gathering;
	uint64_t stopped;	/* when a signal was seen, or 0 */
	bool live;		/* an input is a pipe */
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

/* --- reading -------------------------------------------------------------- */

static void on_damage(void *run, const struct damage *d)
{
	gathering_add_damage(&((struct run *)run)->gathering, d);
}

static void open_input(struct run *r)
{
	const struct traces_options reading = {
		.names = r->o.inputs,
		.count = r->o.input_count,
		.window = r->o.of.window,
		.progress = !r->o.no_progress,
		.damage = on_damage,
		.ctx = r,
	};

	if (!traces_open(&r->in, &reading))
		exit(1);
	for (size_t i = 0; i < r->o.input_count; i++)
		r->live |= location_is_pipe(r->o.inputs[i]);
	check(gathering_init(&r->gathering, &r->o.of, r->in.ios));
}

/* A terminal's signal goes to the pipe's writer, too, which still has to tell
 * how it ended. */
static COLD bool is_over(struct run *r)
{
	if (!r->live || stop == STOP_NOW)
		return true;
	if (!r->stopped)
		r->stopped = time_now();
	return time_now() - r->stopped > LAST_WORDS;
}

static void read_ios(struct run *r)
{
	const struct io *io;

	while (LIKELY(!stop) || !is_over(r)) {
		int got = traces_next_io(&r->in, &io);

		if (LIKELY(got == 1))
			check(gathering_add(&r->gathering, io));
		else if (!got)
			return;
		else if (got != -EINTR && got != -EAGAIN)
			exit(1);
	}
}

/* --- the page ------------------------------------------------------------- */

/* whether all went well; else it has been reported */
static bool write_file(const char *name, const struct report_page *page,
		       void (*write)(const struct report_page *page,
				     struct buf *b))
{
	bool is_stdout = !strcmp(name, "-");
	struct outfile out;

	if (is_stdout)
		outfile_open(&out, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&out, name, OUT_SIZE))
		return false;
	write(page, &out.buf);
	outfile_flush(&out, is_stdout ? "" : ", it is not written");
	return outfile_close(&out);
}

static bool write_sheet(const char *directory, enum sheet sheet,
			const struct report_page *page)
{
	struct outfile out;
	char *name;
	bool good;

	if (asprintf(&name, "%s/%s.csv", directory, sheet_name(sheet)) < 0)
		msg_die("out of memory");
	good = outfile_open_whole(&out, name, OUT_SIZE);
	if (good) {
		check(sheet_write(sheet, page, &csv_ops, &out.buf));
		outfile_flush(&out, ", it is not written");
		good = outfile_close(&out);
	}
	free(name);
	return good;
}

/* a directory that is there, or is made */
static bool write_sheets(const char *directory, const struct report_page *page)
{
	bool good = true;

	if (mkdir(directory, 0777) && errno != EEXIST) {
		msg_warn("%s: %s", directory, strerror(errno));
		return false;
	}
	for (unsigned int i = 0; i < SHEETS; i++)
		good &= write_sheet(directory, i, page);
	return good;
}

/* "Block I/O of vda, vdb", of devices that count */
static void make_title(char title[TITLE_MAX], const struct report_page *p)
{
	char name[PAGE_NAME_MAX];
	size_t len = (size_t)snprintf(title, TITLE_MAX, "Block I/O");
	bool any = false;

	for (uint32_t i = 0; i < p->r->disks.there; i++) {
		if (!p->r->disks.list[p->r->disks.order[i]].on)
			continue;
		page_device(p, i, name);
		if (len + strlen(name) + 8 > TITLE_MAX)
			return;
		len += (size_t)snprintf(title + len, TITLE_MAX - len, "%s%s",
					any ? ", " : " of ", name);
		any = true;
	}
}

static void make_remarks(struct report_remarks *to, const struct gathering *g,
			 uint64_t ios)
{
	const struct remarks_of of = {
		.facts = &g->facts, .findings = g->findings,
		.names = &g->names, .ios = ios,
		.damage = g->damage_count ? g->damage[0] : "",
		.damages = g->damages,
		.start = g->facts.from, .length = g->facts.length,
		.has_gap = g->gap_count,
		.gap_from = g->gap_count ? g->gaps[0].from : 0,
		.gap_to = g->gap_count ? g->gaps[0].to : 0,
	};

	report_remarks_make(to, &of);
}

/* Writes what was asked for; whether all went well. */
static bool write_all(struct run *r, struct report_page *page)
{
	char title[TITLE_MAX];
	bool good;

	page->title = r->o.title;
	if (!page->title) {
		make_title(title, page);
		page->title = title;
	}
	good = write_file(r->o.output, page, report_html_write);
	if (r->o.json)
		good &= write_file(r->o.json, page, report_meta_write);
	if (r->o.csv)
		good &= write_sheets(r->o.csv, page);
	return good;
}

static bool make_page(struct run *r)
{
	struct gathering *g = &r->gathering;
	struct report_tables tables;
	struct report_blocks blocks;
	struct report_remarks remarks;
	char host[HOST_MAX] = "";
	uint32_t *processes;
	struct report_page page = {
		.r = g->report, .tables = &tables, .blocks = &blocks,
		.facts = &g->facts, .remarks = &remarks, .host = host,
		.program = "btreport " SUITE_VERSION, .command = "",
		.theme = r->o.theme,
		.damage = (const char *const *)g->damage,
		.damage_count = g->damage_count,
		.gaps = g->gaps, .gap_count = g->gap_count,
	};
	bool good;

	check(host_of_collector(host, sizeof(host), r->o.inputs[0]));
	check(report_blocks_make(&blocks, g->report, r->o.of.size));
	check(report_tables_make(&tables, g->report));
	processes = report_folding_processes(&g->report->folding,
					     &page.process_count);
	if (!processes)
		msg_die("out of memory");
	page.processes = processes;
	make_remarks(&remarks, g, tables.of[REPORT_ALL].rows[0].sums.count);
	summary_add(&remarks, &page);
	good = write_all(r, &page);
	free(processes);
	report_tables_free(&tables);
	report_blocks_free(&blocks);
	return good;
}

int main(int argc, char **argv)
{
	struct run r = { .stopped = 0 };
	bool good;

	msg_guard_fds();
	btreport_options_parse(&r.o, argc, argv);
	catch_signals();
	limit_open_files();
	open_input(&r);
	read_ios(&r);
	reading_end(&r.in.reading);
	check(gathering_end(&r.gathering));
	good = make_page(&r);
	gathering_free(&r.gathering);
	traces_close(&r.in);
	btreport_options_free(&r.o);
	return !good || r.in.damaged;
}
