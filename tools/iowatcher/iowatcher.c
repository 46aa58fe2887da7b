/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iowatcher: what is in traces, as a picture.
 *
 * Reads joined ios from request/ios, keeps sums of fixed size for each trace,
 * and draws them with emit/svg.  Manual: doc/iowatcher.1.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/page.h"
#include "tools/iowatcher/traced.h"

enum { OUT_SIZE = 65536 };

struct run {
	struct watch_options o;
	struct traced *traces;
	size_t count;
};

/* --- what is read --------------------------------------------------------- */

static void read_traces(struct run *r)
{
	r->traces = calloc(r->o.traces.count, sizeof(*r->traces));
	if (!r->traces)
		msg_die("out of memory");
	for (; r->count < r->o.traces.count; r->count++)
		traced_read(&r->traces[r->count], &r->o,
			    &r->o.traces.list[r->count]);
}

static void report_loss(const struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->traces[i].missing)
			msg_warn("%s: %llu records are lost",
				 r->o.traces.list[i].path,
				 (unsigned long long)r->traces[i].missing);
}

static bool is_empty(const struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->traces[i].ios)
			return false;
	return true;
}

static bool is_damaged(const struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->traces[i].damaged)
			return true;
	return false;
}

static void free_run(struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		traced_free(&r->traces[i]);
	free(r->traces);
	watch_options_free(&r->o);
}

/* --- what is written ------------------------------------------------------ */

/* 1.3.0: a file that was not there is its owner's alone */
static bool open_picture(struct outfile *f, const char *path)
{
	bool is_new = access(path, F_OK);

	if (!strcmp(path, "-")) {
		outfile_open(f, NULL, OUT_SIZE);
		return true;
	}
	if (!outfile_open_whole(f, path, OUT_SIZE))
		return false;
	if (is_new)
		fchmod(f->place.fd, S_IRUSR | S_IWUSR);
	return true;
}

static bool write_picture(const struct run *r)
{
	struct outfile f;

	if (!open_picture(&f, r->o.output))
		return false;
	page_draw(&f.buf, &r->o, r->traces, r->count);
	outfile_flush(&f, "");
	return outfile_close(&f);
}

int main(int argc, char **argv)
{
	struct run r = { .count = 0 };
	int status;

	msg_guard_fds();
	watch_options_parse(&r.o, argc, argv);
	limit_open_files();
	read_traces(&r);
	report_loss(&r);
	if (is_empty(&r)) {
		msg_warn("there is nothing to draw");
		status = 1;
	} else {
		status = !write_picture(&r) || is_damaged(&r);
	}
	free_run(&r);
	return status;
}
