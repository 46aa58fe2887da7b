/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes into a stream's buffer; see stream_impl.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/header.h"
#include "file/source.h"
#include "file/stream_impl.h"
#include "record/record.h"

/* --- stream search -------------------------------------------------------- */

void stream_search_start(struct stream *s)
{
	s->lost = true;
	s->account.damaged = true;
	s->lost_at = s->base + s->scan;
	s->lost_why = header_why(s->buf + s->scan);
	s->lost_zeros = true;
	if (s->body && s->body < s->scan)
		s->scan = s->body;
	s->body = 0;
	stream_drop_used(s);
}

void stream_search_start_in_cut(struct stream *s)
{
	s->lost = true;
	s->lost_at = s->base + s->scan;
	s->lost_why = "a record cut short";
	s->lost_zeros = false;
	s->account.cut = true;
	s->body = 0;
	s->scan++;
}

static void report_passed(struct stream *s, uint64_t to)
{
	bool zeros = s->lost_zeros && to > s->lost_at;

	s->lost = false;
	stream_report(s, s->lost_at, to - s->lost_at,
		      zeros ? "zeros" : s->lost_why);
}

static void found(struct stream *s)
{
	uint64_t here = s->base + s->scan;

	if (here >= s->lost_at) {
		report_passed(s, here);
		return;
	}
	s->lost = false;
	stream_report(s, s->lost_at, 0,
		      "not a trace record: the payload length before is wrong");
}

/* Whether the record at the scan place is one to go on with. */
static enum header_verdict plausible(struct stream *s, struct header *h)
{
	enum header_verdict v = stream_header(s, h);
	size_t avail = s->end - s->scan;
	unsigned int version;
	bool swapped;

	if (v != HEADER_WHOLE)
		return v;
	if ((s->ordered && h->swapped != s->swapped) ||
	    stream_wrong_cpu(s, h) ||
	    h->zone >> (BLK_TC_COUNT - 16))	/* categories that are none */
		return HEADER_BAD;
	if (avail == h->total && s->eof)
		return HEADER_WHOLE;
	if (avail < h->total + sizeof(uint32_t))
		return HEADER_SHORT;
	if (record_magic(s->buf + s->scan + h->total, &version, &swapped) &&
	    swapped == h->swapped)
		return HEADER_WHOLE;
	return HEADER_BAD;
}

static bool all_zeros(const uint8_t *p, const uint8_t *end)
{
	while (end - p >= 8 && !get64(p))
		p += 8;
	while (p < end && !*p)
		p++;
	return p == end;
}

/* Passes over what is before to. */
static void pass_to(struct stream *s, size_t to)
{
	size_t from = s->scan;

	if (s->base + from < s->lost_at)
		from = (size_t)(s->lost_at - s->base);
	if (s->lost_zeros && from < to)
		s->lost_zeros = all_zeros(s->buf + from, s->buf + to);
	s->scan = to;
}

int stream_search(struct stream *s)
{
	struct header h;

	while (s->scan < s->end) {
		const uint8_t *magic = record_find(s->buf + s->scan,
						   s->buf + s->end);
		enum header_verdict v;

		pass_to(s, (size_t)(magic - s->buf));
		if (s->scan == s->end)
			break;
		v = plausible(s, &h);
		if (v == HEADER_WHOLE) {
			found(s);
			return 1;
		}
		if (v == HEADER_SHORT && !s->eof)
			return -ENODATA;
		pass_to(s, s->scan + 1);
	}
	if (!s->eof)
		return -ENODATA;
	found(s);
	return 0;
}

void stream_search_stop(struct stream *s)
{
	uint64_t here = s->base + s->scan;

	if (s->lost)
		report_passed(s, here > s->lost_at ? here : s->lost_at);
}

/* --- stream buffer -------------------------------------------------------- */

enum {
	FIRST_SIZE = 32768,	/* a usual batch fits in, and a bit more */
	READ_MIN = 4096,	/* less is not worth a read */
	READ_BEYOND = 1024,	/* batches differ, by notes and payloads */
};

int stream_buffer_init(struct stream *s)
{
	s->usual = FIRST_SIZE - READ_BEYOND;
	s->cap = FIRST_SIZE;
	s->buf = malloc(s->cap);
	return s->buf ? 0 : -ENOMEM;
}

/*
 * How much to read: what is missing of a batch as large as the last one.  So it
 * is read where the last one was, which is in the cache, and little is read
 * beyond it that has to be moved before the next read.
 */
static size_t read_size(const struct stream *s)
{
	size_t there = s->end - s->from, want = s->usual + READ_BEYOND;

	return want < there + READ_MIN ? READ_MIN : want - there;
}

int stream_make_room(struct stream *s, size_t need)
{
	size_t keep = s->end - s->from, cap = s->cap;
	uint8_t *bigger;

	if (s->cap - s->end >= need)
		return 0;
	if (s->from) {
		memmove(s->buf, s->buf + s->from, keep);
		s->base += s->from;
		s->scan -= s->from;
		s->body = s->body > s->from ? s->body - s->from : 0;
		s->end = keep;
		s->from = 0;
	}
	while (cap - keep < need)
		cap *= 2;
	if (cap == s->cap)
		return 0;
	if (cap > UINT32_MAX)
		return -EFBIG;
	bigger = realloc(s->buf, cap);
	if (!bigger)
		return -ENOMEM;
	s->buf = bigger;
	s->cap = cap;
	return 0;
}

static const char *read_error(int err)
{
	if (err == -ESPIPE)
		return "the file has become shorter while it was read";
	if (err == -EBADMSG)
		return "the gzip data is broken or cut short";
	if (err == -EFBIG)
		return "the records read ahead (-b) exceed 4 GiB";
	return strerror(-err);
}

int stream_read_more(struct stream *s)
{
	size_t len = read_size(s);
	ssize_t n;

	if (s->eof)
		return 0;
	n = stream_make_room(s, len);
	if (n == 0)
		n = source_read(s->src, s->buf + s->end, len);
	if (n == -EAGAIN || n == -ENOMEM)
		return (int)n;
	if (n > 0) {
		s->end += (size_t)n;
		s->vain += (size_t)n;
		return 1;
	}
	if (n < 0)
		stream_report(s, s->base + s->end, 0, read_error((int)n));
	s->eof = true;
	return 0;
}
