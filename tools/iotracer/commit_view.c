/* SPDX-License-Identifier: GPL-2.0-only */
/* --commits; see commit_view.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/look.h"
#include "commit/commit_sums.h"
#include "commit/commits.h"
#include "emit/commit_text.h"
#include "record/record.h"
#include "request/ios.h"
#include "run/reader.h"
#include "tools/iotracer/commit_view.h"

enum { TEXT_BUFFER = 65536, QUIET_MS = 100 };

/* --- reading -------------------------------------------------------------- */

struct view {
	struct buf out;
	struct ios *ios;
	struct ios_watcher watcher;
	struct commits *commits;
	struct commit_sums sums;
	uint64_t lines, shown;	/* 0: all */
	bool ends;		/* after these lines */
	int failed;		/* -errno of an event */
};

static const char *name_of(const struct view *v, const struct commit *c,
			   uint32_t pid)
{
	return reader_process(ios_reader(v->ios), c->origin, pid);
}

static void put_time(struct buf *b, uint64_t ns)
{
	buf_printf(b, "%llu.%06llu ", (unsigned long long)(ns / NS_PER_SECOND),
		   (unsigned long long)(ns % NS_PER_SECOND / 1000));
}

static int show(void *ctx, const struct commit *c)
{
	struct view *v = ctx;
	struct commit_names names = {
		.file = commits_path(v->commits, c->origin, c->file),
		.process = name_of(v, c, c->thread),
		.other = c->other ? name_of(v, c, c->other) : NULL,
	};

	if (c->kind != COMMIT_CALL)
		return 0;
	if (!names.file)
		names.file = "?";
	if (!names.process)
		names.process = "?";
	if (!v->lines || v->shown < v->lines) {
		put_time(&v->out, c->time);
		commit_text_line(&v->out, c, &names);
		v->shown++;
	}
	return commit_sums_add(&v->sums, c, &names);
}

static void take_message(void *ctx, const struct event *ev)
{
	struct view *v = ctx;
	int err = commits_message(v->commits, ev);

	if (err)
		v->failed = err;
}

static void take_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	const struct view *v = ctx;

	(void)origin;
	(void)device;
	commits_gap(v->commits, begins);
}

static const char *process_name(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

static int open_all(struct view *v)
{
	const struct reader_options o = { .window = WINDOW_ALL,
					  .quiet_ms = QUIET_MS };
	struct commits_options c = { .name = process_name, .take = show,
				     .ctx = v };
	int err = ios_open(&v->ios, &o);

	if (err)
		return err;
	c.name_ctx = ios_reader(v->ios);
	v->watcher = (struct ios_watcher){ take_message, take_gap, v };
	ios_watch_messages(v->ios, &v->watcher);
	err = commits_new(&v->commits, &c);
	return err ? err : reader_add(ios_reader(v->ios), "-");
}

/* until the end: 0, or -errno */
static int read_all(struct view *v)
{
	const struct io *io;
	int got;

	while (!(v->ends && v->shown == v->lines)) {
		got = ios_next(v->ios, &io);
		if (got > 0)
			got = commits_io(v->commits, io);
		else if (got == -EAGAIN)
			got = commits_until(v->commits, ios_time(v->ios));
		else if (!got)
			return v->failed ? v->failed :
					   commits_end(v->commits);
		if (got && got != -EINTR)
			return got;
		if (v->failed || buf_flush(&v->out))
			return v->failed ? v->failed : -v->out.error;
	}
	return 0;
}

static void put_sums(struct view *v)
{
	const struct look_options none = { .width = 0 };
	struct look look;

	if (!v->sums.all.count)
		return;
	look_init(&look, &none, STDOUT_FILENO);
	commit_sums_sort(&v->sums);
	commit_text_sums(&v->out, &v->sums, &look);
}

static int view(uint64_t lines, bool ends)
{
	struct view *v = calloc(1, sizeof(*v));
	int err = v ? buf_init(&v->out, STDOUT_FILENO, TEXT_BUFFER) : -ENOMEM;

	if (!err) {
		v->lines = lines;
		v->ends = lines && ends;
		err = open_all(v);
	}
	if (!err)
		err = read_all(v);
	if (!err) {
		put_sums(v);
		err = buf_flush(&v->out);
	}
	if (err && err != -EPIPE)
		msg_warn("cannot show the calls: %s", strerror(-err));
	if (v) {
		commits_free(v->commits);
		ios_close(v->ios);
		commit_sums_free(&v->sums);
		buf_free(&v->out);
	}
	free(v);
	return err ? 1 : 0;
}

/* --- its process ---------------------------------------------------------- */

/* Its end is that of the pipe, not a signal that the capture gets, too. */
__attribute__((noreturn)) static void run(int from, uint64_t lines,
					  bool ends)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
	if (dup2(from, STDIN_FILENO) < 0)
		_exit(1);
	exit(view(lines, ends));
}

int commit_view_start(struct commit_view *v, uint64_t lines, bool ends)
{
	int pipe[2], err;

	if (pipe2(pipe, O_CLOEXEC)) {
		err = -errno;
		msg_warn("cannot make a pipe:");
		return err;
	}
	v->pid = fork();
	if (!v->pid) {
		close(pipe[1]);
		run(pipe[0], lines, ends);
	}
	err = v->pid < 0 ? -errno : 0;
	if (err)
		msg_warn("cannot start a process to show the calls:");
	close(pipe[0]);
	v->to = pipe[1];
	return err;
}

int commit_view_end(struct commit_view *v)
{
	int status = 0;

	if (v->to >= 0)
		close(v->to);
	v->to = -1;
	if (v->pid <= 0)
		return 0;
	while (waitpid(v->pid, &status, 0) < 0 && errno == EINTR)
		;
	v->pid = 0;
	return status ? -EIO : 0;
}
