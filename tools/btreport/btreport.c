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
#include "emit/report/making.h"
#include "emit/report/meta.h"
#include "emit/report/sheets.h"
#include "tools/btreport/options.h"
#include "trace/location.h"

enum { OUT_SIZE = 65536, HOST_MAX = 256 };

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

/* Writes what was asked for; whether all went well. */
static bool write_all(const struct run *r, const struct report_page *page)
{
	bool good = write_file(r->o.output, page, report_html_write);

	if (r->o.json)
		good &= write_file(r->o.json, page, report_meta_write);
	if (r->o.csv)
		good &= write_sheets(r->o.csv, page);
	return good;
}

static bool make_page(struct run *r)
{
	char host[HOST_MAX] = "";
	const struct making_options o = {
		.title = r->o.title, .host = host,
		.program = "btreport " SUITE_VERSION, .command = r->o.command,
		.theme = r->o.theme,
	};
	struct making m;
	bool good;

	check(host_of_collector(host, sizeof(host), r->o.inputs[0]));
	check(making_init(&m, &r->gathering, &o));
	good = write_all(r, &m.page);
	making_free(&m);
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
