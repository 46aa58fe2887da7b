/* SPDX-License-Identifier: GPL-2.0-only */
/* Where an imported trace goes; see destination.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/msg.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/to/sink_packed.h"
#include "capture/to/sink_pipe.h"
#include "tools/btimport/folder_sink.h"
#include "tools/btimport/options.h"
#include "tools/btimport/destination.h"

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { print_line, NULL };

/* --- what is in the way --------------------------------------------------- */

struct search {
	const char *name;	/* of files, without a directory */
	bool found;
};

static int look_at(void *ctx, const struct folder_item *item)
{
	struct search *s = ctx;
	size_t len = strlen(s->name);

	s->found |= !strncmp(item->name, s->name, len) &&
		    !strncmp(item->name + len, ".blktrace.", 10);
	return 0;
}

/* Files of an earlier trace would be taken for a part of this one. */
static bool has_files(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct search s = { slash ? slash + 1 : path, false };
	char *dir = slash ? strndup(path, (size_t)(slash + 1 - path)) :
			    strdup("");

	if (!dir)
		msg_die("out of memory");
	folder_walk_directory(dir, look_at, &s);
	free(dir);
	return s.found;
}

bool destination_is_free(const struct btimport_options *o)
{
	struct stat st;

	if (!o->output || o->packed)
		return true;
	if (!lstat(o->output, &st)) {
		msg_warn("%s exists: choose another name with -o", o->output);
		return false;
	}
	if (has_files(o->output)) {
		msg_warn("%s.blktrace.* exist: choose another name with -o, or"
			 " remove them", o->output);
		return false;
	}
	return true;
}

/* --- kinds ---------------------------------------------------------------- */

static int open_packed(struct destination *out,
		       const struct btimport_options *o)
{
	int err = place_open(&out->place, &o->opener, o->output);
	const struct sink_packed_options po = {
		.file = { .fd = out->place.fd, .reporter = &reporter },
	};

	return err ? err : sink_packed_new(&out->sink, &po);
}

static int open_stream(struct destination *out)
{
	out->stream = true;
	out->sink = sink_pipe_new(STDOUT_FILENO, &reporter);
	return out->sink ? 0 : -ENOMEM;
}

bool destination_open(struct destination *out, const struct btimport_options *o)
{
	int err;

	*out = (struct destination){ .place.fd = -1 };
	if (!o->output)
		err = open_stream(out);
	else if (o->packed)
		err = open_packed(out, o);
	else
		err = folder_sink_new(&out->sink, &o->opener, o->output,
				      &reporter);
	if (err == -EOPNOTSUPP)
		msg_warn("%s: built without libzstd, which packs traces",
			 o->output);
	else if (err)
		msg_warn("%s: %s", o->output ? o->output : "standard output",
			 strerror(-err));
	if (err)
		place_discard(&out->place);
	return !err;
}

bool destination_close(struct destination *out)
{
	const struct sink_ops *ops = out->sink->ops;
	int err = ops->end ? ops->end(out->sink) : 0;

	ops->free(out->sink);
	if (err || out->place.fd < 0) {
		place_discard(&out->place);
		return !err;
	}
	err = place_commit(&out->place);
	if (err)
		msg_warn("cannot write the packed file: %s", strerror(-err));
	return !err;
}
