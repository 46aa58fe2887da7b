/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iowatcher: what is in traces, as a picture.
 *
 * Reads joined ios from request/ios, keeps sums of fixed size for each trace,
 * and draws them with emit/svg.  Manual: doc/iowatcher.1.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/page.h"
#include "tools/iowatcher/sources.h"

enum { OUT_SIZE = 65536 };

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

static bool write_picture(const struct watch_options *o,
			  const struct sources *s)
{
	struct outfile f;

	if (!open_picture(&f, o->output))
		return false;
	page_draw(&f.buf, o, s);
	outfile_flush(&f, "");
	return outfile_close(&f);
}

int main(int argc, char **argv)
{
	struct watch_options o;
	struct sources s;
	int status;

	msg_guard_fds();
	watch_options_parse(&o, argc, argv);
	limit_open_files();
	sources_read(&s, &o);
	if (!sources_any(&s, sources_graphs(&s, &o))) {
		msg_warn("there is nothing to draw");
		status = 1;
	} else {
		status = !write_picture(&o, &s) || sources_damaged(&s);
	}
	sources_free(&s);
	watch_options_free(&o);
	return status;
}
