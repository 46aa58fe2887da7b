/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os as a Perfetto trace; see perfetto.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/heap.h"
#include "base/hint.h"
#include "base/time.h"
#include "emit/named_io.h"
#include "emit/perfetto.h"
#include "emit/perfetto/packet.h"
#include "emit/perfetto/slices.h"
#include "emit/perfetto/turns.h"
#include "request/io.h"
#include "run/device.h"

/* --- gauges --------------------------------------------------------------- */

/* a change, as the rank of a key: at the same time, ends come first */
enum change { CHANGE_LESS, CHANGE_MORE, CHANGE_READ, CHANGE_WRITTEN };

/* steps in a second */
enum { STEPS = NS_PER_SECOND / GAUGES_STEP };

int gauges_add_device(struct gauges *c, uint64_t first_track)
{
	struct gauges_device *all = array_reserve(c->devices, c->count,
						    &c->size, 4, sizeof(*all));
	struct gauges_device *one;

	if (!all)
		return -ENOMEM;
	c->devices = all;
	one = &all[c->count++];
	for (unsigned int i = 0; i < GAUGES; i++)
		one->of[i] = (struct gauge_state){ .track = first_track + i };
	return 0;
}

void gauges_free(struct gauges *c)
{
	heap_free(&c->changes);
	free(c->devices);
	*c = (struct gauges){ .count = 0 };
}

/* --- changes -------------------------------------------------------------- */

static inline int push(struct gauges *c, uint32_t device, uint64_t time,
		       enum change change, uint64_t stamp)
{
	const struct order key = { time > c->now ? time : c->now, change,
				   stamp };

	return heap_push(&c->changes, &key, device);
}

/* The bytes of parts count with their parent. */
static bool moves_bytes(const struct io *io, enum change *change)
{
	if (io->kind == IO_PART || !io->bytes || io->total == IO_NONE)
		return false;
	*change = io->op == IO_READ ? CHANGE_READ : CHANGE_WRITTEN;
	return io->op == IO_READ || io->op == IO_WRITE || io->op == IO_APPEND;
}

/* In a damaged trace a completion may precede its issue. */
static inline bool was_served(const struct io *io)
{
	return io_leads(io) && io->issued != IO_NONE &&
	       io->served != IO_NONE && io->issued <= io->served;
}

int gauges_add(struct gauges *c, uint32_t device, const struct io *io)
{
	enum change change;
	int err = 0;

	if (was_served(io)) {
		err = push(c, device, io->issued, CHANGE_MORE, 1);
		if (!err)
			err = push(c, device, io->served, CHANGE_LESS, 1);
	}
	if (!err && moves_bytes(io, &change))
		err = push(c, device, io->time + io->total, change, io->bytes);
	return err;
}

/* --- values --------------------------------------------------------------- */

static void gauges_show(struct buf *b, struct gauge_state *s, uint64_t time,
		 uint64_t value)
{
	uint8_t *p;

	if (s->shown == value)
		return;
	p = (uint8_t *)buf_room(b, PACKET_MAX);
	if (!p)
		return;
	s->shown = value;
	buf_commit(b, (char *)packet_counter(p, time, s->track, value));
}

/* Writes only the last of several values at one time. */
static void change_depth(struct buf *b, struct gauge_state *s, uint64_t time,
			 bool more)
{
	if (time != s->at)
		gauges_show(b, s, s->at, s->value);
	s->at = time;
	s->value += more ? 1 : -1ull;
}

/* ends the step of s; the steps between it and time are 0 */
static void end_step(struct buf *b, struct gauge_state *s, uint64_t time)
{
	gauges_show(b, s, s->at, s->value * STEPS);
	if (time - s->at > GAUGES_STEP)
		gauges_show(b, s, s->at + GAUGES_STEP, 0);
}

static void add_bytes(struct buf *b, struct gauge_state *s, uint64_t time,
		      uint64_t bytes)
{
	uint64_t step = time - time % GAUGES_STEP;

	if (step != s->at) {
		end_step(b, s, step);
		s->at = step;
		s->value = 0;
	}
	s->value += bytes;
}

static void apply(struct gauges *c, struct buf *b, const struct order *key,
		  uint32_t device)
{
	struct gauge_state *of = c->devices[device].of;

	switch ((enum change)key->rank) {
	case CHANGE_LESS:
	case CHANGE_MORE:
		change_depth(b, &of[GAUGE_DEPTH], key->time,
			     key->rank == CHANGE_MORE);
		break;
	case CHANGE_READ:
		add_bytes(b, &of[GAUGE_READ], key->time, key->stamp);
		break;
	case CHANGE_WRITTEN:
		add_bytes(b, &of[GAUGE_WRITTEN], key->time, key->stamp);
		break;
	}
}

void gauges_run(struct gauges *c, struct buf *b, uint64_t until)
{
	const struct heap_node *top;

	while ((top = heap_top(&c->changes)) && top->key.time < until) {
		struct order key = top->key;

		apply(c, b, &key, heap_pop(&c->changes));
	}
	if (until > c->now)
		c->now = until;
}

void gauges_end(struct gauges *c, struct buf *b)
{
	gauges_run(c, b, UINT64_MAX);
	for (uint32_t i = 0; i < c->count; i++) {
		struct gauge_state *of = c->devices[i].of;

		gauges_show(b, &of[GAUGE_DEPTH], of[GAUGE_DEPTH].at,
		     of[GAUGE_DEPTH].value);
		end_step(b, &of[GAUGE_READ], UINT64_MAX);
		end_step(b, &of[GAUGE_WRITTEN], UINT64_MAX);
	}
}

/* --- perfetto ------------------------------------------------------------- */

enum {
	LANE_RANK = 10,		/* of the first lane, after the counters */
	TITLE_MAX = 1100,	/* of a track: a device's name and a word */
};

struct perfetto_device {
	const struct device *disk;
	uint32_t number;
	uint64_t track;		/* the group's; then those of counters */
	bool shown;		/* the tracks are written */
	char *name, *dev;
	struct lanes lanes;
};

struct perfetto {
	struct buf *b;
	struct turns turns;
	struct gauges gauges;
	struct words words;
	struct hash numbers;	/* of devices, by disk and number */
	struct perfetto_device *devices;
	size_t count, size;
	uint32_t shown;		/* of these */
	uint32_t latest;	/* the previous I/O's device */
	uint64_t tracks;	/* the highest number in use */
	bool has_clock;
};

int perfetto_open(struct perfetto **made, struct buf *b)
{
	struct perfetto *p = calloc(1, sizeof(*p));

	*made = p;
	if (!p)
		return -ENOMEM;
	p->b = b;
	if (turns_init(&p->turns)) {
		perfetto_free(p);
		*made = NULL;
		return -ENOMEM;
	}
	words_begin(b);
	return 0;
}

void perfetto_free(struct perfetto *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		lanes_free(&p->devices[i].lanes);
		free(p->devices[i].name);
		free(p->devices[i].dev);
	}
	free(p->devices);
	hash_free(&p->numbers);
	words_free(&p->words);
	gauges_free(&p->gauges);
	turns_free(&p->turns);
	free(p);
}

/* --- devices -------------------------------------------------------------- */

static void write_track(struct perfetto *p, uint64_t number, uint64_t parent,
			enum packet_unit unit, uint32_t rank, const char *name)
{
	const struct packet_track t = { number, parent, name, unit, rank };

	packet_track(p->b, &t);
}

/* Older UIs merge tracks of one name: each contains its device's. */
static COLD void write_tracks(struct perfetto *p, struct perfetto_device *d)
{
	static const struct {
		const char *word;
		enum packet_unit unit;
	} counters[GAUGES] = {
		[GAUGE_DEPTH] = { "depth", PACKET_COUNT },
		[GAUGE_READ] = { "read", PACKET_RATE },
		[GAUGE_WRITTEN] = { "written", PACKET_RATE },
	};
	char title[TITLE_MAX];

	d->shown = true;
	snprintf(title, sizeof(title), "%s (%s)", d->name, d->dev);
	write_track(p, d->track, 0, PACKET_NO_COUNTER, p->shown++, title);
	for (uint32_t i = 0; i < GAUGES; i++) {
		snprintf(title, sizeof(title), "%s %s", d->name,
			 counters[i].word);
		write_track(p, d->track + 1 + i, d->track, counters[i].unit, i,
			    title);
	}
}

/* Hosts can have devices of one name: with several, the host is a prefix. */
static char *name_of(const struct named_io *named)
{
	char *name;

	if (!named->io->disk->host)
		return strdup(named->disk);
	return asprintf(&name, "%s/%s", named->host, named->disk) < 0 ? NULL :
									name;
}

static int make_device(struct perfetto *p, const struct named_io *named)
{
	struct perfetto_device *d, *all;

	all = array_reserve(p->devices, p->count, &p->size, 4, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->devices = all;
	d = &all[p->count++];
	*d = (struct perfetto_device){ .disk = named->io->disk,
				       .number = named->io->device,
				       .track = p->tracks + 1,
				       .name = name_of(named),
				       .dev = strdup(named->dev) };
	p->tracks += 1 + GAUGES;
	if (!d->name || !d->dev)
		return -ENOMEM;
	return gauges_add_device(&p->gauges, d->track + 1);
}

static COLD int find_device(struct perfetto *p, const struct named_io *named)
{
	uint64_t key = (uint64_t)named->io->disk->id << 32 | named->io->device;
	int64_t number = hash_get_number(&p->numbers, key);

	if (number < 0) {
		number = (int64_t)p->count;
		if (make_device(p, named) ||
		    hash_put_number(&p->numbers, key, (uint32_t)number))
			return -ENOMEM;
	}
	p->latest = (uint32_t)number;
	return 0;
}

/* sets p->latest to the I/O's device; 0 or -ENOMEM */
static inline int choose_device(struct perfetto *p,
				const struct named_io *named)
{
	const struct perfetto_device *d = &p->devices[p->latest];

	if (LIKELY(p->count && d->disk == named->io->disk &&
		   d->number == named->io->device))
		return 0;
	return find_device(p, named);
}

/* --- writing I/Os --------------------------------------------------------- */

static COLD void add_lane(struct perfetto *p, struct perfetto_device *d,
			  uint32_t lane)
{
	char title[TITLE_MAX];

	snprintf(title, sizeof(title), "%s slot %u", d->name, lane);
	d->lanes.tracks[lane] = (uint32_t)++p->tracks;
	write_track(p, p->tracks, d->track, PACKET_NO_COUNTER,
		    LANE_RANK + lane, title);
}

static int show(struct perfetto *p, const struct turn *turn)
{
	struct perfetto_device *d = &p->devices[turn->device];
	const struct io *io = &turn->io;
	uint32_t lanes = d->lanes.count, lane;

	if (lanes_take(&d->lanes, io->time, slices_end(io), &lane) ||
	    gauges_add(&p->gauges, turn->device, io))
		return -ENOMEM;
	if (UNLIKELY(!d->shown))
		write_tracks(p, d);
	if (UNLIKELY(lane >= lanes))
		add_lane(p, d, lane);
	slices_write(p->b, &p->turns, turn, d->lanes.tracks[lane]);
	gauges_run(&p->gauges, p->b, io->time);
	return 0;
}

static int show_all(struct perfetto *p)
{
	const struct turn *turn;
	int err = 0;

	while (!err && (turn = turns_next(&p->turns)))
		err = show(p, turn);
	return err;
}

/* --- adding I/Os ---------------------------------------------------------- */

/* the number of a text; 0 for NULL */
static inline int find_text(struct perfetto *p, const char *text,
			    uint32_t *number)
{
	*number = 0;
	return text ? words_text(&p->words, p->b, text, PERFETTO_NAMES,
				 number) : 0;
}

static int find_texts(struct perfetto *p, const struct named_io *named,
		      struct turn *turn)
{
	const struct io *io = named->io;
	char flags[RWBS_MAX];
	int err;

	io_flags(io, flags);
	err = find_text(p, flags, &turn->flags);
	if (!err)
		err = find_text(p, named->process, &turn->process);
	if (!err)
		err = find_text(p, io->total != IO_NONE ? NULL :
				io_ended_name(io->ended), &turn->ended);
	return err;
}

static int add(struct perfetto *p, const struct named_io *named)
{
	struct turn *turn;

	if (choose_device(p, named))
		return -ENOMEM;
	turn = turns_add(&p->turns, named->io);
	if (!turn)
		return -ENOMEM;
	turn->device = p->latest;
	return find_texts(p, named, turn);
}

/* announces id and writes the I/Os that need not wait any more */
static inline int announce(struct perfetto *p, uint64_t id)
{
	turns_announce(&p->turns, id);
	return show_all(p);
}

int perfetto_leave_out(struct perfetto *p, uint64_t id)
{
	int err = announce(p, id);

	if (err)
		return err;
	turns_leave_out(&p->turns, id);
	return show_all(p);
}

int perfetto_add(struct perfetto *p, const struct named_io *named)
{
	int err;

	if (UNLIKELY(!p->has_clock && named->has_start)) {
		packet_clock(p->b, named->start);
		p->has_clock = true;
	}
	if (UNLIKELY(!slices_any(named->io)))
		return perfetto_leave_out(p, named->io->id);
	err = announce(p, named->io->id);
	if (!err)
		err = add(p, named);
	return err ? err : show_all(p);
}

int perfetto_end(struct perfetto *p)
{
	int err;

	turns_end(&p->turns);
	err = show_all(p);
	if (!err)
		gauges_end(&p->gauges, p->b);
	return err;
}
