/* SPDX-License-Identifier: GPL-2.0-only */
/* A packed trace being written; see packed_file.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/to/packed_file.h"
#include "capture/to/sink_pipe.h"
#include "pack/format.h"
#include "pack/index.h"
#include "pack/packer.h"

enum { RESERVED = 128 << 10 };	/* bytes for a last card and the index */

struct packed_file {
	struct packed_file_options o;
	char *path;		/* NULL: a pipe */
	struct sink *pipe;	/* or NULL */
	int fd;			/* of the file, or -1 */
	int reserve;		/* a file without a name, or -1 */
	atomic_ullong end;	/* where the next block is written */
	atomic_uint streams;
	atomic_int error;	/* of the first failed block, or 0 */
	pthread_mutex_t lock;	/* of the next two; of a pipe's blocks */
	struct pack_index index;
	uint64_t whole;		/* end of the last whole block */
};

/* --- bytes ---------------------------------------------------------------- */

static int write_at(int fd, const uint8_t *p, size_t len, uint64_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
		at += (uint64_t)n;
	}
	return 0;
}

/* To a pipe with the lock held, so that blocks are in order. */
static int append(struct packed_file *f, const uint8_t *block, size_t len,
		  uint64_t *at)
{
	struct sink *pipe = f->pipe;
	int err;

	*at = atomic_fetch_add(&f->end, len);
	err = f->path ? write_at(f->fd, block, len, *at) :
			pipe->ops->write(pipe, NULL, block, len);
	if (!err && f->o.stored)
		atomic_fetch_add(f->o.stored, len);
	return err;
}

static void note_whole(struct packed_file *f, uint64_t end)
{
	f->whole = end > f->whole ? end : f->whole;
}

/* An index block, with the lock held. */
static int put_index(void *ctx, const uint8_t *block, size_t len, uint64_t *at)
{
	struct packed_file *f = ctx;
	int err = append(f, block, len, at);

	if (!err)
		note_whole(f, *at + len);
	return err;
}

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct packed_file *f = ctx;
	uint64_t at;
	int err;

	if (!f->path)
		pthread_mutex_lock(&f->lock);
	err = append(f, block, len, &at);
	if (f->path)
		pthread_mutex_lock(&f->lock);
	if (!err) {
		note_whole(f, at + len);
		err = pack_index_add(&f->index, h, at);
	}
	pthread_mutex_unlock(&f->lock);
	return err;
}

/* Without it a full disk has no index, and perhaps an old card. */
static int reserve(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC,
			     0600) : -1;

	free(copy);
	if (fd >= 0 && fallocate(fd, 0, 0, RESERVED)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Tries again what there was no space for, as another segment had it. */
static void reserve_late(struct packed_file *f)
{
	pthread_mutex_lock(&f->lock);
	if (f->path && f->reserve < 0)
		f->reserve = reserve(f->path);
	pthread_mutex_unlock(&f->lock);
}

/* A pipe reports its errors itself. */
static int fail(struct packed_file *f, int err)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&f->error, &none, err) && f->path)
		reporter_write(f->o.reporter, "cannot write %s: %s", f->path,
			       strerror(-err));
	return err;
}

/* Removes what follows the last whole block, and releases the reserved space;
 * whether there was any.  Blocks that came whole after a failed one stay. */
static bool make_room(struct packed_file *f)
{
	bool had = f->reserve >= 0;

	if (had)
		close(f->reserve);
	f->reserve = -1;
	if (f->path && atomic_load(&f->end) != f->whole &&
	    !ftruncate(f->fd, (off_t)f->whole))
		atomic_store(&f->end, f->whole);
	return had;
}

/* --- as it is written ----------------------------------------------------- */

uint32_t packed_file_stream(struct packed_file *f)
{
	return atomic_fetch_add(&f->streams, 1);
}

int packed_file_put(void *ctx, const struct pack_header *h,
		    const uint8_t *block, size_t len)
{
	struct packed_file *f = ctx;
	int err = atomic_load(&f->error);

	if (!err)
		err = put(f, h, block, len);
	if (err)
		return fail(f, err);
	reserve_late(f);
	return 0;
}

static int put_aside(struct packed_file *f, const char *name,
		     const void *bytes, size_t len)
{
	struct packer *p = packer_new(&(struct packer_options){
		.name = name, .stream = packed_file_stream(f), .aside = true,
		.put = put, .ctx = f });
	ssize_t n = p ? packer_add(p, bytes, len, true) : -ENOMEM;
	int err = n < 0 ? (int)n : packer_end(p);

	packer_free(p);
	return err;
}

int packed_file_aside(struct packed_file *f, const char *name,
		      const void *bytes, size_t len)
{
	int err;

	if (atomic_load(&f->error))
		make_room(f);
	err = put_aside(f, name, bytes, len);
	if (err && make_room(f))
		err = put_aside(f, name, bytes, len);
	if (err)
		make_room(f);
	return err;
}

int packed_file_end(struct packed_file *f)
{
	int err;

	make_room(f);
	err = pack_index_end(&f->index);
	if (err)
		make_room(f);
	if (f->path && close(f->fd) && !err)
		err = -errno;
	f->fd = -1;
	return err ? fail(f, err) : 0;
}

/* --- life ----------------------------------------------------------------- */

static int open_pipe(struct packed_file *f)
{
	f->pipe = sink_pipe_new(f->o.fd, f->o.reporter);
	return f->pipe ? 0 : -ENOMEM;
}

static int open_file(struct packed_file *f, const char *path)
{
	int err;

	f->path = strdup(path);
	if (!f->path)
		return -ENOMEM;
	f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	err = f->fd < 0 ? -errno : 0;
	if (err)
		reporter_write(f->o.reporter, "Open output file %s failed:"
			       " %d/%s", path, -err, strerror(-err));
	else
		f->reserve = reserve(path);
	return err;
}

int packed_file_new(struct packed_file **out,
		    const struct packed_file_options *o)
{
	struct packed_file *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->o = *o;
	f->fd = f->reserve = -1;
	f->index.put = put_index;
	f->index.ctx = f;
	pthread_mutex_init(&f->lock, NULL);
	err = pack_index_begin(&f->index);
	if (!err)
		err = o->path ? open_file(f, o->path) : open_pipe(f);
	if (err)
		packed_file_free(f);
	else
		*out = f;
	return err;
}

void packed_file_free(struct packed_file *f)
{
	if (f->pipe)
		f->pipe->ops->free(f->pipe);
	if (f->reserve >= 0)
		close(f->reserve);
	if (f->fd >= 0)
		close(f->fd);
	pack_index_free(&f->index);
	pthread_mutex_destroy(&f->lock);
	free(f->path);
	free(f);
}
