/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU's files in the segments of a trace; see source_chain.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "blktrace.h"
#include "file/segments.h"
#include "file/source.h"
#include "file/source_chain.h"
#include "file/source_layer.h"
#include "record/record.h"

struct chain {
	struct source base;
	struct chain_link *links;
	size_t count, at;	/* at: the one being read */
	struct source *now;
	uint64_t done, total;	/* stored bytes before it; of all */
	uint8_t begin[BLK_HEADER_MAX];	/* of a file, read ahead */
	size_t have, used;	/* bytes in begin */
};

static uint64_t stored(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) ?
		       (uint64_t)st.st_size : 0;
}

/* Length of the head at p, of which have bytes are read; 0: none. */
static size_t head_len(const uint8_t *p, size_t have)
{
	struct segment_head h;
	unsigned int version;
	const struct layout *l;
	struct event ev;
	bool swapped;

	if (have < BLK_HEADER_7 || !record_magic(p, &version, &swapped) ||
	    version < BLK_VERSION_7)
		return 0;
	l = record_layout(version, 0);
	if (have < l->size)
		return 0;
	record_decode(l, swapped, p, &ev);
	return segment_head_of(&ev, &h) && h.len >= l->size ? h.len : 0;
}

/* Drops the rest of a head. */
static int pass_over(struct chain *c, size_t len)
{
	uint8_t drop[4096];

	while (len) {
		size_t part = len < sizeof(drop) ? len : sizeof(drop);
		ssize_t n = source_fill(c->now, drop, part);

		if (n < 0)
			return (int)n;
		if ((size_t)n < part)
			return 0;
		len -= part;
	}
	return 0;
}

static int skip_head(struct chain *c)
{
	ssize_t n = source_fill(c->now, c->begin, sizeof(c->begin));
	size_t head;

	c->used = 0;
	c->have = n > 0 ? (size_t)n : 0;
	if (n < 0)
		return (int)n;
	head = head_len(c->begin, c->have);
	if (!head)
		return 0;
	c->used = head < c->have ? head : c->have;
	return pass_over(c, head - c->used);
}

/* A segment may have lost its ".partial" since it was found. */
static int open_any_name(struct chain *c)
{
	const char *path = c->links[c->at].path;
	const char *cut = strstr(path, SEGMENT_PARTIAL "/");
	int err = source_open(&c->now, path);
	char *final;

	if (err != -ENOENT || !cut)
		return err;
	final = strdup(path);
	if (!final)
		return -ENOMEM;
	strcpy(final + (cut - path), cut + strlen(SEGMENT_PARTIAL));
	err = source_open(&c->now, final);
	free(final);
	return err;
}

/* A pipe in a segment is refused, as it would never end. */
static int open_link(struct chain *c)
{
	int err = open_any_name(c);

	if (err || !source_is_live(c->now))
		return err;
	source_close(c->now);
	c->now = NULL;
	return -EINVAL;
}

/* Opens the next file.  1; 0: there is none; or -errno. */
static int open_next(struct chain *c)
{
	unsigned int before = c->links[c->at].segment;
	int err;

	source_progress(c->now, &c->done, &(uint64_t){ 0 });
	source_close(c->now);
	c->now = NULL;
	if (++c->at >= c->count)
		return 0;
	err = open_link(c);
	if (!err && c->links[c->at].segment == before + 1)
		err = skip_head(c);
	return err ? err : 1;
}

static ssize_t take_begin(struct chain *c, void *buf, size_t len)
{
	size_t n = c->have - c->used;

	n = n < len ? n : len;
	memcpy(buf, c->begin + c->used, n);
	c->used += n;
	return (ssize_t)n;
}

static ssize_t chain_read(struct source *s, void *buf, size_t len)
{
	struct chain *c = (struct chain *)s;

	while (c->now) {
		ssize_t n = c->used < c->have ? take_begin(c, buf, len) :
						source_read(c->now, buf, len);
		int next;

		c->base.packed = c->now->packed;
		if (n)
			return source_pass(&c->base, c->now, n);
		next = open_next(c);
		if (next < 0 && c->now)
			source_pass(&c->base, c->now, next);
		if (next < 0)
			return next;
	}
	return 0;
}

static int chain_wait(struct source *s, int ms)
{
	(void)s, (void)ms;
	return 1;
}

static void chain_progress(const struct source *s, uint64_t *done,
			   uint64_t *total)
{
	const struct chain *c = (const struct chain *)s;

	*done += c->done;
	*total += c->total;
	if (c->now)
		source_progress(c->now, done, &(uint64_t){ 0 });
}

static void chain_close(struct source *s)
{
	struct chain *c = (struct chain *)s;

	source_close(c->now);
	for (size_t i = 0; i < c->count; i++)
		free(c->links[i].path);
	free(c->links);
	free(c);
}

static const struct source_ops chain_ops = { chain_read, chain_wait, NULL,
					      chain_progress, chain_close };

static int copy_links(struct chain *c, const struct chain_link *links,
		      size_t count)
{
	c->links = calloc(count, sizeof(*c->links));
	if (!c->links)
		return -ENOMEM;
	for (; c->count < count; c->count++) {
		c->links[c->count] = links[c->count];
		c->links[c->count].path = strdup(links[c->count].path);
		if (!c->links[c->count].path)
			return -ENOMEM;
		c->total += stored(links[c->count].path);
	}
	return 0;
}

int source_chain_open(struct source **s, const struct chain_link *links,
		      size_t count, unsigned int after)
{
	struct chain *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->base.ops = &chain_ops;
	err = copy_links(c, links, count);
	if (!err)
		err = open_link(c);
	if (!err && after && c->links[0].segment == after + 1)
		err = skip_head(c);
	if (err)
		chain_close(&c->base);
	else
		*s = &c->base;
	return err;
}
