/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream's way over damage to the next record; see stream.h. */
#include <errno.h>

#include "file/header.h"
#include "file/stream_impl.h"
#include "record/record.h"

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
