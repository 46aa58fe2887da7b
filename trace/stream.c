/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of one source; see stream.h.
 *
 * The buffer holds, from left to right: the current batch, whose events are
 * marked; bytes that are read but not scanned yet; room.  A batch is whole in
 * the buffer, which grows in the rare case that it must.
 *
 *	0        from             scan            end        cap
 *	| used up | the batch      | not scanned   | room      |
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "trace/header.h"
#include "trace/hooks.h"
#include "trace/record.h"
#include "trace/source.h"
#include "trace/stream.h"

enum {
	READ_SIZE = 65536,
	FIRST_SIZE = READ_SIZE + 40960,	/* a batch and a read fit in */
	ROOM_MIN = READ_SIZE / 2,	/* less is not worth a read */
	COMM_SIZE = 16,
	PIDS_NOTED = 64,		/* a power of two */
	PRIME_TRIES = 64,	/* of STREAM_VAIN bytes each */
};

struct stream {
	struct source *src;
	const struct hooks *hooks;
	struct lane *lane;
	uint16_t origin;
	char *name;
	bool notes_stay;
	int cpu;
	uint32_t cpu_first, cpu_more;	/* CPUs that fit: so many more */

	uint8_t *buf;
	size_t from, scan, end, cap;
	uint64_t base;		/* offset of buf[0] in the source */
	size_t vain;		/* bytes read since there was an event */
	bool eof;

	uint32_t *marks;	/* where events begin, relative to from */
	size_t marked, marks_size;
	const uint8_t *batch_at;	/* the batch that is handed out */
	const uint32_t *next, *last;	/* its marks from here to there */
	unsigned int batch;	/* events in a batch at most */

	size_t body;		/* where the last payload begins, or 0 */
	bool lost;		/* searching for a plausible record */
	bool lost_zeros;	/* all bytes passed over so far were 0 */
	uint64_t lost_at;
	const char *lost_why;
	uint64_t foreign_at, foreign;	/* bytes of other CPUs' records */

	bool ordered;		/* the byte order is known */
	bool swapped;
	struct header_reader headers;

	bool clocked;		/* version 2 only: first_time is known */
	uint64_t first_time;
	uint32_t pids_noted[PIDS_NOTED];	/* versions 4 to 6 only */

	struct event front;
	bool front_native;	/* its fields behind the record are native's */
};

struct stream *stream_new(struct source *src, const struct stream_options *o,
			  const struct hooks *hooks)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s) {
		source_close(src);
		return NULL;
	}
	s->src = src;
	s->hooks = hooks;
	s->lane = o->lane;
	s->origin = o->origin;
	s->notes_stay = o->notes_stay;
	s->cpu = o->cpu;
	if (o->cpu == STREAM_ANY_CPU)
		s->cpu_more = BLK_CPU_MAX - 1;
	else
		s->cpu_first = (uint32_t)o->cpu;
	s->batch = o->batch;
	s->name = strdup(o->name);
	s->cap = FIRST_SIZE;
	s->buf = malloc(s->cap);
	s->marks_size = STREAM_BATCH;
	s->marks = malloc(s->marks_size * sizeof(*s->marks));
	if (!s->name || !s->buf || !s->marks) {
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
	free(s->buf);
	free(s->marks);
	free(s);
}

static void report(struct stream *s, uint64_t at, uint64_t lost,
		   const char *what)
{
	s->hooks->damage(s->hooks->ctx,
			 &(struct damage){ s->name, at, lost, what });
}

/* --- bytes into the buffer ------------------------------------------- */

/* Moves the batch to the front and grows the buffer if that is not enough. */
static int make_room(struct stream *s)
{
	size_t keep = s->end - s->from;
	uint8_t *bigger;

	if (s->cap - s->end >= ROOM_MIN)
		return 0;
	if (s->from) {
		memmove(s->buf, s->buf + s->from, keep);
		s->base += s->from;
		s->scan -= s->from;
		s->body = s->body > s->from ? s->body - s->from : 0;
		s->end = keep;
		s->from = 0;
	}
	if (s->cap - s->end >= ROOM_MIN)
		return 0;
	if (s->cap > UINT32_MAX / 2)
		return -EFBIG;
	bigger = realloc(s->buf, 2 * s->cap);
	if (!bigger)
		return -ENOMEM;
	s->buf = bigger;
	s->cap *= 2;
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

/* Reads more.  1: there is; 0: the end; -EAGAIN. */
static int read_more(struct stream *s)
{
	ssize_t n;

	if (s->eof)
		return 0;
	n = make_room(s);
	if (n == 0)
		n = source_read(s->src, s->buf + s->end, s->cap - s->end);
	if (n == -EAGAIN)
		return -EAGAIN;
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

static void hook_note(struct stream *s, const struct header *h)
{
	struct event ev = { 0 };

	decode(s, s->buf + s->scan, h->layout, h->swapped, &ev);
	s->hooks->note(s->hooks->ctx, &ev);
}

/* Versions 4 to 6 name the process in every record: made a note of it. */
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

static int mark(struct stream *s)
{
	if (s->marked == s->marks_size) {
		size_t size = 2 * s->marks_size;
		uint32_t *marks = realloc(s->marks, size * sizeof(*marks));

		if (!marks)
			return -ENOMEM;
		s->marks = marks;
		s->marks_size = size;
	}
	s->marks[s->marked++] = (uint32_t)(s->scan - s->from);
	return 0;
}

static bool is_plain_note(uint32_t action)
{
	return action & BLK_TC_ACT(BLK_TC_NOTIFY) &&
	       (action & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG) != BLK_TN_MESSAGE;
}

static bool wrong_cpu(const struct stream *s, const struct header *h)
{
	return s->cpu >= 0 && h->cpu != (uint32_t)s->cpu &&
	       (!h->layout || h->layout->cpu_bytes);
}

/* The first is reported at once, the others, maybe thousands, at the end. */
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
 * Takes in the record at the scan place, which is all in the buffer.  1: it
 * counts as read ahead; 0: it does not; -ENOMEM.
 */
static inline int add_record(struct stream *s, const struct header *h)
{
	int err = 0;

	if (UNLIKELY(wrong_cpu(s, h))) {
		pass_foreign(s, h);
	} else if (is_plain_note(h->action) && !s->notes_stay) {
		hook_note(s, h);
		s->scan += h->total;
		return 0;
	} else {
		if (h->layout)
			hook_comm(s, h);
		err = mark(s);
	}
	s->scan += h->total;
	return err ? err : 1;
}

static inline enum header_verdict header_at(struct stream *s, struct header *h)
{
	return header_read(&s->headers, s->buf + s->scan, s->end - s->scan,
			   s->eof, h);
}

/* --- damage -------------------------------------------------------------- */

/* Bytes before the first mark need not be kept. */
static void drop_used(struct stream *s)
{
	if (!s->marked)
		s->from = s->scan;
}

/*
 * Starts the search.  If the last record's payload length is wrong, the next
 * record may be inside what was taken for its payload: so from there.
 */
static void start_search(struct stream *s)
{
	s->lost = true;
	s->lost_at = s->base + s->scan;
	s->lost_why = header_why(s->buf + s->scan);
	s->lost_zeros = true;
	if (s->body && s->body < s->scan)
		s->scan = s->body;
	s->body = 0;
	drop_used(s);
}

/* The same where the source ends inside a record. */
static void start_search_in_cut(struct stream *s)
{
	s->lost = true;
	s->lost_at = s->base + s->scan;
	s->lost_why = "a record cut short";
	s->lost_zeros = false;
	s->body = 0;
	s->scan++;
}

static void found(struct stream *s)
{
	uint64_t here = s->base + s->scan;

	s->lost = false;
	if (here < s->lost_at)
		report(s, s->lost_at, 0,
		       "not a trace record: the payload length before is"
		       " wrong");
	else if (s->lost_zeros && here > s->lost_at)
		report(s, s->lost_at, here - s->lost_at, "zeros");
	else
		report(s, s->lost_at, here - s->lost_at, s->lost_why);
}

/* Whether the record at the scan place is one to go on with. */
static enum header_verdict plausible(struct stream *s, struct header *h)
{
	enum header_verdict v = header_at(s, h);
	size_t avail = s->end - s->scan;
	unsigned int version;
	bool swapped;

	if (v != HEADER_WHOLE)
		return v;
	if ((s->ordered && h->swapped != s->swapped) || wrong_cpu(s, h) ||
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

/* Goes on searching.  1: found; 0: the end; short of bytes: -ENODATA. */
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

/* The end of the source. */
static void finish(struct stream *s)
{
	if (s->foreign)
		report(s, s->foreign_at, s->foreign,
		       "more records of other CPUs than the file's");
	s->foreign = 0;
}

/* --- batches ------------------------------------------------------------- */

/*
 * One step: takes a record in, or searches.  1: it counts as read ahead;
 * 0: it does not; -ENODATA: needs more bytes; -ENOMEM.
 */
static inline int step(struct stream *s)
{
	struct header h;
	enum header_verdict v;

	if (UNLIKELY(s->lost))
		return search(s) < 0 ? -ENODATA : 0;
	v = header_at(s, &h);
	if (v == HEADER_WHOLE && s->end - s->scan >= h.total) {
		s->ordered = true;
		s->swapped = h.swapped;
		s->body = s->scan + h.size;
		return add_record(s, &h);
	}
	if (v != HEADER_BAD)
		return -ENODATA;
	start_search(s);
	return 0;
}

/*
 * The usual case, many in a row: native version 7, all there, no notes, of a
 * CPU that fits.  Takes in what is so, at most room events, and stops at the
 * first thing that step() has to look at.  Returns how many it took.
 */
static unsigned int run(struct stream *s, unsigned int room)
{
	const uint8_t *from = s->buf + s->from, *raw = s->buf + s->scan;
	const uint8_t *end = s->buf + s->end, *last = NULL;
	uint32_t *mark = s->marks + s->marked, *first = mark;

	if (room > s->marks_size - s->marked)
		room = (unsigned int)(s->marks_size - s->marked);
	for (uint32_t *stop = mark + room; mark < stop; mark++) {
		size_t left = (size_t)(end - raw), total;

		if (left < BLK_HEADER_7 ||
		    get32(raw) != (BLK_MAGIC | BLK_VERSION_7) ||
		    get32(FIELD(raw, action)) & BLK_TC_ACT(BLK_TC_NOTIFY) ||
		    get32(FIELD(raw, cpu)) - s->cpu_first > s->cpu_more)
			break;
		total = BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
		if (left < total)
			break;
		*mark = (uint32_t)(raw - from);
		last = raw;
		raw += total;
	}
	if (last) {
		s->ordered = true;
		s->swapped = false;
		s->body = (size_t)(last - s->buf) + BLK_HEADER_7;
		s->scan = (size_t)(raw - s->buf);
		s->marked += (size_t)(mark - first);
	}
	return (unsigned int)(mark - first);
}

/*
 * More bytes, or a look at why there are none.  1: go on; 0: the batch is all
 * there will be; -EAGAIN; -EINTR: so much was read and nothing found that the
 * caller should know.
 */
static int feed(struct stream *s)
{
	int n;

	if (s->lost && s->marked)	/* what was there before goes first */
		return 0;
	if (s->eof && s->scan == s->end) {
		finish(s);
		return 0;
	}
	if (s->eof) {
		start_search_in_cut(s);
		return 1;
	}
	if (s->vain >= STREAM_VAIN && !s->marked) {
		s->vain = 0;
		return -EINTR;
	}
	drop_used(s);
	n = read_more(s);
	if (n == -EAGAIN)
		return s->marked ? 0 : n;
	return 1;		/* the end, too, is worth a look */
}

/*
 * Fills the next batch.  0, also when it stays empty at the end; -EAGAIN and
 * -EINTR leave it empty, and the next call goes on.
 */
static int fill(struct stream *s)
{
	unsigned int taken = 0;

	s->from = s->scan;
	s->marked = 0;
	while (taken < s->batch || !s->marked) {
		int n;

		if (!s->lost && taken < s->batch)
			taken += run(s, s->batch - taken);
		if (taken >= s->batch && s->marked)
			break;
		n = step(s);
		if (n == -ENODATA) {
			n = feed(s);
			if (n <= 0)
				return n;
		} else if (n < 0) {
			report(s, s->base + s->scan, 0, strerror(-n));
			s->eof = true;
			s->end = s->scan;
		} else {
			taken += (unsigned int)n;
		}
	}
	return 0;
}

/* Fills the next batch and makes it the one that is handed out. */
static int refill(struct stream *s)
{
	int err = fill(s);

	if (s->marked)
		s->vain = 0;
	s->batch_at = s->buf + s->from;
	s->next = s->marks;
	s->last = s->marks + s->marked;
	return err;
}

void stream_prime(struct stream *s)
{
	for (int i = 0; i < PRIME_TRIES && s->next == s->last; i++)
		if (refill(s) != -EINTR)
			return;
}

/* CPU clocks of version 2 have nothing in common: each starts at 0. */
static void rebase_clock(struct stream *s)
{
	if (!s->clocked)
		s->first_time = s->front.time;
	s->clocked = true;
	s->front.time -= s->first_time;
}

/* Anything but a native version 7 record. */
static COLD void decode_front(struct stream *s, const uint8_t *raw)
{
	const struct layout *l = NULL;
	unsigned int version;
	bool swapped = false;

	s->front_native = get32(raw) == (BLK_MAGIC | BLK_VERSION_7);
	if (!s->front_native && record_magic(raw, &version, &swapped))
		l = s->headers.settled[version];
	decode(s, raw, l, swapped, &s->front);
	if (s->front.version == 2)
		rebase_clock(s);
}

/* The next batch's first event, or none. */
static COLD int next_batch(struct stream *s, struct event **ev)
{
	int err = refill(s);

	if (err || s->next == s->last)
		return err;
	return stream_next(s, ev);
}

int stream_next(struct stream *s, struct event **ev)
{
	const uint8_t *raw;

	if (UNLIKELY(s->next == s->last))
		return next_batch(s, ev);
	raw = s->batch_at + *s->next++;
	*ev = &s->front;
	if (LIKELY(s->front_native &&
		   get32(raw) == (BLK_MAGIC | BLK_VERSION_7))) {
		memcpy(&s->front, raw, BLK_HEADER_7);
		s->front.payload = raw + BLK_HEADER_7;
	} else {
		decode_front(s, raw);
	}
	return 1;
}

void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total)
{
	source_progress(s->src, done, total);
}

size_t stream_waiting(const struct stream *s)
{
	return (size_t)(s->last - s->next);
}
