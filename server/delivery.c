/* SPDX-License-Identifier: GPL-2.0-only */
/* The acknowledged protocol; see delivery.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "net.h"
#include "pack/frame.h"
#include "server/delivery.h"
#include "server/packed_frame.h"
#include "server/report.h"
#include "server/runs.h"
#include "server/whole.h"

enum {
	CONTENT = 64,		/* of a frame other than data, at most */
	/* lanes that differ from what their sender knows, in one answer */
	TOLD_MAX = 256,
	LANES_FIRST = 16,
};

_Static_assert((int)CONTENT >= (int)FRAME_HELLO &&
	       (int)CONTENT >= (int)FRAME_LANE &&
	       (int)CONTENT >= (int)FRAME_TOTALS, "contents fit");

enum stage {
	STAGE_BEGIN,		/* nothing has come */
	STAGE_OPEN,		/* lanes are opened */
	STAGE_DATA,
	STAGE_ENDED,		/* the run is over */
	STAGE_TAKEN,		/* by another connection */
};

struct lane {
	struct run_lane *to;	/* NULL: the run has ended before */
	/* what its sender does not know of: bytes that are stored, or that are
	 * missing; one of them is 0 */
	uint64_t extra, missing;
	uint64_t offset;	/* of the next byte, lost ones included */
	/* up to this offset all is stored, of which its sender is not told: it
	 * cannot be cut off */
	uint64_t had;
};

struct delivery {
	const struct talk_options *o;
	char *error;
	enum stage stage;
	struct run *run;	/* NULL: none any more, or not yet */
	struct lane *lanes;
	size_t count, size;
	size_t told;		/* lanes with some */
	bool untold;		/* there are more with missing bytes */
	uint64_t read;		/* bytes of files, to find them */
	uint64_t missing;	/* acknowledged bytes that are gone */
	uint8_t head[FRAME + CONTENT];	/* of a frame that is not whole */
	size_t have;
	struct frame frame;	/* the current one */
	struct lane *to;	/* of data that is coming, */
	uint64_t left;		/* bytes to come; 0: none */
	uint64_t skip;		/* the first of them are stored already */
	struct whole whole;	/* a card, or a packed block */
	bool packs;		/* packed blocks may come */
	bool welcomed, welcome_marked;
	/* blocks that have come; of them no longer gathered; and so on */
	uint64_t blocks, put, marked, acknowledged;
	bool end_marked;
};

/* The sender gets the reason, if that is possible. */
__attribute__((format(printf, 2, 3)))
static enum talk_state bad(struct delivery *d, const char *fmt, ...)
{
	uint8_t raw[FRAME + TALK_ERROR];
	struct frame f = { .kind = FRAME_REFUSAL };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->error, TALK_ERROR, fmt, ap);
	va_end(ap);
	f.len = (uint32_t)strlen(d->error);
	frame_encode(&f, raw);
	memcpy(raw + FRAME, d->error, f.len);
	d->o->answer(d->o->ctx, raw, FRAME + f.len);
	return TALK_BAD;
}

static enum talk_state answer(struct delivery *d, const struct frame *f)
{
	uint8_t raw[FRAME];
	int err;

	frame_encode(f, raw);
	err = d->o->answer(d->o->ctx, raw, sizeof(raw));
	if (!err)
		return TALK_ON;
	snprintf(d->error, TALK_ERROR, "cannot answer: %s", strerror(-err));
	return TALK_BAD;
}

static bool is_card(const struct lane *l)
{
	return run_lane_cpu(l->to) == NET_CPU_CARD;
}

/* --- the run -------------------------------------------------------------- */

static void leave(struct delivery *d)
{
	d->left = 0;
	whole_end(&d->whole);
	run_leave(d->run);
	d->run = NULL;
}

static void on_taken(void *ctx)
{
	struct delivery *d = ctx;

	leave(d);
	d->stage = STAGE_TAKEN;
}

/* What has come by now is stored, unless the run has failed. */
static void on_put(void *ctx)
{
	struct delivery *d = ctx;

	d->put = d->blocks;
	if (d->o->owes)
		d->o->owes(d->o->ctx);
}

static enum talk_state on_begin(struct delivery *d, const uint8_t *content)
{
	const struct run_owner owner = { on_taken, on_put, d };
	struct frame_hello h;
	const char *why;

	if (d->frame.lane != FRAME_VERSION)
		return bad(d, "version %u of the protocol is unknown here",
			   d->frame.lane);
	d->packs = d->frame.extra & FRAME_TAKES_PACKED && frame_built();
	frame_hello_decode(&h, content);
	why = run_claim(d->o->runs, &d->o->peer, &h, &owner, &d->run);
	if (why)
		return bad(d, "run %u: %s", h.run, why);
	d->stage = STAGE_OPEN;
	return TALK_ON;
}

static struct lane *add_lane(struct delivery *d)
{
	struct lane *list = array_reserve(d->lanes, d->count, &d->size,
					  LANES_FIRST, sizeof(*list));

	if (!list)
		return NULL;
	d->lanes = list;
	list[d->count] = (struct lane){ .to = NULL };
	return &list[d->count++];
}

static const char *open_lane(struct delivery *d, struct lane *l,
			     const struct net_header *h, uint64_t stored)
{
	/* others wait while files are read */
	bool cut = d->frame.extra || d->told == TOLD_MAX ||
		   d->read >= RUN_EXTRA_MAX;
	struct run_found found;
	const char *why = run_lane_resume(d->run, &d->o->peer, h, stored, cut,
					  &l->to, &found);

	if (why)
		return why;
	l->extra = cut ? 0 : found.extra;
	l->offset = d->frame.offset + l->extra;
	l->had = d->frame.offset + found.extra;
	d->read += found.read;
	d->missing += found.missing;
	if (found.missing && d->told == TOLD_MAX)
		d->untold = true;
	else
		l->missing = found.missing;
	d->told += l->extra || l->missing;
	return NULL;
}

static enum talk_state on_open(struct delivery *d, const uint8_t *content)
{
	struct net_header h;
	uint64_t stored;
	const char *why = frame_lane_decode(&h, &stored, content);
	struct lane *l;

	if (why || !net_name_harmless(h.name))
		return bad(d, "%s", why ? why : NET_BAD_NAME);
	if (d->frame.lane != d->count || d->count == RUN_FILES_MAX)
		return bad(d, "bad number of a lane");
	l = add_lane(d);
	if (!l)
		return bad(d, "%s", strerror(ENOMEM));
	if (run_has_ended(d->run))
		return TALK_ON;
	why = open_lane(d, l, &h, stored);
	return why ? bad(d, "%s, CPU %u: %s", h.name, h.cpu, why) : TALK_ON;
}

/* Each lane that differs from what its sender knows. */
static enum talk_state tell_lanes(struct delivery *d)
{
	enum talk_state state = TALK_ON;

	for (size_t i = 0; state == TALK_ON && i < d->count; i++) {
		const struct lane *l = &d->lanes[i];
		const struct frame f = {
			.kind = FRAME_HAVE, .lane = (uint32_t)i,
			.offset = l->extra + l->missing,
			.extra = l->missing > 0,
		};

		if (f.offset)
			state = answer(d, &f);
	}
	return state;
}

/* The welcome is an acknowledgement, of what the sender does not know of.  A
 * sender with more lanes than it can be told of comes back for the others. */
static enum talk_state welcome(struct delivery *d)
{
	const struct frame f = {
		.kind = FRAME_WELCOME,
		.extra = d->run ? run_has_ended(d->run) : false,
		.lane = d->packs ? FRAME_TAKES_PACKED : 0,
	};
	enum talk_state state = tell_lanes(d);

	d->welcomed = true;
	if (state == TALK_ON && d->untold)
		return bad(d, "too many files have lost what was acknowledged:"
			   " connect again");
	return state == TALK_ON ? answer(d, &f) : state;
}

static enum talk_state on_start(struct delivery *d, const uint8_t *content)
{
	(void)content;
	if (!d->count || d->frame.lane != d->count)
		return bad(d, "bad number of lanes");
	if (d->missing)
		report_warn(d->o->report, "%s: %" PRIu64 " bytes that were"
			    " acknowledged are missing; see --durable",
			    d->o->peer.host, d->missing);
	run_checked(d->run);
	d->stage = STAGE_DATA;
	return TALK_ON;
}

/* --- data ----------------------------------------------------------------- */

/* The lane that the frame is about, open; NULL: none. */
static struct lane *lane_of(struct delivery *d)
{
	struct lane *l = d->frame.lane < d->count ? &d->lanes[d->frame.lane] :
						    NULL;

	return l && l->to ? l : NULL;
}

static enum talk_state begin_whole(struct delivery *d, const char *what,
				   size_t most)
{
	int err = d->frame.len > most ? -EFBIG :
		  whole_begin(&d->whole, d->o->peer.sender, d->frame.len);

	return err ? bad(d, "%s: %u bytes: %s", what, d->frame.len,
			 strerror(-err)) : TALK_ON;
}

static void count_block(struct delivery *d)
{
	d->blocks++;
	if (!run_waits(d->run))
		d->put = d->blocks;
}

/* Of the block's bytes those that are stored. */
static uint64_t already(const struct lane *l, uint64_t offset, uint32_t len)
{
	uint64_t n = l->had > offset ? l->had - offset : 0;

	return n < len ? n : len;
}

/* A block of len bytes, unpacked, begins.  A gap is what the sender had no room
 * for. */
static enum talk_state begin_block(struct delivery *d, struct lane *l,
				   uint32_t len)
{
	if (d->frame.offset < l->offset)
		return bad(d, "data comes twice");
	if (d->frame.offset > l->offset && !is_card(l))
		report_warn(d->o->report, "%s:%s: CPU %u: %" PRIu64 " bytes do"
			    " not come: the sender's spool was full",
			    d->o->peer.host, run_lane_device(l->to),
			    run_lane_cpu(l->to),
			    d->frame.offset - l->offset);
	l->offset = d->frame.offset;
	d->to = l;
	d->left = d->frame.len;
	d->skip = is_card(l) ? 0 : already(l, l->offset, len);
	return TALK_ON;
}

static enum talk_state on_data(struct delivery *d)
{
	struct lane *l = lane_of(d);
	enum talk_state state;

	if (!l)
		return bad(d, "data of a lane that was not opened");
	if (d->frame.len > NET_DATA_MAX)
		return bad(d, "bad length");
	/* nothing of the block is new */
	if (!d->frame.len) {
		count_block(d);
		return TALK_ON;
	}
	state = begin_block(d, l, d->frame.len);
	return state == TALK_ON && is_card(l) ?
		       begin_whole(d, "card", NET_CARD_MAX) : state;
}

static enum talk_state on_packed(struct delivery *d)
{
	const struct frame *f = &d->frame;
	struct lane *l = lane_of(d);
	enum talk_state state;

	if (!l || is_card(l))
		return bad(d, "packed data of a lane that was not opened");
	if (!f->len || f->extra > FRAME_PACKED_MAX ||
	    f->extra / FRAME_PACKED_RATIO > f->len)
		return bad(d, "bad length");
	state = begin_block(d, l, f->extra);
	return state == TALK_ON ?
		       begin_whole(d, "packed data", FRAME_PACKED_MAX) : state;
}

/* Stores the records of a packed block; *why is set if it is damaged. */
static int store_packed(struct delivery *d, const char **why)
{
	struct unpacker *u = runs_unpacker(d->o->runs);
	size_t len = d->frame.extra, skip = (size_t)d->skip;
	uint8_t *out = malloc(len + 1);
	int err = out && u ? 0 : -ENOMEM;

	if (!err)
		err = packed_frame_read(u, d->whole.bytes, d->whole.size, out,
					len, why);
	if (!err && skip < len)
		err = run_lane_write(d->to->to, out + skip, len - skip);
	d->skip = 0;
	free(out);
	return err;
}

/* 0 or -errno; -EBADMSG: *why is set. */
static int store_whole(struct delivery *d, const uint8_t *p, size_t n,
		       const char **why)
{
	int err = 0;

	whole_add(&d->whole, p, n);
	if (d->whole.have < d->whole.size)
		return 0;
	err = is_card(d->to) ? run_lane_card(d->to->to, d->whole.bytes,
					     d->whole.size) :
			       store_packed(d, why);
	whole_end(&d->whole);
	return err;
}

/* As it comes, without what is stored already; 0 or -errno. */
static int store_plain(struct delivery *d, const uint8_t *p, size_t n)
{
	size_t skip = d->skip < n ? (size_t)d->skip : n;

	d->skip -= skip;
	return n > skip ? run_lane_write(d->to->to, p + skip, n - skip) : 0;
}

static enum talk_state cannot_store(struct delivery *d, int err)
{
	leave(d);
	d->stage = STAGE_TAKEN;
	return bad(d, "cannot store: %s", err == -EDQUOT ?
		   "--max-bytes is reached" : strerror(-err));
}

static enum talk_state take_data(struct delivery *d, const uint8_t *p, size_t n)
{
	bool packed = d->frame.kind == FRAME_PACKED;
	const char *why = NULL;
	int err = packed || is_card(d->to) ? store_whole(d, p, n, &why) :
					     store_plain(d, p, n);

	if (err == -EBADMSG && why)
		return bad(d, "%s", why);
	if (err)
		return cannot_store(d, err);
	d->left -= n;
	if (!d->left) {
		d->to->offset += packed ? d->frame.extra : d->frame.len;
		count_block(d);
	}
	return TALK_ON;
}

/* --- the end -------------------------------------------------------------- */

static enum talk_state on_close(struct delivery *d, const uint8_t *content)
{
	struct lane *l = lane_of(d);
	struct frame_totals t;

	if (!l)
		return bad(d, "a lane is closed that was not opened");
	frame_totals_decode(&t, content);
	if (!is_card(l)) {
		run_lane_set_drops(l->to, d->frame.extra);
		run_lane_set_totals(l->to, &t);
	}
	return TALK_ON;
}

static enum talk_state on_end(struct delivery *d, const uint8_t *content)
{
	int err = run_put(d->run);

	(void)content;
	if (err)
		return cannot_store(d, err);
	for (size_t i = 0; i < d->count; i++)
		d->lanes[i].to = NULL;
	if (run_has_ended(d->run))
		run_leave(d->run);
	else
		run_finish(d->run);
	d->run = NULL;
	d->put = d->blocks;
	d->stage = STAGE_ENDED;
	return TALK_ON;
}

bool delivery_owes(const struct delivery *d)
{
	return d->put > d->acknowledged || d->stage == STAGE_ENDED ||
	       (d->stage == STAGE_DATA && !d->welcomed) ||
	       (d->run && run_error(d->run));
}

void delivery_mark(struct delivery *d)
{
	d->welcome_marked = d->stage == STAGE_DATA;
	d->marked = d->put;
	d->end_marked = d->stage == STAGE_ENDED;
}

enum talk_state delivery_acknowledge(struct delivery *d)
{
	const struct frame ack = { .kind = FRAME_ACK, .offset = d->marked };
	const struct frame bye = { .kind = FRAME_BYE };
	int err = d->run ? run_error(d->run) : 0;
	enum talk_state state = TALK_ON;

	if (err)
		return cannot_store(d, err);
	if (d->welcome_marked && !d->welcomed)
		state = welcome(d);
	if (state == TALK_ON && d->marked > d->acknowledged)
		state = answer(d, &ack);
	d->acknowledged = d->marked;
	if (state == TALK_ON && d->end_marked)
		state = answer(d, &bye) == TALK_ON ? TALK_DONE : TALK_BAD;
	return state;
}

/* --- frames --------------------------------------------------------------- */

static const struct {
	bool known;
	enum stage stage;
	uint32_t len;		/* of the content */
	enum talk_state (*take)(struct delivery *d, const uint8_t *content);
} steps[FRAME_KINDS] = {
	[FRAME_BEGIN] = { true, STAGE_BEGIN, FRAME_HELLO, on_begin },
	[FRAME_OPEN] = { true, STAGE_OPEN, FRAME_LANE, on_open },
	[FRAME_START] = { true, STAGE_OPEN, 0, on_start },
	[FRAME_CLOSE] = { true, STAGE_DATA, FRAME_TOTALS, on_close },
	[FRAME_END] = { true, STAGE_DATA, 0, on_end },
};

static bool is_data(const struct delivery *d)
{
	return d->frame.kind == FRAME_DATA ||
	       (d->frame.kind == FRAME_PACKED && d->packs);
}

static enum talk_state check_frame(struct delivery *d)
{
	if (!frame_decode(&d->frame, d->head))
		return bad(d, "bad magic");
	if (d->stage == STAGE_TAKEN)
		return bad(d, "its sender has another connection");
	if (is_data(d) && d->stage == STAGE_DATA)
		return TALK_ON;
	if (!steps[d->frame.kind].known ||
	    steps[d->frame.kind].stage != d->stage ||
	    steps[d->frame.kind].len != d->frame.len)
		return bad(d, "a frame that is not expected");
	return TALK_ON;
}

/* Bytes of the frame's start that are still to come; content but no data. */
static size_t needed(const struct delivery *d)
{
	if (d->have < FRAME)
		return FRAME - d->have;
	return is_data(d) ? 0 : FRAME + d->frame.len - d->have;
}

static enum talk_state on_whole(struct delivery *d)
{
	d->have = 0;
	if (d->frame.kind == FRAME_DATA)
		return on_data(d);
	if (d->frame.kind == FRAME_PACKED)
		return on_packed(d);
	return steps[d->frame.kind].take(d, d->head + FRAME);
}

/* One step; *used: bytes used, at least one. */
static enum talk_state step(struct delivery *d, const uint8_t *p, size_t len,
			    size_t *used)
{
	enum talk_state state = TALK_ON;
	size_t n;

	if (d->left) {
		*used = len < d->left ? len : (size_t)d->left;
		return take_data(d, p, *used);
	}
	n = needed(d);
	*used = len < n ? len : n;
	memcpy(d->head + d->have, p, *used);
	d->have += *used;
	if (d->have == FRAME)
		state = check_frame(d);
	if (state == TALK_ON && d->have >= FRAME && !needed(d))
		state = on_whole(d);
	return state;
}

enum talk_state delivery_add(struct delivery *d, const uint8_t *p, size_t len)
{
	enum talk_state state = TALK_ON;

	while (len && state == TALK_ON) {
		size_t used;

		state = step(d, p, len, &used);
		p += used;
		len -= used;
	}
	return state;
}

/* --- begin and end -------------------------------------------------------- */

struct delivery *delivery_new(const struct talk_options *o, char *error)
{
	struct delivery *d = calloc(1, sizeof(*d));

	if (d) {
		d->o = o;
		d->error = error;
	}
	return d;
}

size_t delivery_opens(const struct delivery *d)
{
	return d->count;
}

bool delivery_is_silent(const struct delivery *d)
{
	return d->run && d->count && d->lanes[0].to &&
	       run_lane_is_silent(d->lanes[0].to);
}

void delivery_free(struct delivery *d)
{
	if (!d)
		return;
	if (d->run && !run_has_ended(d->run) && !*d->error)
		report_warn(d->o->report, "%s: connection lost; its run waits"
			    " for it", d->o->peer.host);
	if (d->run)
		leave(d);
	whole_end(&d->whole);
	free(d->lanes);
	free(d);
}
