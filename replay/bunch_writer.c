/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a replay file; see bunch_writer.h. */
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
#include "replay/bunch_writer.h"

void bunch_builder_init(struct bunch_builder *b,
			const struct bunch_builder_options *o,
			int (*put)(void *ctx, const struct bunch *bunch),
			void *ctx)
{
	b->o = *o;
	b->put = put;
	b->ctx = ctx;
	b->open.count = 0;
	b->held_count = 0;
}

/* --- 1.3.0's rule -------------------------------------------------------- */

static int put_open(struct bunch_builder *b)
{
	int err = b->open.count ? b->put(b->ctx, &b->open) : 0;

	b->open.count = 0;
	return err;
}

/* 1.3.0: the difference is unsigned, so an earlier I/O never fits. */
static bool fits(const struct bunch_builder *b, uint64_t time)
{
	return b->open.count < b->o.max_packets &&
	       time - b->open.time <= b->o.max_time;
}

static int add_to_open(struct bunch_builder *b, uint64_t time,
		       const struct packet *p)
{
	int err = b->open.count && !fits(b, time) ? put_open(b) : 0;

	if (!b->open.count)
		b->open.time = time;
	b->open.packets[b->open.count++] = *p;
	return err;
}

/* --- the exact rule ------------------------------------------------------ */

static int put_held(struct bunch_builder *b, uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		b->open.time = b->held[i].time;
		b->open.count = 1;
		b->open.packets[0] = b->held[i].packet;
		err = put_open(b);
	}
	b->held_count -= count;
	memmove(b->held, b->held + count, b->held_count * sizeof(*b->held));
	return err;
}

/* Nearly always the latest, so searches from the end. */
static int add_sorted(struct bunch_builder *b, uint64_t time,
		      const struct packet *p)
{
	uint32_t i;
	int err = 0;

	if (b->held_count == BUNCH_BUILDER_HELD)
		err = put_held(b, BUNCH_BUILDER_HELD / 2);
	i = b->held_count++;
	for (; i && b->held[i - 1].time > time; i--)
		b->held[i] = b->held[i - 1];
	b->held[i] = (struct bunch_builder_held){ time, *p };
	return err;
}

/* --- both ---------------------------------------------------------------- */

int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p)
{
	return b->o.exact ? add_sorted(b, time, p) : add_to_open(b, time, p);
}

int bunch_builder_flush(struct bunch_builder *b)
{
	return b->o.exact ? put_held(b, b->held_count) : put_open(b);
}

/* --- files ---------------------------------------------------------------- */

enum { BUFFER = 32768 };

struct bunch_writer {
	char *path;
	struct buf out;
	struct buf text;	/* .rec; its data may be NULL */
	struct bunch_builder builder;
	struct bunch_writer_sums sums;
	uint64_t first;		/* time of the first I/O */
	bool any;
	bool kinds;		/* a packet has a kind */
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

/* 1.3.0: direction, sector, sectors; then the kind. */
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
