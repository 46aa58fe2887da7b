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
#include "tools/btpack/members.h"
#include "tools/btpack/record_bytes.h"
#include "tools/btpack/records.h"
#include "tools/btpack/selection.h"

/* bytes that are no records, until the next record */
struct gap {
	uint64_t at, len;
};

struct records {
	struct scan *scan;
	const struct member *member;
	const struct selection *selection;
	struct hooks hooks;
	struct hash left_out;	/* events, by device and CPU */
	struct checksum was, is;	/* of the records since the last seal:
					 * recorded, and packed */
	struct gap gap;
	bool damaged;
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
		 const struct selection *s)
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
	r->selection = s;
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

/* Changes the record in the buffer, recorded as was, to what is packed. */
static void change(struct records *r, const uint8_t *was)
{
	struct record_bytes *b = &r->record;
	struct blk_seal seal;

	if (payload_seal(&b->ev, &seal)) {
		seal_again(r, &seal);
		return;
	}
	if (!event_is_note(&b->ev))
		record_set32(b, RECORD_SEQUENCE,
			     b->ev.sequence - left_out(r, &b->ev));
	checksum_add(&r->was, was, b->len);
	checksum_add(&r->is, b->bytes, b->len);
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
	r->gap.len = 0;
}

static void add_gap(struct records *r, const struct piece *p)
{
	if (!r->gap.len)
		r->gap.at = p->at;
	r->gap.len += p->len;
}

/* Takes a record to the buffer.  1; 0: it is left out; -ENOMEM. */
static int take(struct records *r, const struct piece *p)
{
	struct record_bytes *b = &r->record;

	end_gap(r);
	b->ev = p->ev;
	b->ev.payload = p->raw + p->layout->size;
	if (!selection_has(r->selection, &b->ev)) {
		checksum_add(&r->was, p->raw, p->len);
		return leave_out(r, &b->ev);
	}
	memcpy(b->bytes, p->raw, p->len);
	b->len = p->len;
	b->layout = p->layout;
	change(r, p->raw);
	r->at = 0;
	return 1;
}

/* The next record that is packed: 1; 0: the end; or -errno. */
static int next(struct records *r)
{
	struct piece p;
	int got;

	while ((got = scan_next(r->scan, &p)) == 1) {
		int taken = 0;

		if (p.kind == PIECE_RECORD)
			taken = take(r, &p);
		else
			add_gap(r, &p);
		if (taken)
			return taken;
	}
	end_gap(r);
	return got;
}

ssize_t records_read(struct records *r, uint8_t *buf, size_t len)
{
	size_t have = 0;

	while (have < len && !r->error) {
		size_t n = r->record.len - r->at;
		int got = n ? 1 : next(r);

		if (got < 0)
			r->error = got;
		if (got <= 0)
			break;
		n = r->record.len - r->at;
		n = n < len - have ? n : len - have;
		memcpy(buf + have, r->record.bytes + r->at, n);
		r->at += n;
		have += n;
	}
	if (have || !r->error)
		return (ssize_t)have;
	return r->error;
}

/* A CPU's file starts with its first event; a dump may not. */
uint64_t records_first(const struct member *m)
{
	const struct hooks hooks = { .damage = hooks_no_damage };
	uint64_t time = UINT64_MAX;
	struct source *source;
	struct scan *scan;
	struct piece p;

	if (open_source(&source, m))
		return time;
	scan = scan_new(source, 0, &hooks);
	while (scan && !(m->entry && time != UINT64_MAX) &&
	       scan_next(scan, &p) == 1)
		if (p.kind == PIECE_RECORD && !action_is_noted(p.ev.action) &&
		    p.ev.time < time)
			time = p.ev.time;
	scan_free(scan);
	return time;
}
