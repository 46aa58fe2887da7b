/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iowatcher: what is in traces, as a picture.
 *
 * Reads joined ios from request/ios, keeps sums of fixed size for each trace,
 * and draws them with emit/svg.  Manual: doc/iowatcher.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/limit.h"
#include "base/msg.h"
#include "cli/captured.h"
#include "cli/command.h"
#include "cli/confined.h"
#include "cli/outfile.h"
#include "cli/traces.h"
#include "cli/version.h"
#include "report/gathering.h"
#include "report/html.h"
#include "report/making.h"
#include "run/host.h"
#include "run/window.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/live.h"
#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/named.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/outputs.h"
#include "tools/iowatcher/sources.h"

/* --- html ----------------------------------------------------------------- */

/* --html: btreport's page, of the traces of -t. */

enum { OUT_SIZE = 65536, HOST_MAX = 256 };

struct reading_all {
	const struct watch_options *o;
	char **names;		/* ours, as many as there are traces */
	struct gathering_options of;
	struct gathering gathering;
	struct traces in;
	bool failed;		/* not all could be read */
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static void find_names(struct reading_all *r)
{
	size_t count = r->o->traces.count;

	r->names = calloc(count ? count : 1, sizeof(*r->names));
	check(!r->names);
	for (size_t i = 0; i < count; i++)
		r->names[i] = named_find(r->o->traces.list[i].path);
}

static void on_damage(void *reading, const struct damage *d)
{
	gathering_add_damage(&((struct reading_all *)reading)->gathering, d);
}

static void open_all(struct reading_all *r)
{
	const struct traces_options reading = {
		.names = (const char *const *)r->names,
		.count = r->o->traces.count,
		.window = r->of.window,
		.progress = !r->o->no_progress,
		.damage = on_damage,
		.ctx = r,
	};

	if (!traces_open(&r->in, &reading))
		exit(1);
	check(gathering_init(&r->gathering, &r->of, r->in.ios));
}

static void read_all(struct reading_all *r)
{
	const struct io *io;
	int got;

	while ((got = traces_next_io(&r->in, &io)) && !*r->o->stop) {
		if (LIKELY(got == 1)) {
			check(gathering_add(&r->gathering, io));
		} else if (got != -EAGAIN && got != -EINTR) {
			r->failed = true;
			break;
		}
	}
	reading_end(&r->in.reading);
	check(gathering_end(&r->gathering));
}

/* whether it has been written */
static bool html_write_page(const struct watch_options *o,
		       const struct report_page *page)
{
	struct outfile f;

	if (!strcmp(o->html, "-"))
		outfile_open(&f, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&f, &o->opener, o->html, OUT_SIZE))
		return false;
	report_html_write(page, &f.buf);
	outfile_flush(&f, ", it is not written");
	if (!*o->stop)
		return outfile_close(&f);
	outfile_discard(&f);
	return false;
}

static bool make_page(struct reading_all *r)
{
	char host[HOST_MAX] = "";
	/* a trace that is removed can be the input of no other command */
	bool removed = r->o->captures && !r->o->captured.keep;
	char *input = cli_words(removed ? 0 : r->o->traces.count,
				(const char *const *)r->names);
	const struct making_options o = {
		.title = *r->o->title ? r->o->title : NULL, .host = host,
		.program = "iowatcher " SUITE_VERSION,
		.command = r->o->command, .input = input,
	};
	struct making m;
	bool good;
	int err;

	check(host_of_collector(host, sizeof(host), NULL, r->names[0]));
	err = making_init(&m, &r->gathering, &o);
	if (err == -ENOSPC)
		msg_die("--size: too small for the devices and processes of this"
			" trace");
	check(err);
	good = html_write_page(r->o, &m.page);
	making_free(&m);
	free(input);
	return good;
}

/*
 * Reads the traces, all together, and writes the page.  0, or the status to
 * exit with: what is wrong has been reported.  Ends the program if a name means
 * nothing.  A signal leaves no page.
 */
static int html_write(const struct watch_options *o)
{
	struct reading_all r = {
		.o = o,
		.of = { .window = { o->time.low, o->time.high },
			.size = o->size },
	};
	bool good;

	find_names(&r);
	open_all(&r);
	read_all(&r);
	good = !*o->stop && make_page(&r);
	gathering_free(&r.gathering);
	traces_close(&r.in);
	for (size_t i = 0; i < o->traces.count; i++)
		free(r.names[i]);
	free(r.names);
	return !good || r.failed || r.in.damaged;
}

/* --- iowatcher ------------------------------------------------------------ */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	/* a child's end only has to wake us */
	if (sig != SIGCHLD)
		stop = sig;
}

/* --- tracing first -------------------------------------------------------- */

static void set_signals(void (*handler)(int))
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction sa = { .sa_handler = handler };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* a text that is made of others; the caller's to free */
static __attribute__((format(printf, 1, 2))) char *text_of(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		msg_die("out of memory");
	return text;
}

/* where what is traced goes: DIR/NAME, or NAME */
static char *path_of(const struct watch_options *o)
{
	const char *name = o->traces.list[0].path;

	return o->directory ? text_of("%s/%s", o->directory, name) :
			      text_of("%s", name);
}

/* One device is files of that name, several are a directory. */
static void trace(const struct watch_options *o, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *cpu_path = text_of("%s.mpstat", path);
	char *directory = slash ? text_of("%.*s", (int)(slash - path + 1),
					  path) : NULL;
	struct live_plan plan = {
		.devices = o->devices, .count = o->device_count,
		.directory = directory, .base = slash ? slash + 1 : path,
		.cpu_path = cpu_path, .program = o->program, .stop = &stop,
	};

	if (o->device_count > 1) {
		plan.directory = path;
		plan.base = NULL;
	}
	set_signals(on_signal);
	if (live_run(&plan))
		exit(1);
	/* what stops the tracing does not keep from drawing it */
	set_signals(SIG_DFL);
	stop = 0;
	free(directory);
	free(cpu_path);
}

/* devices that are operands, for as long as the picture shows */
static void capture(struct watch_options *o)
{
	size_t count = o->captures ? o->traces.count : 0;
	const char **names = calloc(count + 1, sizeof(*names));
	struct window window = { o->time.low, o->time.high };

	check(!names);
	for (size_t i = 0; i < count; i++)
		names[i] = o->traces.list[i].path;
	captured_take(&o->captured, &(struct captured_operands){
		.names = names, .count = count, .window = &window,
		.progress = !o->no_progress,
	});
	for (size_t i = 0; i < count; i++)
		o->traces.list[i].path = names[i];
	o->time = (struct watched_span){ window.start, window.end };
	free(names);
}

/* --- other files ---------------------------------------------------------- */

/* what is read, by its names: logs, and of each trace it and times of CPUs */
struct read_names {
	char **traces, **files;
	size_t trace_count, file_count;
};

static void read_names_init(struct read_names *n, const struct watch_options *o)
{
	size_t count = o->traces.count;

	*n = (struct read_names){
		.traces = calloc(count + 1, sizeof(char *)),
		.files = calloc(CPU_FILES * count + o->logs.count + 1,
				sizeof(char *)),
	};
	if (!n->traces || !n->files)
		msg_die("out of memory");
	for (size_t i = 0; i < count; i++) {
		const char *path = o->traces.list[i].path;

		n->traces[n->trace_count++] = named_find(path);
		cpu_file_names(path, n->files + n->file_count);
		n->file_count += CPU_FILES;
	}
	for (size_t i = 0; i < o->logs.count; i++)
		n->files[n->file_count++] = strdup(o->logs.list[i].path);
}

static void read_names_free(struct read_names *n)
{
	for (size_t i = 0; i < n->trace_count; i++)
		free(n->traces[i]);
	for (size_t i = 0; i < n->file_count; i++)
		free(n->files[i]);
	free(n->traces);
	free(n->files);
}

/* Programs that it starts would be bound, too, and need more than it. */
static void confine(struct watch_options *o)
{
	struct read_names n;

	if (o->output && picture_needs_program(o))
		return;
	read_names_init(&n, o);
	o->opener = confined_enter(&(struct confined){
		.traces = { .names = (const char *const *)n.traces,
			    .count = n.trace_count },
		.files = (const char *const *)n.files,
		.file_count = n.file_count,
		.program = &watch_program, .options = o,
	});
	read_names_free(&n);
}

/* --- drawing -------------------------------------------------------------- */

/* 0, or the status to exit with */
static int write_all(const struct watch_options *o, const struct sources *s)
{
	bool good = true;
	int status;

	set_signals(on_signal);
	status = o->output ? picture_write(o, s) : 0;

	if (o->json)
		good = series_write_json(o->json, o, s);
	if (o->csv)
		good &= series_write_csv(o->csv, o, s);
	set_signals(SIG_DFL);
	/* what was half written is gone: the shell is to know what ended it */
	if (stop)
		raise(stop);
	return status ? status : !good;
}

/* the graphs, as all but the page have them: the same */
static int write_graphs(const struct watch_options *o)
{
	struct sources s;
	int status = 1;

	sources_read(&s, o);
	if (!sources_any(&s, o->movie ? GRAPH_BIT(GRAPH_IO) :
					sources_graphs(&s, o))) {
		msg_warn("nothing to draw");
	} else {
		status = write_all(o, &s);
		if (!status)
			status = sources_damaged(&s);
	}
	sources_free(&s);
	return status;
}

/* the same for the page */
static int write_page(const struct watch_options *o)
{
	int status;

	set_signals(on_signal);
	status = html_write(o);
	set_signals(SIG_DFL);
	if (stop)
		raise(stop);
	return status;
}

int main(int argc, char **argv)
{
	struct watch_options o;
	char *traced = NULL;
	int status = 0;

	msg_guard_fds();
	watch_options_parse(&o, argc, argv);
	o.stop = &stop;
	capture(&o);
	limit_open_files();
	if (o.device_count) {
		traced = path_of(&o);
		trace(&o, traced);
		o.traces.list[0].path = traced;
	}
	confine(&o);
	if (watch_options_graphs(&o))
		status = write_graphs(&o);
	if (o.html)
		status |= write_page(&o);
	watch_options_free(&o);
	free(traced);
	return status;
}
