/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to files; see sink_file.h.
 *
 * Writes blocks of whole records, packed each as a gzip member, so that a
 * killed run leaves readable files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/to/sink_file.h"

enum {
	BLOCK = 262144,		/* bytes gathered for a gzip member */
	ANY_GZIP = 15 + 16,
	MEMORY_LEVEL = 8,
};

struct sink_file {
	struct sink sink;
	struct sink_file_options o;
};

/* what a lane has */
struct out {
	int fd;
	char *path;
	bool broken;		/* reported; writes no more */
	uint8_t *block;		/* records not packed yet; BLOCK bytes */
	size_t len;
};

static char *path_of(const struct sink_file *s, const char *name, uint32_t cpu)
{
	char *path;

	if (asprintf(&path, "%s/%s.blktrace.%u%s",
		     s->o.directory ? s->o.directory : ".",
		     s->o.base ? s->o.base : name, cpu,
		     s->o.level ? ".gz" : "") < 0)
		return NULL;
	return path;
}

static int create(const struct sink_file *s, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd >= 0)
		return fd;
	fd = -errno;
	reporter_write(s->o.reporter, "Open output file %s failed: %d/%s",
		       path, -fd, strerror(-fd));
	return fd;
}

static void out_free(struct out *out)
{
	free(out->path);
	free(out->block);
	free(out);
}

static int file_open(struct sink *base, struct sink_lane *l)
{
	struct sink_file *s = (struct sink_file *)base;
	struct out *out = calloc(1, sizeof(*out));

	if (!out)
		return -ENOMEM;
	out->path = path_of(s, l->name, l->cpu);
	if (s->o.level)
		out->block = malloc(BLOCK);
	if (!out->path || (s->o.level && !out->block)) {
		out_free(out);
		return -ENOMEM;
	}
	out->fd = create(s, out->path);
	if (out->fd < 0) {
		int err = out->fd;

		out_free(out);
		return err;
	}
	l->out = out;
	return 0;
}

/* After a failed write, cuts off the partial record. */
static void cut(const struct sink_file *s, struct out *out,
		const void *bytes, size_t done, bool packed)
{
	size_t whole = packed ? 0 : span_of(bytes, done).len;
	off_t end = lseek(out->fd, 0, SEEK_CUR);

	out->broken = true;
	if (end >= 0 && ftruncate(out->fd, end - (off_t)(done - whole)))
		reporter_write(s->o.reporter, "cannot cut %s: %s", out->path,
			       strerror(errno));
}

static int report_unwritten(const struct sink_file *s, const struct out *out,
			    int err)
{
	reporter_write(s->o.reporter, "cannot write %s: %s", out->path,
		       strerror(-err));
	return err;
}

/* Writes whole records, or (packed) a gzip member of them. */
static int write_block(const struct sink_file *s, struct out *out,
		       const void *bytes, size_t len, bool packed)
{
	const uint8_t *p = bytes;
	size_t left = len;

	while (left) {
		ssize_t n = write(out->fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int err = report_unwritten(s, out, -errno);

			cut(s, out, bytes, len - left, packed);
			return err;
		}
		p += n;
		left -= (size_t)n;
	}
	if (s->o.stored)
		atomic_fetch_add(s->o.stored, len);
	return 0;
}

/* Writes whole records as a gzip member. */
static int write_member(const struct sink_file *s, struct out *out,
			const void *bytes, size_t len)
{
	z_stream z = { .next_in = (void *)bytes,
		       .avail_in = (unsigned int)len };
	uint8_t *packed;
	size_t room;
	int err = -ENOMEM;

	if (deflateInit2(&z, s->o.level, Z_DEFLATED, ANY_GZIP, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	room = deflateBound(&z, len);
	packed = malloc(room);
	if (packed) {
		z.next_out = packed;
		z.avail_out = (unsigned int)room;
		deflate(&z, Z_FINISH);
		err = write_block(s, out, packed, room - z.avail_out, true);
	}
	deflateEnd(&z);
	free(packed);
	return err;
}

static int write_gathered(const struct sink_file *s, struct out *out)
{
	size_t len = out->len;

	out->len = 0;
	return len ? write_member(s, out, out->block, len) : 0;
}

static int file_write(struct sink *base, struct sink_lane *l,
		      const void *records, size_t len)
{
	struct sink_file *s = (struct sink_file *)base;
	struct out *out = l->out;
	int err = 0;

	if (out->broken)
		return -EIO;
	if (!s->o.level)
		return write_block(s, out, records, len, false);
	if (out->len + len > BLOCK)
		err = write_gathered(s, out);
	if (!err && len > BLOCK)
		return write_member(s, out, records, len);
	if (!err) {
		memcpy(out->block + out->len, records, len);
		out->len += len;
	}
	return err;
}

/* Writes gathered records first. */
int sink_file_member(struct sink *base, struct sink_lane *l, const void *member,
		     size_t len)
{
	struct sink_file *s = (struct sink_file *)base;
	struct out *out = l->out;
	int err = out->broken ? -EIO : write_gathered(s, out);

	return err ? err : write_block(s, out, member, len, true);
}

static int file_flush(struct sink *base, struct sink_lane *l)
{
	struct sink_file *s = (struct sink_file *)base;

	return s->o.level ? write_gathered(s, l->out) : 0;
}

static int file_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct out *out = l->out;
	int err = out->broken ? 0 : file_flush(base, l);

	(void)drops;
	if (close(out->fd) && !err)
		err = report_unwritten((struct sink_file *)base, out, -errno);
	out_free(out);
	l->out = NULL;
	return err;
}

static void file_free(struct sink *s)
{
	free(s);
}

static int file_touch(struct sink *base, const char *name, uint32_t cpu)
{
	const struct sink_file *s = (struct sink_file *)base;
	char *path = path_of(s, name, cpu);
	int fd = path ? create(s, path) : -ENOMEM;

	free(path);
	return fd < 0 ? fd : close(fd);
}

static const struct sink_ops file_ops = {
	.open = file_open,
	.write = file_write,
	.flush = file_flush,
	.close = file_close,
	.free = file_free,
	.touch = file_touch,
};

static int report_errno(const struct sink_file_options *o, const char *what)
{
	int err = -errno;

	reporter_write(o->reporter, "Destination dir %s %s: %d/%s",
		       o->directory, what, -err, strerror(-err));
	return err;
}

int sink_file_directory(const struct sink_file_options *o)
{
	const char *path = o->directory;
	struct stat st;

	if (!path)
		return 0;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return 0;
		reporter_write(o->reporter, "Destination dir %s is no"
			       " directory", path);
		return -ENOTDIR;
	}
	if (errno != ENOENT)
		return report_errno(o, "stat failed");
	return mkdir(path, 0755) ? report_errno(o, "can't be made") : 0;
}

int sink_file_new(struct sink **out, const struct sink_file_options *o)
{
	struct sink_file *s;
	int err = sink_file_directory(o);

	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->sink.ops = &file_ops;
	s->o = *o;
	*out = &s->sink;
	return 0;
}
