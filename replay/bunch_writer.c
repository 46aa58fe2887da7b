/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing a replay file; see bunch_writer.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/opener.h"
#include "base/time.h"
#include "replay/bunch.h"
#include "replay/bunch_builder.h"
#include "replay/bunch_writer.h"

enum { BUFFER = 32768 };

struct bunch_writer {
	char *path;
	struct buf out;
	struct buf text;	/* .rec; its data is NULL without it */
	struct bunch_builder builder;
	struct bunch_writer_sums sums;
	uint64_t first;		/* time of the first I/O */
	bool any;
	bool kinds;		/* of a packet */
};

static int open_buf(struct buf *b, const struct opener *o, const char *path)
{
	int fd = opener_open(o, path,
			     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err;

	if (fd < 0)
		return -errno;
	err = buf_init(b, fd, BUFFER);
	if (err)
		close(fd);
	return err;
}

static int open_text(struct bunch_writer *r, const struct opener *o)
{
	char *path;
	int err;

	if (asprintf(&path, "%s.rec", r->path) < 0)
		return -ENOMEM;
	err = open_buf(&r->text, o, path);
	free(path);
	return err;
}

static void close_buf(struct buf *b)
{
	if (!b->data)
		return;
	close(b->fd);
	buf_free(b);
}

/* --- bunches ------------------------------------------------------------- */

/* 1.3.0: direction, sector, sectors; a kind is behind them. */
static void show_packet(struct bunch_writer *r, const struct packet *p)
{
	static const char *const kinds[PACKET_KINDS] = {
		[PACKET_DATA] = "",
		[PACKET_FLUSH] = " flush",
		[PACKET_DISCARD] = " discard",
		[PACKET_ZEROES] = " zeroes",
		[PACKET_FLUSHED] = " flushed",
	};

	buf_printf(&r->text, "\t%1d %10llu\t%10u%s%s%s\n", p->read,
		   (unsigned long long)p->sector, p->bytes / 512,
		   kinds[p->kind], p->preflush ? " preflush" : "",
		   p->fua ? " fua" : "");
}

/* The time of a bunch before the first I/O is negative. */
static void show_bunch(struct bunch_writer *r, const struct bunch *b)
{
	static const char bar[] = "------------------\n";
	bool before = b->time < r->first;
	uint64_t ns = before ? r->first - b->time : b->time - r->first;

	buf_printf(&r->text, "%s%s%4llu.%09llu %3u\n%s", bar, before ? "-" : "",
		   (unsigned long long)ns / NS_PER_SECOND,
		   (unsigned long long)ns % NS_PER_SECOND, b->count, bar);
	for (uint32_t i = 0; i < b->count; i++)
		show_packet(r, &b->packets[i]);
}

static int put_bunch(void *ctx, const struct bunch *b)
{
	struct bunch_writer *r = ctx;
	char *room = buf_room(&r->out, bunch_size(b));

	if (!room)
		return -r->out.error;
	buf_commit(&r->out, room + bunch_encode(b, (uint8_t *)room));
	r->sums.bunches++;
	r->sums.packets += b->count;
	if (r->text.data)
		show_bunch(r, b);
	return 0;
}

/* --- the file ------------------------------------------------------------ */

static void begin_file(struct bunch_writer *r)
{
	const struct bunch_file h = { .version = BUNCH_VERSION };
	uint8_t raw[BUNCH_FILE_HEAD];

	bunch_file_encode(&h, raw);
	buf_append(&r->out, raw, sizeof(raw));
}

int bunch_writer_open(struct bunch_writer **out, const struct opener *opener,
		      const char *path, const struct bunch_builder_options *o,
		      bool text)
{
	struct bunch_writer *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	bunch_builder_init(&r->builder, o, put_bunch, r);
	r->path = strdup(path);
	err = r->path ? open_buf(&r->out, opener, path) : -ENOMEM;
	if (!err && text)
		err = open_text(r, opener);
	if (err) {
		bunch_writer_close(r);
		return err;
	}
	begin_file(r);
	*out = r;
	return 0;
}

const char *bunch_writer_path(const struct bunch_writer *r)
{
	return r->path;
}

int bunch_writer_add(struct bunch_writer *r, uint64_t time,
		     const struct packet *p)
{
	if (!r->any) {
		r->any = true;
		r->first = r->sums.genesis = time;
	}
	if (time < r->first)
		r->sums.early++;
	if (time < r->sums.genesis)
		r->sums.genesis = time;
	r->kinds |= packet_has_kind(p);
	return bunch_builder_add(&r->builder, time, p);
}

static int write_header(struct bunch_writer *r)
{
	const struct bunch_file h = {
		.version = BUNCH_VERSION,
		.genesis = r->sums.genesis,
		.bunches = r->sums.bunches,
		.packets = r->sums.packets,
		.kinds = r->kinds,
	};
	uint8_t raw[BUNCH_FILE_HEAD];
	ssize_t n;

	bunch_file_encode(&h, raw);
	n = pwrite(r->out.fd, raw, sizeof(raw), 0);
	if (n < 0)
		return -errno;
	return n == sizeof(raw) ? 0 : -EIO;
}

int bunch_writer_flush(struct bunch_writer *r, struct bunch_writer_sums *sums)
{
	int err = bunch_builder_flush(&r->builder);
	int flushed = buf_flush(&r->out);

	*sums = r->sums;
	if (!err)
		err = flushed;
	if (!err && r->text.data)
		err = buf_flush(&r->text);
	return err ? err : write_header(r);
}

void bunch_writer_close(struct bunch_writer *r)
{
	if (!r)
		return;
	close_buf(&r->out);
	close_buf(&r->text);
	free(r->path);
	free(r);
}
