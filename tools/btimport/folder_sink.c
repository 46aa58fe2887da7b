/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to a directory; see folder_sink.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/opener.h"
#include "base/text.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "tools/btimport/folder_sink.h"

struct folder {
	struct sink sink;
	const struct opener *opener;
	const char *path;
	const struct capture_reporter *reporter;
	char *device;		/* of the first file */
	bool several;		/* other devices, too */
	char **files;		/* names in the directory */
	size_t count;
	int error;		/* the first, reported */
};

static int fail(struct folder *f, const char *name, int err)
{
	if (!f->error)
		reporter_write(f->reporter, "cannot write %s/%s: %s", f->path,
			       name, strerror(-err));
	if (!f->error)
		f->error = err;
	return err;
}

/* Keeps a name for the end; takes it over. */
static int keep(struct folder *f, char *name)
{
	char **files = array_resize(f->files, f->count + 1, sizeof(*files));

	if (!files) {
		free(name);
		return -ENOMEM;
	}
	f->files = files;
	files[f->count++] = name;
	return 0;
}

/* Makes a file: its descriptor, or -errno, reported. */
static int make(struct folder *f, const char *name)
{
	char *path;
	int fd;

	if (text_print(&path, "%s/%s", f->path, name) < 0)
		return fail(f, name, -ENOMEM);
	fd = opener_open(f->opener, path, O_WRONLY | O_CREAT | O_EXCL |
			 O_CLOEXEC, 0666);
	fd = fd < 0 ? fail(f, name, -errno) : fd;
	free(path);
	return fd;
}

static int write_all(struct folder *f, const char *name, int fd,
		     const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(f, name, -errno);
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* --- as a sink ------------------------------------------------------------ */

static int folder_open(struct sink *base, struct sink_lane *l)
{
	struct folder *f = (struct folder *)base;
	char *name;
	int fd;

	if (text_print(&name, "%s.blktrace.%u", l->name, l->cpu) < 0)
		return -ENOMEM;
	fd = make(f, name);
	if (fd < 0) {
		free(name);
		return fd;
	}
	l->out = (void *)(intptr_t)fd;
	if (!f->device)
		f->device = strdup(l->name);
	f->several |= !f->device || strcmp(f->device, l->name);
	return keep(f, name);
}

static int folder_write(struct sink *base, struct sink_lane *l,
			const void *records, size_t len)
{
	struct folder *f = (struct folder *)base;

	return f->error ? f->error :
			  write_all(f, l->name, (int)(intptr_t)l->out, records,
				    len);
}

static int folder_flush(struct sink *s, struct sink_lane *l)
{
	(void)s, (void)l;
	return 0;
}

static int folder_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct folder *f = (struct folder *)base;

	(void)drops;
	return close((int)(intptr_t)l->out) ? fail(f, l->name, -errno) : 0;
}

static int folder_aside(struct sink *base, const char *name, const void *bytes,
			size_t len)
{
	struct folder *f = (struct folder *)base;
	char *kept = strdup(name);
	int fd = kept ? make(f, name) : -ENOMEM;
	int err = fd < 0 ? fd : write_all(f, name, fd, bytes, len);

	if (fd >= 0 && close(fd) && !err)
		err = fail(f, name, -errno);
	if (fd >= 0)
		return keep(f, kept) ? -ENOMEM : err;
	free(kept);
	return err;
}

/* --- the end -------------------------------------------------------------- */

/* NAME/sda.blktrace.0 becomes NAME.blktrace.0. */
static int leave(struct folder *f, const char *name)
{
	char *from = NULL, *to = NULL;
	int err = -ENOMEM;

	if (text_print(&from, "%s/%s", f->path, name) >= 0 &&
	    text_print(&to, "%s%s", f->path, name + strlen(f->device)) >= 0)
		err = opener_rename(f->opener, from, to) ? -errno : 0;
	free(from);
	free(to);
	return err ? fail(f, name, err) : 0;
}

static int folder_end(struct sink *base)
{
	struct folder *f = (struct folder *)base;
	int err = f->error;

	if (f->several)
		return err;
	for (size_t i = 0; !err && i < f->count; i++)
		err = leave(f, f->files[i]);
	if (!err && opener_remove(f->opener, f->path))
		err = fail(f, "", -errno);
	return err;
}

static void folder_free(struct sink *base)
{
	struct folder *f = (struct folder *)base;

	for (size_t i = 0; i < f->count; i++)
		free(f->files[i]);
	free(f->files);
	free(f->device);
	free(f);
}

static const struct sink_ops folder_ops = {
	.open = folder_open,
	.write = folder_write,
	.flush = folder_flush,
	.close = folder_close,
	.free = folder_free,
	.aside = folder_aside,
	.end = folder_end,
};

int folder_sink_new(struct sink **s, const struct opener *o, const char *path,
		    const struct capture_reporter *reporter)
{
	struct folder *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	if (opener_mkdir(o, path, 0777)) {
		int err = -errno;

		free(f);
		return err;
	}
	f->sink.ops = &folder_ops;
	f->opener = o;
	f->path = path;
	f->reporter = reporter;
	*s = &f->sink;
	return 0;
}
