/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a member, selected; see records.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/hash.h"
#include "cli/inputs.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/scan.h"
#include "file/source.h"
#include "record/payload.h"
#include "run/host_clocks.h"
#include "tools/btpack/disguise.h"
#include "tools/btpack/members.h"
#include "tools/btpack/record_bytes.h"
#include "tools/btpack/records.h"
#include "tools/btpack/selection.h"

/* bytes that are no records, until the next record */
struct gap {
	uint64_t at, len;
	uint64_t zeros;		/* to be read for it */
};

struct records {
	struct scan *scan;
	const struct member *member;
	const struct records_wishes *wishes;
	struct hooks hooks;
	struct hash left_out;	/* events, by device and CPU */
	struct checksum was, is;	/* of the records since the last seal:
					 * recorded, and packed */
	struct gap gap;
	bool damaged, ended;
	int error;		/* of the source */
	struct record_bytes record;
	size_t at;		/* bytes of it that were read */
};

/* --- the start and the end ------------------------------------------------ */

static void on_damage(void *ctx, const struct damage *d)
{
	struct records *r = ctx;

	r->damaged = true;
	inputs_print_damage(d);
}

static int open_source(struct source **s, const struct member *m)
{
	return m->entry ? files_open(m->entry, s) : source_open(s, m->path);
}

int records_open(struct records **out, const struct member *m,
		 const struct records_wishes *w)
{
	struct records *r = malloc(sizeof(*r));
	struct source *source;
	int err = r ? open_source(&source, m) : -ENOMEM;

	if (err) {
		free(r);
		return err;
	}
	/* all but the record, which is large */
	memset(r, 0, offsetof(struct records, record));
	r->member = m;
	r->wishes = w;
	r->hooks = (struct hooks){ .ctx = r, .damage = on_damage };
	r->record.len = r->at = 0;
	r->scan = scan_new(source, m->entry ? m->entry->cpu : 0, &r->hooks);
	if (!r->scan) {
		free(r);
		return -ENOMEM;
	}
	*out = r;
	return 0;
}

void records_close(struct records *r)
{
	if (!r)
		return;
	scan_free(r->scan);
	hash_free(&r->left_out);
	free(r);
}

bool records_damaged(const struct records *r)
{
	return r->damaged;
}

/* --- what is left out ----------------------------------------------------- */

static uint64_t lane_of(const struct event *ev)
{
	return (uint64_t)ev->device << 32 | ev->cpu;
}

static uint32_t left_out(const struct records *r, const struct event *ev)
{
	int64_t n = hash_get_number(&r->left_out, lane_of(ev));

	return n < 0 ? 0 : (uint32_t)n;
}

static int leave_out(struct records *r, const struct event *ev)
{
	return hash_put_number(&r->left_out, lane_of(ev),
			       left_out(r, ev) + 1);
}

/* What the sums of seals differed by before, they differ by now. */
static void seal_again(struct records *r, const struct blk_seal *s)
{
	struct record_bytes *b = &r->record;
	size_t at = b->layout->size;

	record_set64(b, at + offsetof(struct blk_seal, records),
		     s->records - left_out(r, &b->ev));
	record_set64(b, at + offsetof(struct blk_seal, checksum),
		     s->checksum - r->was.sum + r->is.sum);
	r->was = r->is = (struct checksum){ 0 };
}

/* Changes the record in the buffer, recorded as was, to what is packed.  1 or
 * -ENOMEM. */
static int change(struct records *r, const uint8_t *was)
{
	struct record_bytes *b = &r->record;
	struct blk_seal seal;
	int err = 0;

	if (payload_seal(&b->ev, &seal)) {
		seal_again(r, &seal);
		return 1;
	}
	checksum_add(&r->was, was, b->len);
	if (!event_is_note(&b->ev))
		record_set32(b, RECORD_SEQUENCE,
			     b->ev.sequence - left_out(r, &b->ev));
	if (r->wishes->disguise)
		err = disguise_record(r->wishes->disguise, b);
	checksum_add(&r->is, b->bytes, b->len);
	return err ? err : 1;
}

/* --- reading -------------------------------------------------------------- */

/* Reports bytes that are no records and end here. */
static void end_gap(struct records *r)
{
	if (!r->gap.len)
		return;
	on_damage(r, &(struct damage){ .file = r->member->path,
				       .at = r->gap.at, .lost = r->gap.len,
				       .what = "no valid record" });
	r->gap.zeros = r->gap.len;
	r->gap.len = 0;
}

static void add_gap(struct records *r, const struct piece *p)
{
	if (!r->gap.len)
		r->gap.at = p->at;
	r->gap.len += p->len;
}

/* Of a record that the file ends in, its start: readers find it cut again. */
static int take_cut(struct records *r, const struct piece *p)
{
	static const size_t magic = sizeof(uint32_t);
	struct record_bytes *b = &r->record;
	size_t len = p->len < BLK_HEADER_MIN ? p->len : BLK_HEADER_MIN - 1;

	end_gap(r);
	on_damage(r, &(struct damage){ .file = r->member->path, .at = p->at,
				       .lost = p->len,
				       .what = "the file ends in a record" });
	if (b->len < magic || len < magic)
		return 0;
	/* the magic of the record before is in the buffer */
	memset(b->bytes + magic, 0, len - magic);
	b->len = len;
	r->at = 0;
	return 1;
}

/* Takes a record to the buffer.  1; 0: it is left out; -ENOMEM. */
static int take(struct records *r, const struct piece *p)
{
	struct record_bytes *b = &r->record;

	end_gap(r);
	b->ev = p->ev;
	b->ev.payload = p->raw + p->layout->size;
	if (!selection_has(r->wishes->selection, &b->ev)) {
		checksum_add(&r->was, p->raw, p->len);
		return leave_out(r, &b->ev);
	}
	memcpy(b->bytes, p->raw, p->len);
	b->len = p->len;
	b->layout = p->layout;
	r->at = 0;
	return change(r, p->raw);
}

/* The next record that is packed, or the end.  0 or -errno. */
static int next(struct records *r)
{
	struct piece p;
	int got, taken = 0;

	while (!taken && (got = scan_next(r->scan, &p)) == 1) {
		if (p.kind == PIECE_RECORD)
			taken = take(r, &p);
		else if (p.kind == PIECE_CUT_HEADER ||
			 p.kind == PIECE_CUT_PAYLOAD)
			taken = take_cut(r, &p);
		else
			add_gap(r, &p);
	}
	if (taken)
		return taken < 0 ? taken : 0;
	r->ended = true;
	end_gap(r);
	return got;
}

/* Up to len bytes: zeros, then of the record. */
static size_t hand_out(struct records *r, uint8_t *buf, size_t len)
{
	size_t left = r->record.len - r->at;

	if (r->gap.zeros) {
		len = len < r->gap.zeros ? len : (size_t)r->gap.zeros;
		memset(buf, 0, len);
		r->gap.zeros -= len;
		return len;
	}
	len = len < left ? len : left;
	memcpy(buf, r->record.bytes + r->at, len);
	r->at += len;
	return len;
}

ssize_t records_read(struct records *r, uint8_t *buf, size_t len)
{
	size_t have = 0;

	while (have < len && !r->error) {
		size_t n = hand_out(r, buf + have, len - have);

		have += n;
		if (n || r->gap.zeros)
			continue;
		if (r->ended)
			break;
		r->error = next(r);
	}
	if (have || !r->error)
		return (ssize_t)have;
	return r->error;
}

/* --- the start of a member ------------------------------------------------ */

static void look_at(struct records_start *s, struct piece *p,
		    struct disguise *d)
{
	struct event *ev = &p->ev;
	struct remap r;

	ev->payload = p->raw + p->layout->size;
	if (!action_is_noted(ev->action))
		s->first = ev->time < s->first ? ev->time : s->first;
	if (!d)
		return;
	if (event_is_note(ev))
		disguise_clock(d, epoch_of_note(ev), ev->time);
	else if (event_number(ev) == BLK_TA_REMAP && payload_remap(ev, &r))
		s->error = disguise_link(d, ev->device, r.from);
}

/* Without a disguise, a CPU's file is read up to its first event, which is its
 * earliest; a dump's may not be. */
struct records_start records_look(const struct member *m, struct disguise *d)
{
	const struct hooks hooks = { .damage = hooks_no_damage };
	struct records_start start = { .first = UINT64_MAX };
	struct source *source;
	struct scan *scan;
	struct piece p;

	if (open_source(&source, m))
		return start;
	scan = scan_new(source, 0, &hooks);
	while (scan && !start.error &&
	       (d || !m->entry || start.first == UINT64_MAX) &&
	       scan_next(scan, &p) == 1)
		if (p.kind == PIECE_RECORD)
			look_at(&start, &p, d);
	scan_free(scan);
	return start;
}
