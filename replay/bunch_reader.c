/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a replay file; see bunch_reader.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/bunch.h"
#include "replay/bunch_reader.h"

/* at least two bunches of any size, and some 6,000 of one I/O */
enum { BUFFER = 1 << 18 };

struct bunch_reader {
	char *path;
	int fd;
	struct bunch_file header;
	uint64_t at;		/* offset of the buffer in the file */
	size_t next, end;	/* in the buffer, not handed out */
	int error;		/* -errno of a read that failed */
	char fault[128];
	uint8_t buf[BUFFER];
};

const char *bunch_reader_path(const struct bunch_reader *r)
{
	return r->path;
}

const struct bunch_file *bunch_reader_header(const struct bunch_reader *r)
{
	return &r->header;
}

const char *bunch_reader_fault(const struct bunch_reader *r)
{
	return r->fault;
}

/* Moves the rest to the front and reads more. */
static void fill(struct bunch_reader *r)
{
	ssize_t n = 1;

	memmove(r->buf, r->buf + r->next, r->end - r->next);
	r->at += r->next;
	r->end -= r->next;
	r->next = 0;
	while (n > 0 && r->end < BUFFER) {
		n = pread(r->fd, r->buf + r->end, BUFFER - r->end,
			  (off_t)(r->at + r->end));
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n < 0)
			r->error = -errno;
		else
			r->end += (size_t)n;
	}
}

void bunch_reader_fill(struct bunch_reader *r)
{
	if (r->next >= BUFFER / 2)
		fill(r);
}

static int read_header(struct bunch_reader *r)
{
	fill(r);
	if (r->error)
		return r->error;
	if (r->end == 0)
		return -ENODATA;
	if (r->end < BUNCH_FILE_HEAD)
		return -EBADMSG;
	bunch_file_decode(&r->header, r->buf);
	r->next = BUNCH_FILE_HEAD;
	return 0;
}

int bunch_reader_open(struct bunch_reader **out, const char *path)
{
	struct bunch_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	err = r->fd < 0 ? -errno : 0;
	r->path = strdup(path);
	if (!err)
		err = r->path ? read_header(r) : -ENOMEM;
	if (err) {
		bunch_reader_close(r);
		return err;
	}
	*out = r;
	return 0;
}

void bunch_reader_close(struct bunch_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	free(r);
}

void bunch_reader_rewind(struct bunch_reader *r)
{
	r->at = BUNCH_FILE_HEAD;
	r->next = r->end = 0;
	r->error = 0;
	fill(r);
}

static int fail(struct bunch_reader *r, size_t at, const char *what)
{
	snprintf(r->fault, sizeof(r->fault), "byte %" PRIu64 ": %s",
		 r->at + r->next + at, what);
	return -1;
}

static int decode(struct bunch_reader *r, struct bunch *b)
{
	const char *what;
	size_t at;
	int size = bunch_decode(b, r->buf + r->next, r->end - r->next,
				r->header.kinds, &what, &at);

	if (size < 0)
		return fail(r, at, what);
	r->next += (size_t)size;
	return size > 0;
}

int bunch_reader_next(struct bunch_reader *r, struct bunch *b)
{
	int got = decode(r, b);

	if (got)
		return got;
	fill(r);
	got = decode(r, b);
	if (got)
		return got;
	if (r->error)
		return fail(r, r->end - r->next, strerror(-r->error));
	if (r->end > r->next)
		return fail(r, r->end - r->next, "cut inside a bunch");
	return 0;
}
