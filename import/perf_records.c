/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of a perf.data; see perf_records.h.
 *
 * A record is its type (4 bytes), 2 bytes, its size with these 8 (2 bytes), and
 * the rest.  They are in order of time only for each CPU; perf writes what all
 * CPUs have recorded since the last time, and then the end of a round: nothing
 * that follows is earlier than the latest before the round's begin.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/binary.h"
#include "import/import.h"
#include "import/perf_records.h"
#include "import/trace_event.h"
#include "import/trace_formats.h"
#include "import/tracepoint.h"
#include "pack/frame.h"

enum {
	HEADER = 8,
	UNPACKED = 2 * BINARY_MAX,	/* no record has more than half of it */
	/* two rounds of a large machine's buffers */
	HELD = 8 * ORDER_MAX,
	LOST_BY_FILTER = 1 << 15,	/* in a record's 2 bytes: no loss */
};

/* a whole record */
struct record {
	uint32_t type;
	uint16_t misc;
	const uint8_t *body;	/* after the header */
	size_t len;		/* of the body */
	uint64_t at;		/* its byte in the file */
	bool unpacked;		/* it was in a compressed one */
};

int perf_records_init(struct perf_records *r, struct binary *b,
		      const struct import_to *to)
{
	*r = (struct perf_records){ .to = to, .b = b };
	import_faults_init(&r->faults, to);
	perf_attrs_init(&r->attrs, b);
	if (tracing_init(&r->tracing, to)) {
		tracing_free(&r->tracing);
		return -ENOMEM;
	}
	r->tracing.order.max = HELD;
	r->tracing.unique = true;
	return 0;
}

void perf_records_free(struct perf_records *r)
{
	perf_attrs_free(&r->attrs);
	trace_events_free(r->events);
	tracing_free(&r->tracing);
	frame_stream_free(r->stream);
	free(r->unpacked);
}

/* --- what is wrong -------------------------------------------------------- */

static int damage(struct perf_records *r, const struct record *of,
		  const char *why)
{
	return import_faults_add(&r->faults, of->at, why);
}

/* What is passed over alone. */
static int pass_over(struct perf_records *r, const struct record *of,
		     const char *why)
{
	damage(r, of, why);
	return 0;
}

/* --- before the first event ----------------------------------------------- */

static int tell_about(struct perf_records *r, const struct perf_attr *one)
{
	char lacks[TRACEPOINTS_LACK];
	struct import_about about = { .from = "perf.data" };

	perf_about_fill(&r->about, one, &about);
	if (tracepoints_lack(r->groups, lacks))
		about.lacks = lacks;
	r->told = true;
	return r->to->about(r->to->ctx, &about);
}

static int resolve(struct perf_records *r)
{
	const struct perf_attr *one = NULL;

	for (; r->resolved < r->attrs.count; r->resolved++) {
		struct perf_attr *a = &r->attrs.list[r->resolved];

		if (!a->is_tracepoint || !r->events)
			continue;
		a->event = trace_events_get(r->events, a->config);
		if (!a->event)
			continue;
		one = a;
		r->groups |= 1u << trace_event_tracepoint(a->event)->group;
	}
	return one ? tell_about(r, one) : 0;
}

/* --- the kernel's records ------------------------------------------------- */

static struct trace_place place_of(const struct perf_records *r,
				   const struct perf_sample *s)
{
	uint64_t shift = perf_about_shift(&r->about);

	return (struct trace_place){ s->time ? s->time + shift : 0, s->cpu,
				     s->tid };
}

static int read_event(struct perf_records *r, const struct record *of,
		      const struct perf_sample *s)
{
	const struct trace_raw raw = { s->attr->event, s->raw, s->raw_len };
	const struct trace_values values = trace_raw_values(&raw);
	struct trace_place at = place_of(r, s);
	const char *why;
	int err;

	trace_raw_pid(&raw, &at.pid);
	err = tracing_add(&r->tracing, &at, trace_event_tracepoint(raw.event),
			  &values, &why);
	if (at.time > r->newest)
		r->newest = at.time;
	return err == -EBADMSG ? pass_over(r, of, why) : err;
}

static int read_sample(struct perf_records *r, const struct record *of)
{
	struct perf_sample s;
	int err = 0;

	if (r->resolved < r->attrs.count)
		err = resolve(r);
	if (err)
		return err;
	if (!perf_sample_read(&r->attrs, of->body, of->len, &s))
		return pass_over(r, of, "a sample that is too short or of no"
				 " known event");
	return s.attr->event && s.raw ? read_event(r, of, &s) : 0;
}

/* pid, tid, name and NUL */
static int read_name(struct perf_records *r, const struct record *of)
{
	struct perf_sample s;
	size_t end = perf_sample_read_end(&r->attrs, of->body, of->len, &s);
	struct trace_place at = place_of(r, &s);
	const char *name = (const char *)of->body + HEADER;

	if (of->len - end < HEADER)
		return pass_over(r, of, "a name without a process");
	at.pid = binary_u32(r->b, of->body + 4);
	return tracing_process(&r->tracing, &at, name,
			       strnlen(name, of->len - end - HEADER));
}

/* the event's id, and how many were lost */
static int read_loss(struct perf_records *r, const struct record *of)
{
	struct perf_sample s;
	struct trace_place at;
	uint64_t count;

	if (of->len < 16)
		return pass_over(r, of, "a loss without a number");
	perf_sample_read_end(&r->attrs, of->body, of->len, &s);
	at = place_of(r, &s);
	count = binary_u64(r->b, of->body + 8);
	r->lost += count;
	return tracing_lost(&r->tracing, &at, count);
}

/* At its end perf writes what each event has lost in all, which is known
 * already but for what was lost after a CPU's last record. */
static int read_lost_samples(struct perf_records *r, const struct record *of)
{
	if (of->len >= 8 && !(of->misc & LOST_BY_FILTER))
		r->lost_samples += binary_u64(r->b, of->body);
	return 0;
}

/* --- perf's own ----------------------------------------------------------- */

static int end_round(struct perf_records *r, const struct record *of)
{
	int err = tracing_release(&r->tracing, r->round);

	(void)of;
	r->round = r->newest;
	return err;
}

/* an attribute and its ids */
static int read_attr(struct perf_records *r, const struct record *of)
{
	size_t len = of->len >= PERF_ATTR_MIN ?
			     binary_u32(r->b, of->body + 4) : 0;
	int err;

	if (!len)
		len = PERF_ATTR_MIN;
	err = len <= of->len ? perf_attrs_add(&r->attrs, of->body, len) :
			       -EBADMSG;
	for (; !err && len + 8 <= of->len; len += 8)
		err = perf_attrs_add_id(&r->attrs,
					binary_u64(r->b, of->body + len));
	return err == -EBADMSG ? damage(r, of, "the attributes of an event are"
					" damaged") : err;
}

static int read_feature(struct perf_records *r, const struct record *of)
{
	if (of->len >= 8)
		perf_about_add(&r->about, r->b, binary_u64(r->b, of->body),
			       of->body + 8, of->len - 8);
	return 0;
}

/* Bytes that follow a record, and are not in its size. */
static int skip_following(struct perf_records *r, const struct record *of,
			  uint64_t len)
{
	if (of->unpacked || len > r->left)
		return damage(r, of, "a record with more bytes than follow");
	r->left -= len;
	return binary_skip(r->b, len);
}

static int read_formats(struct perf_records *r, const struct record *of)
{
	uint64_t end, len = of->len >= 4 ? binary_u32(r->b, of->body) : 0;
	const char *why;
	int err;

	if (of->unpacked || len > r->left || r->events)
		return skip_following(r, of, len);
	r->left -= len;
	end = r->b->offset + len;
	err = trace_formats_read(r->b, len, &r->events, &why);
	if (err == -EOPNOTSUPP)
		return damage(r, of, "its events are binary, and this program"
			      " was built without libtraceevent");
	if (err)
		return err == -EBADMSG ? damage(r, of, why) : err;
	return binary_skip(r->b, end - r->b->offset);
}

static int skip_auxtrace(struct perf_records *r, const struct record *of)
{
	return skip_following(r, of, of->len >= 8 ? binary_u64(r->b, of->body) :
						    0);
}

/* --- compressed records --------------------------------------------------- */

static int take_record(struct perf_records *r, const struct record *of);

/* The record at p, of which only the header was looked at; its size. */
static size_t set_record(const struct perf_records *r, struct record *of,
			 const uint8_t *p, uint64_t at)
{
	size_t size = binary_u16(r->b, p + 6);

	*of = (struct record){ .type = binary_u32(r->b, p),
			       .misc = binary_u16(r->b, p + 4),
			       .body = p + HEADER, .at = at };
	of->len = size < HEADER ? 0 : size - HEADER;
	return size;
}

/* The whole records in what was unpacked; their bytes, or -errno. */
static ssize_t take_unpacked(struct perf_records *r, const struct record *of)
{
	size_t at = 0;

	while (r->unpacked_len - at >= HEADER) {
		struct record one;
		size_t size = set_record(r, &one, r->unpacked + at, of->at);
		int err;

		if (size < HEADER)
			return damage(r, of, "damaged compressed records");
		if (size > r->unpacked_len - at)
			break;
		one.unpacked = true;
		err = take_record(r, &one);
		if (err)
			return err;
		at += size;
	}
	return (ssize_t)at;
}

static int start_unpacking(struct perf_records *r, const struct record *of)
{
	if (!frame_built())
		return damage(r, of, "compressed, and this program was built"
			      " without libzstd");
	r->stream = frame_stream_new();
	r->unpacked = malloc(UNPACKED);
	return r->stream && r->unpacked ? 0 : -ENOMEM;
}

static int unpack(struct perf_records *r, const struct record *of,
		  const uint8_t *bytes, size_t len)
{
	int err = r->unpacked ? 0 : start_unpacking(r, of);

	while (!err) {
		size_t room = UNPACKED - r->unpacked_len;
		ssize_t n = frame_stream_unpack(r->stream, &bytes, &len,
						r->unpacked + r->unpacked_len,
						room);

		if (n == 0)
			return 0;
		if (n < 0)
			return damage(r, of, "damaged zstd data");
		r->unpacked_len += (size_t)n;
		n = take_unpacked(r, of);
		if (n < 0)
			return (int)n;
		r->unpacked_len -= (size_t)n;
		memmove(r->unpacked, r->unpacked + n, r->unpacked_len);
	}
	return err;
}

static int read_compressed(struct perf_records *r, const struct record *of)
{
	if (of->unpacked)
		return damage(r, of, "a compressed record in another one");
	return unpack(r, of, of->body, of->len);
}

/* since 6.16: its size, and padding at the end */
static int read_compressed2(struct perf_records *r, const struct record *of)
{
	uint64_t len = of->len >= 8 ? binary_u64(r->b, of->body) : UINT64_MAX;

	if (of->unpacked || len > of->len - 8)
		return damage(r, of, "a damaged compressed record");
	return unpack(r, of, of->body + 8, (size_t)len);
}

/* --- any record ----------------------------------------------------------- */

/* others are of no interest */
static const struct {
	uint32_t type;
	int (*read)(struct perf_records *r, const struct record *of);
} kinds[] = {
	{ 9, read_sample },
	{ 3, read_name },
	{ 2, read_loss },
	{ 13, read_lost_samples },
	{ 68, end_round },
	{ 64, read_attr },
	{ 66, read_formats },
	{ 71, skip_auxtrace },
	{ 80, read_feature },
	{ 81, read_compressed },
	{ 83, read_compressed2 },
};

static int take_record(struct perf_records *r, const struct record *of)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].type == of->type)
			return kinds[i].read(r, of);
	return 0;
}

/* 1: *of is the next record; 0: the end; or -errno. */
static int next(struct perf_records *r, struct record *of)
{
	uint64_t at = r->b->offset;
	const uint8_t *p;
	size_t size;
	int err;

	if (!r->left)
		return 0;
	err = binary_look(r->b, HEADER, &p);
	if (err == -ENODATA && r->to_end && r->b->at == r->b->end)
		return 0;
	size = err ? HEADER : binary_u16(r->b, p + 6);
	if (size < HEADER || size > r->left)
		return import_faults_add(&r->faults, at, "a damaged record");
	if (!err)
		err = binary_take(r->b, size, &p);
	if (err)
		return err;
	r->left -= size;
	set_record(r, of, p, at);
	return 1;
}

int perf_records_read(struct perf_records *r, uint64_t len)
{
	struct record of;
	int n;

	r->left = len;
	r->to_end = len == UINT64_MAX;
	while ((n = next(r, &of)) > 0) {
		n = take_record(r, &of);
		if (n)
			break;
	}
	if (n != -ENODATA)
		return n;
	return import_faults_add(&r->faults, r->b->offset, "cut short");
}

/* Losses that the kernel had no occasion to report. */
static int add_late_loss(struct perf_records *r)
{
	if (r->lost_samples <= r->lost)
		return 0;
	return tracing_lost(&r->tracing, &(struct trace_place){ .time = 0 },
			    r->lost_samples - r->lost);
}

int perf_records_end(struct perf_records *r)
{
	int err = tracing_end(&r->tracing);

	if (!err)
		err = add_late_loss(r);
	import_faults_end(&r->faults);
	if (err || r->groups || import_faults_any(&r->faults))
		return err;
	return import_faults_add(&r->faults, 0, "it has no events of the block"
				 " layer; record them with: perf record -a"
				 " -e 'block:*'");
}
