/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of one source; see stream.h.
 *
 * The buffer always has a whole batch, whose events are in spans, and grows if
 * it must.
 *
 *	0        from             scan            end        cap
 *	| used up | the batch      | not scanned   | room      |
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "file/batch.h"
#include "file/buffers.h"
#include "file/foreign.h"
#include "file/header.h"
#include "file/hooks.h"
#include "file/segments.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/payload.h"
#include "record/record.h"
#include "record/run_time.h"

enum {
	PIDS_NOTED = 64,	/* a power of two */
	CACHE_LINE = 64,
	COMM_SIZE = 16,
	NOTE_SIZE = 128,	/* few notes are longer */
	PRIME_TRIES = 64,	/* of STREAM_VAIN bytes each */
	READ_MIN = 4096,	/* less is not worth a read, */
	READ_LEAST = 1024,	/* unless the buffer has no more room */
	READ_BEYOND = 1024,	/* batches differ, by notes and payloads */
};

/* adjacent events of a batch, as offsets from its start */
struct span {
	uint32_t from, to;
	bool plain;		/* native version 7; else any other version */
};

/*
 * Every event touches only the first two cache lines: with hundreds of files, a
 * stream's are not cached any more at its turn.
 */
struct stream {
	struct batch ready;	/* of the current span, if it is plain, */
	const uint8_t *raw, *raw_end;	/* or if not */
	size_t span;		/* the batch's next one */

	bool notes_stay;
	bool eof;
	uint16_t origin;
	struct source *src;
	const struct hooks *hooks;
	struct lane *lane;
	char *name;
	int cpu;
	uint32_t cpu_first, cpu_more;	/* CPUs that fit: the first, and how
					 * many follow it */
	uint32_t latest;	/* upper half of the latest possible time */

	uint8_t *buf;
	bool lent;		/* buf is one of the caller's buffers */
	size_t from, scan, end, cap;
	uint64_t base;		/* offset of buf[0] in the source */
	size_t usual;		/* bytes of the last batch */
	size_t vain;		/* bytes read since the last event */

	struct span *spans;	/* of the batch */
	size_t span_count, span_size;
	unsigned int batch;	/* events in a batch at most */

	size_t body;		/* start of the last payload, or 0 */
	bool lost;		/* searching for a plausible record */
	bool timed;		/* times have a limit, */
	bool untimed;		/* which the first event will set */
	bool lost_zeros;	/* all bytes skipped so far were 0 */
	uint64_t lost_at;
	const char *lost_why;
	uint64_t foreign_at, foreign;	/* bytes of other CPUs' records */
	uint64_t untimely_at, untimely;	/* of impossible times */

	bool ordered;		/* the byte order is known */
	bool swapped;
	struct header_reader headers;

	struct lane_end *copy;	/* the caller's, or NULL */
	void (*keep)(void *ctx, struct lane_end *to,
		     const struct lane_end *now);	/* sets it, or NULL */
	void *keep_ctx;
	struct lane_end account;
	bool seals;
	bool clocked;		/* version 2 only: first_time is known */
	uint64_t first_time;
	uint32_t pids_noted[PIDS_NOTED];	/* versions 4 to 6 only */
};

enum {
	STREAM_SIZE = (sizeof(struct stream) + CACHE_LINE - 1) / CACHE_LINE *
		      CACHE_LINE,
};

static void report(struct stream *s, uint64_t at, uint64_t lost,
		   const char *what)
{
	s->hooks->damage(s->hooks->ctx,
			 &(struct damage){ .file = s->name, .at = at,
					   .lost = lost, .what = what });
}

/* whether it is another CPU's than the file's */
static inline bool wrong_cpu(const struct stream *s, const struct header *h)
{
	return s->cpu >= 0 && h->cpu != (uint32_t)s->cpu &&
	       (!h->layout || h->layout->cpu_bytes);
}

static inline enum header_verdict header_here(struct stream *s,
					      struct header *h)
{
	return header_read(&s->headers, s->buf + s->scan, s->end - s->scan,
			   s->eof, h);
}

/* --- bytes into the buffer ----------------------------------------------- */

static int buffer_init(struct stream *s, struct buffers *shared)
{
	s->usual = BUFFERS_SIZE - READ_BEYOND;
	s->cap = BUFFERS_SIZE;
	s->buf = shared ? buffers_take(shared) : NULL;
	s->lent = s->buf != NULL;
	if (!s->buf)
		s->buf = malloc(s->cap);
	return s->buf ? 0 : -ENOMEM;
}

/* 0, -ENOMEM or -EFBIG */
static int buffer_grow(struct stream *s, size_t cap)
{
	uint8_t *bigger;

	if (cap > UINT32_MAX)
		return -EFBIG;
	bigger = s->lent ? malloc(cap) : realloc(s->buf, cap);
	if (!bigger)
		return -ENOMEM;
	if (s->lent)
		memcpy(bigger, s->buf, s->end);
	s->lent = false;
	s->buf = bigger;
	s->cap = cap;
	return 0;
}

/*
 * The rest of a batch as large as the last: so bytes go where the last batch
 * was, which is cached, and few bytes after it have to be moved.
 */
static size_t read_size(const struct stream *s)
{
	size_t there = s->end - s->from, want = s->usual + READ_BEYOND;
	size_t room = s->cap - there;

	if (want >= there + READ_MIN)
		return want - there;
	return room < READ_LEAST || room > READ_MIN ? READ_MIN : room;
}

/*
 * Room for need bytes after those read: moves the batch to the front, and grows
 * the buffer if that is not enough.  0, -ENOMEM or -EFBIG.
 */
static int make_room(struct stream *s, size_t need)
{
	size_t keep = s->end - s->from, cap = s->cap;

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
	return cap == s->cap ? 0 : buffer_grow(s, cap);
}

/* Packed bytes were passed over: what follows may be read. */
static COLD void report_passed_over(struct stream *s)
{
	struct damage d = *source_damage(s->src);

	if (!d.file)
		d.file = s->name;
	s->account.damaged = true;
	s->hooks->damage(s->hooks->ctx, &d);
}

static const char *read_error(int err)
{
	if (err == -ESPIPE)
		return "the file has become shorter while it was read";
	if (err == -EBADMSG)
		return "the compressed data is broken or cut short";
	if (err == -EOPNOTSUPP)
		return "packed, and this program was built without libzstd";
	if (err == -EFBIG)
		return "the records read ahead (-b) exceed 4 GiB";
	return strerror(-err);
}

/* 1: there is more; 0: the end; -EAGAIN; -ENOMEM. */
static int read_more(struct stream *s)
{
	size_t len = read_size(s);
	ssize_t n;

	if (s->eof)
		return 0;
	n = make_room(s, len);
	if (n == 0)
		n = source_read(s->src, s->buf + s->end, len);
	if (n == -EAGAIN || n == -ENOMEM)
		return (int)n;
	if (n == -EUCLEAN) {
		report_passed_over(s);
		return 1;
	}
	if (n > 0) {
		s->end += (size_t)n;
		s->vain += (size_t)n;
		return 1;
	}
	if (n < 0)
		report(s, s->base + s->end, 0, read_error((int)n));
	s->eof = true;
	return 0;
}

/* --- the start and the end ----------------------------------------------- */

struct stream *stream_new(struct source *src, const struct stream_options *o,
			  const struct hooks *hooks)
{
	struct stream *s = aligned_alloc(CACHE_LINE, STREAM_SIZE);

	if (!s) {
		source_close(src);
		return NULL;
	}
	memset(s, 0, sizeof(*s));
	s->src = src;
	s->hooks = hooks;
	s->lane = o->lane;
	s->origin = o->origin;
	s->notes_stay = o->notes_stay;
	s->seals = o->seals;
	s->timed = s->untimed = o->timed;
	s->latest = o->timed ? (uint32_t)(RUN_TIME_CLOCK >> 32) : UINT32_MAX;
	s->copy = o->end;
	s->cpu = o->cpu;
	if (o->cpu == STREAM_ANY_CPU)
		s->cpu_more = BLK_CPU_MAX - 1;
	else
		s->cpu_first = (uint32_t)o->cpu;
	s->batch = o->batch;
	s->name = strdup(o->name);
	if (!s->name || buffer_init(s, o->buffers)) {
		stream_free(s);
		return NULL;
	}
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	source_close(s->src);
	free(s->name);
	if (!s->lent)
		free(s->buf);
	free(s->spans);
	free(s);
}

/* --- the search after damage --------------------------------------------- */

/* Bytes before the first event need not be kept. */
static void drop_used(struct stream *s)
{
	if (!s->span_count)
		s->from = s->scan;
}

/* What another program recorded has no records to search for.  1: it is so; 0:
 * it is not; -ENODATA: more bytes will show it. */
static COLD int stop_if_foreign(struct stream *s)
{
	const uint8_t *begin = s->buf + s->scan;
	const struct foreign *by;

	if (s->base + s->scan)
		return 0;
	if (!s->eof && foreign_may_be(begin, s->end - s->scan))
		return -ENODATA;
	by = foreign_of(begin, s->end - s->scan);
	if (!by)
		return 0;
	s->hooks->damage(s->hooks->ctx, &(struct damage){
		.file = s->name, .what = "not a trace", .by = by });
	s->scan = s->end;
	s->eof = true;
	return 1;
}

/*
 * If the last record's payload length is wrong, the next record may be inside
 * what was taken for its payload: so from there.
 */
static void search_start(struct stream *s)
{
	s->lost = true;
	s->account.damaged = true;
	s->lost_at = s->base + s->scan;
	s->lost_why = header_why(s->buf + s->scan);
	s->lost_zeros = true;
	if (s->body && s->body < s->scan)
		s->scan = s->body;
	s->body = 0;
	drop_used(s);
}

/* Where the source ends inside a record. */
static void search_cut(struct stream *s)
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
	report(s, s->lost_at, to - s->lost_at, zeros ? "zeros" : s->lost_why);
}

static void found(struct stream *s)
{
	uint64_t here = s->base + s->scan;

	if (here >= s->lost_at) {
		report_passed(s, here);
		return;
	}
	s->lost = false;
	report(s, s->lost_at, 0,
	       "not a trace record: the payload length before is wrong");
}

/* Whether reading can continue with the record at scan. */
static enum header_verdict plausible(struct stream *s, struct header *h)
{
	enum header_verdict v = header_here(s, h);
	size_t avail = s->end - s->scan;
	unsigned int version;
	bool swapped;

	if (v != HEADER_WHOLE)
		return v;
	if ((s->ordered && h->swapped != s->swapped) ||
	    wrong_cpu(s, h) ||
	    h->zone >> (BLK_TC_COUNT - 16))	/* unknown categories */
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

static void pass_to(struct stream *s, size_t to)
{
	size_t from = s->scan;

	if (s->base + from < s->lost_at)
		from = (size_t)(s->lost_at - s->base);
	if (s->lost_zeros && from < to)
		s->lost_zeros = all_zeros(s->buf + from, s->buf + to);
	s->scan = to;
}

/* 1: found; 0: the end; -ENODATA: needs more bytes. */
static int search(struct stream *s)
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

/* Ends a search that has found nothing: reports what was passed over. */
static void search_stop(struct stream *s)
{
	uint64_t here = s->base + s->scan;

	if (s->lost)
		report_passed(s, here > s->lost_at ? here : s->lost_at);
}

/* --- records found in scanning ----------------------------------------- */

static void decode(struct stream *s, const uint8_t *raw,
		   const struct layout *l, bool swapped, struct event *ev)
{
	if (l) {
		record_decode(l, swapped, raw, ev);
		ev->payload = raw + l->size;
		if (!l->cpu_bytes && s->cpu >= 0)
			ev->cpu = (uint32_t)s->cpu;
	} else {
		memcpy(ev, raw, BLK_HEADER_7);
		ev->zone = 0;
		ev->version = BLK_VERSION_7;
		ev->swapped = false;
		ev->payload = raw + BLK_HEADER_7;
	}
	ev->lane = s->lane;
	ev->origin = s->origin;
}

/* The time is at one offset in all layouts. */
static uint64_t time_of(const struct stream *s, const struct header *h)
{
	uint64_t time = get64(FIELD(s->buf + s->scan, time));

	return h->swapped ? __builtin_bswap64(time) : time;
}

static COLD void learn_latest(struct stream *s, uint64_t time)
{
	s->untimed = false;
	s->latest = (uint32_t)((time + RUN_TIME_MOST) >> 32);
}

static void count_record(struct stream *s, const struct header *h)
{
	uint64_t time = time_of(s, h);

	s->account.records++;
	if (action_is_noted(h->action) &&
	    (h->action & BLK_ACTION_MASK) == BLK_TN_SEAL)
		return;
	if (time >> 32 <= s->latest)
		s->account.newest = time;
	s->account.since++;
	if (s->account.sealed)
		checksum_add(&s->account.sum, s->buf + s->scan, h->total);
}

void stream_keep_end(struct stream *s,
		     void (*keep)(void *ctx, struct lane_end *to,
				  const struct lane_end *now), void *ctx)
{
	s->keep = keep;
	s->keep_ctx = ctx;
}

static void show_account(const struct stream *s)
{
	if (s->keep)
		s->keep(s->keep_ctx, s->copy, &s->account);
	else if (s->copy)
		*s->copy = s->account;
}

static bool matches(const struct lane_end *a, const struct blk_seal *seal)
{
	return seal->records == a->seal.records + a->since &&
	       seal->checksum == a->sum.sum;
}

/* Whether the file's first seal counts more records than it has: not at the head
 * of a segment, which has those of the segments before. */
static bool lacks_head(const struct lane_end *a, const struct blk_seal *seal)
{
	return !a->sealed && !a->later && seal->records > a->since;
}

/* Reports the file's first seal that does not match. */
static void judge_seal(struct stream *s, const struct blk_seal *seal)
{
	struct lane_end *a = &s->account;

	if (!s->seals || a->damaged || a->broken ||
	    seal->kind == BLK_SEAL_OPEN)
		return;
	a->broken = lacks_head(a, seal);
	if (a->broken)
		report(s, s->base + s->scan, 0,
		       "records are missing before the first seal");
	if (a->broken || !a->sealed || matches(a, seal))
		return;
	a->broken = true;
	report(s, s->base + s->scan, 0,
	       seal->records == a->seal.records + a->since ?
	       "the records before have been changed: checksum mismatch" :
	       "records are missing or too many before this seal");
}

/* Each seal is compared with what was read since the one before; but not the
 * first of a segment, whose head no seal counts. */
static COLD void take_seal(struct stream *s, const struct event *note)
{
	struct lane_end *a = &s->account;
	struct blk_seal seal;

	if (!payload_seal(note, &seal))
		return;
	judge_seal(s, &seal);
	a->records--;
	a->sealed = true;
	a->damaged = false;
	a->since = 0;
	a->sum = (struct checksum){ 0 };
	a->at = note->time;
	a->seal = seal;
	show_account(s);
}

static void hook_note(struct stream *s, const uint8_t *raw,
		      const struct header *h)
{
	struct event ev = { 0 };
	struct segment_head head;

	decode(s, raw, h->layout, h->swapped, &ev);
	if (event_number(&ev) == BLK_TN_SEAL)
		take_seal(s, &ev);
	if (segment_head_of(&ev, &head)) {
		s->account.sealed = false;
		s->account.later |= s->account.records == 1;
	}
	s->hooks->note(s->hooks->ctx, &ev);
}

/* Versions 4 to 6 name the process in every record: makes that a note. */
static void hook_comm(struct stream *s, const struct header *h)
{
	const uint8_t *raw = s->buf + s->scan;
	const char *comm = record_comm(h->layout, raw);
	struct event ev = { 0 };
	uint32_t *noted;

	if (!comm || !comm[0])
		return;
	decode(s, raw, h->layout, h->swapped, &ev);
	noted = &s->pids_noted[ev.pid % PIDS_NOTED];
	if (*noted == ev.pid + 1)
		return;
	*noted = ev.pid + 1;
	ev.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_PROCESS;
	ev.sequence = ev.bytes = 0;
	ev.sector = 0;
	ev.error = 0;
	ev.pdu_len = COMM_SIZE;
	ev.payload = (const uint8_t *)comm;
	s->hooks->note(s->hooks->ctx, &ev);
}

static COLD int begin_span(struct stream *s, const struct span *span)
{
	struct span *spans = array_reserve(s->spans, s->span_count,
					   &s->span_size, 4, sizeof(*spans));

	if (!spans)
		return -ENOMEM;
	s->spans = spans;
	spans[s->span_count++] = *span;
	return 0;
}

/* Adds the events from scan to end to the batch.  0 or -ENOMEM. */
static inline int keep(struct stream *s, size_t end, bool plain)
{
	const struct span span = { (uint32_t)(s->scan - s->from),
				   (uint32_t)(end - s->from), plain };
	struct span *last;

	if (UNLIKELY(!s->span_count))
		return begin_span(s, &span);
	last = &s->spans[s->span_count - 1];
	if (UNLIKELY(last->plain != plain || last->to != span.from))
		return begin_span(s, &span);
	last->to = span.to;
	return 0;
}

/* Reports the first at once, and all others, maybe thousands, at the end. */
static COLD void pass_untimely(struct stream *s, const struct header *h)
{
	if (!s->untimely_at) {
		report(s, s->base + s->scan, h->total,
		       "impossible time, years from the other records'");
		s->untimely_at = s->base + s->scan + h->total;
	} else {
		s->untimely += h->total;
	}
}

/* as pass_untimely() */
static void pass_foreign(struct stream *s, const struct header *h)
{
	if (!s->foreign_at) {
		report(s, s->base + s->scan, h->total,
		       "a record of another CPU than the file's");
		s->foreign_at = s->base + s->scan + h->total;
	} else {
		s->foreign += h->total;
	}
}

/*
 * Takes the record at scan, which is whole in the buffer.  1: it counts as an
 * event of the batch; 0: it does not; -ENOMEM.
 */
static inline int add_record(struct stream *s, const struct header *h)
{
	int err = 0;

	count_record(s, h);
	if (UNLIKELY(wrong_cpu(s, h))) {
		pass_foreign(s, h);
	} else if (action_is_noted(h->action) && !s->notes_stay) {
		hook_note(s, s->buf + s->scan, h);
		s->scan += h->total;
		return 0;
	} else if (UNLIKELY(time_of(s, h) >> 32 > s->latest)) {
		pass_untimely(s, h);
	} else {
		if (s->untimed)
			learn_latest(s, time_of(s, h));
		if (h->layout)
			hook_comm(s, h);
		err = keep(s, s->scan + h->total, !h->layout);
	}
	s->scan += h->total;
	return err ? err : 1;
}

/* The end of the source. */
static void finish(struct stream *s)
{
	if (s->foreign)
		report(s, s->foreign_at, s->foreign,
		       "more records of other CPUs than the file's");
	if (s->untimely)
		report(s, s->untimely_at, s->untimely,
		       "more impossible times");
	s->foreign = s->untimely = 0;
	s->account.over = s->eof;
	show_account(s);
}

void stream_stop(struct stream *s)
{
	search_stop(s);
	finish(s);
}

void stream_continue(struct stream *s, struct source *src)
{
	source_close(s->src);
	s->src = src;
	s->eof = false;
	s->account.over = false;
}

/* --- batches ------------------------------------------------------------- */

/* Takes a record, or searches.  As add_record(); -ENODATA: needs more bytes. */
static inline int step(struct stream *s)
{
	struct header h;
	enum header_verdict v;
	int foreign;

	if (UNLIKELY(s->lost))
		return search(s) < 0 ? -ENODATA : 0;
	v = header_here(s, &h);
	if (v == HEADER_WHOLE && s->end - s->scan >= h.total) {
		s->ordered = true;
		s->swapped = h.swapped;
		s->body = s->scan + h.size;
		return add_record(s, &h);
	}
	if (v != HEADER_BAD)
		return -ENODATA;
	foreign = stop_if_foreign(s);
	if (!foreign)
		search_start(s);
	return foreign < 0 ? foreign : 0;
}

/*
 * The fast path: takes at most room whole events of native version 7, of a CPU
 * and a time that fit, and stops at any other record, which is step()'s.  timed
 * is the stream's, a constant for a shorter loop.  Returns how many it took, or
 * -ENOMEM.
 */
static INLINED int64_t run(struct stream *s, unsigned int room, bool timed)
{
	const uint32_t cpu_first = s->cpu_first, cpu_more = s->cpu_more;
	const uint32_t latest = s->latest;
	const size_t end = s->end;
	const uint8_t *buf = s->buf;
	size_t at = s->scan, last = at, next;
	unsigned int taken = 0;

	for (; taken < room && at + BLK_HEADER_7 <= end; taken++) {
		const uint8_t *raw = buf + at;

		if (get32(raw) != (BLK_MAGIC | BLK_VERSION_7) ||
		    get32(FIELD(raw, action)) & BLK_TC_ACT(BLK_TC_NOTIFY) ||
		    get32(FIELD(raw, cpu)) - cpu_first > cpu_more ||
		    (timed && get64(FIELD(raw, time)) >> 32 > latest))
			break;
		next = at + BLK_HEADER_7 + get16(FIELD(raw, pdu_len));
		if (next > end)
			break;
		last = at;
		at = next;
	}
	if (!taken)
		return 0;
	if (keep(s, at, true))
		return -ENOMEM;
	s->ordered = true;
	s->swapped = false;
	s->body = last + BLK_HEADER_7;
	s->account.newest = get64(FIELD(buf + last, time));
	s->account.records += taken;
	s->account.since += taken;
	if (s->account.sealed)
		checksum_add(&s->account.sum, buf + s->scan, at - s->scan);
	s->scan = at;
	return taken;
}

/*
 * Gets more bytes.  1: continue; 0: the batch is complete; -EAGAIN; -EINTR:
 * STREAM_VAIN bytes had no event; -ENOMEM.
 */
static int feed(struct stream *s)
{
	int n;

	if (s->lost && s->span_count)	/* events before damage come first */
		return 0;
	if (s->eof && s->scan == s->end) {
		finish(s);
		return 0;
	}
	if (s->eof) {
		search_cut(s);
		return 1;
	}
	if (s->vain >= STREAM_VAIN && !s->span_count) {
		s->vain = 0;
		return -EINTR;
	}
	drop_used(s);
	n = read_more(s);
	if (n == -ENOMEM)
		return n;
	if (n == -EAGAIN)
		return s->span_count ? 0 : n;
	return 1;		/* the end, too, is worth a look */
}

/* As many records as the fast path takes, or one; as step(). */
static inline int64_t steps(struct stream *s, unsigned int room)
{
	int64_t taken = 0;

	if (!s->lost && !s->untimed)
		taken = s->timed ? run(s, room, true) : run(s, room, false);
	return taken ? taken : step(s);
}

/*
 * Fills the next batch.  0: it is empty only at the end; -EAGAIN, -EINTR:
 * empty, call again; -ENOMEM.
 */
static int fill(struct stream *s)
{
	unsigned int taken = 0;

	s->from = s->scan;
	s->span_count = 0;
	while (taken < s->batch || !s->span_count) {
		unsigned int room = taken < s->batch ? s->batch - taken : 0;
		int64_t n = steps(s, room);

		if (n == -ENODATA) {
			n = feed(s);
			if (n <= 0)
				return (int)n;
		} else if (n < 0) {
			return (int)n;
		} else {
			taken += (unsigned int)n;
		}
	}
	return 0;
}

static int refill(struct stream *s)
{
	int err = fill(s);

	if (s->span_count)
		s->vain = 0;
	s->usual = s->scan - s->from;
	s->span = 0;
	return err;
}

int stream_prime(struct stream *s)
{
	for (int i = 0; i < PRIME_TRIES && !stream_waiting(s); i++) {
		int err = refill(s);

		if (err != -EINTR)
			return err == -ENOMEM ? err : 0;
	}
	return 0;
}

/* --- skipping ------------------------------------------------------------- */

/* Drops what was read ahead.  0: the source is at byte at. */
static int go_to(struct stream *s, uint64_t at)
{
	s->from = s->scan = s->end = 0;
	s->base = at;
	s->eof = false;
	s->span = s->span_count = 0;
	s->ready.end = s->ready.raw;
	s->raw_end = s->raw;
	s->body = 0;
	s->lost = false;
	s->account.sealed = false;
	return source_seek(s->src, at);
}

/* Reads until the buffer has len bytes, at most a record, and offers room for
 * most; false: it cannot. */
static bool have(struct stream *s, size_t len, size_t most)
{
	ssize_t n = 1;

	if (s->end < len && make_room(s, most - s->end))
		return false;
	while (s->end < len && n > 0) {
		n = source_read(s->src, s->buf + s->end, most - s->end);
		s->end += n > 0 ? (size_t)n : 0;
	}
	return s->end >= len;
}

bool stream_note(struct stream *s, uint64_t at)
{
	struct header h;

	if (go_to(s, at))
		return false;
	have(s, BLK_HEADER_7, NOTE_SIZE);
	if (header_read(&s->headers, s->buf, s->end, true, &h) !=
	    HEADER_WHOLE || !action_is_noted(h.action) ||
	    !have(s, h.total, h.total))
		return false;
	hook_note(s, s->buf, &h);
	return true;
}

void stream_seek(struct stream *s, uint64_t at)
{
	if (!go_to(s, at))
		return;
	report(s, at, 0, "the file has changed while it was read");
	s->eof = true;
}

/* --- events -------------------------------------------------------------- */

/* Version 2 has unrelated clocks per CPU: each starts at 0. */
static void rebase_clock(struct stream *s, struct event *ev)
{
	if (!s->clocked)
		s->first_time = ev->time;
	s->clocked = true;
	ev->time -= s->first_time;
}

/* The next of a span that is not plain. */
static COLD void decode_next(struct stream *s)
{
	const struct layout *l = NULL;
	struct event *ev = &s->ready.ev;
	unsigned int version;
	bool swapped = false;

	if (record_magic(s->raw, &version, &swapped))
		l = s->headers.settled[version];
	decode(s, s->raw, l, swapped, ev);
	s->raw = ev->payload + ev->pdu_len;
	if (ev->version == 2)
		rebase_clock(s, ev);
}

/* What follows the record is the same for all events of a plain span. */
static void set_plain(const struct stream *s, struct event *ev)
{
	ev->zone = 0;
	ev->version = BLK_VERSION_7;
	ev->swapped = false;
	ev->origin = s->origin;
	ev->lane = s->lane;
}

static void open_span(struct stream *s)
{
	const struct span *span = &s->spans[s->span++];
	const uint8_t *bytes = s->buf + s->from;

	if (span->plain) {
		set_plain(s, &s->ready.ev);
		s->ready.raw = bytes + span->from;
		s->ready.end = bytes + span->to;
	} else {
		s->raw = bytes + span->from;
		s->raw_end = bytes + span->to;
	}
}

/* 1: an event is ready; else as stream_next() */
static COLD int next_span(struct stream *s)
{
	int err = 0;

	if (!stream_waiting(s))
		err = refill(s);
	if (err || !stream_waiting(s))
		return err;
	open_span(s);
	return 1;
}

int stream_next(struct stream *s, struct event **ev)
{
	int got = 1;

	*ev = &s->ready.ev;
	if (!batch_has(&s->ready) && s->raw == s->raw_end)
		got = next_span(s);
	if (UNLIKELY(got != 1))
		return got;
	if (batch_has(&s->ready))
		batch_take(&s->ready);
	else
		decode_next(s);
	return 1;
}

struct batch *stream_batch(struct stream *s)
{
	return &s->ready;
}

void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total)
{
	source_progress(s->src, done, total);
}

bool stream_waiting(const struct stream *s)
{
	return s->ready.raw != s->ready.end || s->raw != s->raw_end ||
	       s->span < s->span_count;
}
