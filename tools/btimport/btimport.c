/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btimport: converts what other programs recorded into traces.
 *
 * The formats are import/'s.  Manual: doc/btimport.1.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "blktrace.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/outfile.h"
#include "cli/reading.h"
#include "file/source.h"
#include "file/source_peek.h"
#include "import/formats.h"
#include "record/record.h"
#include "tools/btimport/options.h"
#include "tools/btimport/destination.h"
#include "tools/btimport/trace.h"

enum { FAULTS_SHOWN = 10 };	/* of a file */

struct run {
	const struct btimport_options *o;
	struct trace *trace;
	struct reading reading;
	const char *name;	/* of the file being read */
	const struct source *source;
	uint64_t faults;	/* lines of it that were skipped */
	bool said;		/* something about it */
	bool failed;
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = sig;
}

/* Ends the conversion; what there is stays, and is whole.  A closed pipe ends
 * the program. */
static void catch_signals(void)
{
	static const int ends[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &sa, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

/* --- what is wrong with a file -------------------------------------------- */

static void print_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	struct run *r = ctx;

	r->failed = r->said = true;
	if (line && ++r->faults > FAULTS_SHOWN)
		return;
	if (line)
		msg_warn("%s: line %" PRIu64 ", column %" PRIu64 ": %s",
			 r->name, line, at, why);
	else if (at)
		msg_warn("%s: byte %" PRIu64 ": %s", r->name, at, why);
	else
		msg_warn("%s: %s", r->name, why);
}

static void print_remark(void *ctx, const char *why)
{
	const struct run *r = ctx;

	msg_warn("%s: %s", r->name, why);
}

static void print_faults(const struct run *r)
{
	if (r->faults)
		msg_warn("%s: %" PRIu64 " line%s skipped", r->name, r->faults,
			 r->faults == 1 ? " was" : "s were");
}

static void show_progress(void *ctx)
{
	struct run *r = ctx;
	uint64_t done = 0, total = 0;

	/* the events of a pipe may be few */
	if (!reading_due(&r->reading) &&
	    !(r->reading.terminal && source_is_live(r->source)))
		return;
	source_progress(r->source, &done, &total);
	reading_show(&r->reading, done, total);
}

/* --- files ---------------------------------------------------------------- */

/* What any file may lack has no more words than the system has. */
static const char *why(int err)
{
	if (err == -EBADMSG || err == -EUCLEAN || err == -EILSEQ)
		return "its packed data is damaged or cut short";
	return err == -ENOENT || err == -EISDIR || err == -EACCES ?
		       strerror(-err) : inputs_why(err);
}

/* false: reported. */
static bool open_file(struct run *r, struct source **s)
{
	int err = strcmp(r->name, "-") ? source_open(s, r->name) :
					 source_fd(s, STDIN_FILENO);

	if (err)
		msg_warn("%s: %s", r->name, why(err));
	return !err;
}

static bool is_trace(const char *begin, size_t len)
{
	unsigned int version;
	bool swapped;

	return len >= BLK_HEADER_MIN &&
	       record_magic((const uint8_t *)begin, &version, &swapped);
}

/* The format of a file, NULL: reported. */
static const struct import_format *find_format(struct run *r,
					       const char *begin, size_t len)
{
	const struct import_format *f = r->o->from;
	char text[INPUTS_WHY];

	if (!f)
		f = import_format_of(begin, len);
	if (!len)
		msg_warn("%s: an empty file", r->name);
	else if (!f && is_trace(begin, len))
		msg_warn("%s: a trace already, which all programs read",
			 r->name);
	else if (!f && inputs_foreign(begin, len, r->name, text))
		msg_warn("%s: %s", r->name, text);
	else if (!f)
		msg_warn("%s: unknown format; name it with --from, or what is"
			 " in its columns with --columns", r->name);
	return len ? f : NULL;
}

static bool read_source(struct run *r, struct source *s, const char *begin,
			size_t len)
{
	const struct import_format *f = find_format(r, begin, len);
	int err;

	if (!f)
		return false;
	r->source = s;
	err = f->read(f, s, &r->o->import, trace_receiver(r->trace));
	print_faults(r);
	/* others are reported */
	if (err && err != -EINTR && err != -EIO &&
	    !(err == -EBADMSG && r->said))
		msg_warn("%s: %s", r->name, why(err));
	return !err && !r->faults;
}

static bool read_file(struct run *r, const char *name)
{
	struct source *s;
	const char *begin;
	ssize_t n;
	bool good;

	r->name = name;
	r->faults = 0;
	r->said = false;
	if (!open_file(r, &s))
		return false;
	n = source_peek(&s, s, FORMAT_BEGIN, &begin);
	if (n < 0) {
		if (n != -EINTR)
			msg_warn("%s: %s", name, why((int)n));
		return false;
	}
	good = read_source(r, s, begin, (size_t)n);
	source_close(s);
	return good;
}

static void read_files(struct run *r)
{
	reading_start(&r->reading, !r->o->no_progress);
	for (size_t i = 0; i < r->o->count && !stop; i++)
		r->failed |= !read_file(r, r->o->names[i]);
	reading_end(&r->reading);
}

/* --- all ------------------------------------------------------------------ */

static void print_end(const struct run *r)
{
	uint64_t events = trace_events(r->trace), lost = trace_lost(r->trace);
	uint32_t devices = trace_devices(r->trace);

	msg_warn("%" PRIu64 " event%s of %" PRIu32 " device%s", events,
		 events == 1 ? "" : "s", devices, devices == 1 ? "" : "s");
	if (lost)
		msg_warn("%" PRIu64 " event%s lost when it was recorded,"
			 " of these or other devices", lost,
			 lost == 1 ? " was" : "s were");
}

static bool run(const struct btimport_options *o)
{
	struct run r = { .o = o };
	struct destination out;
	bool good;

	if (!destination_open(&out, o))
		return false;
	r.trace = trace_new(&(struct trace_options){
		.sink = out.sink, .stream = out.stream, .stop = &stop,
		.turn = show_progress, .fault = print_fault,
		.remark = print_remark, .ctx = &r,
	});
	if (!r.trace)
		msg_die("out of memory");
	read_files(&r);
	good = !trace_end(r.trace) && !r.failed;
	good &= destination_close(&out);
	print_end(&r);
	trace_free(r.trace);
	return good;
}

static void confine(struct btimport_options *o)
{
	const struct writable outputs[] = {
		{ o->packed ? WRITABLE_FILE : WRITABLE_FOLDER, o->output,
		  NULL, NULL },
		{ WRITABLE_BEGIN, o->packed ? NULL : o->output, NULL,
		  ".blktrace." },
	};

	o->opener = confined_enter(&(struct confined){
		.files = o->names, .file_count = o->count,
		.program = &btimport_program, .options = o,
		.outputs = outputs, .output_count = 2,
	});
}

int main(int argc, char **argv)
{
	struct btimport_options o;
	bool good;

	msg_guard_fds();
	btimport_options_parse(&o, argc, argv);
	if (!destination_is_free(&o)) {
		btimport_options_free(&o);
		return 1;
	}
	catch_signals();
	limit_open_files();
	confine(&o);
	good = run(&o);
	btimport_options_free(&o);
	if (stop) {
		/* tells the shell which signal ended it */
		signal(stop, SIG_DFL);
		raise(stop);
	}
	return !good;
}
