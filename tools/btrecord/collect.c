/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os of one input; see collect.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "record/record.h"
#include "replay/bunch.h"
#include "replay/bunch_writer.h"
#include "run/device.h"
#include "tools/btrecord/collect.h"
#include "tools/btrecord/options.h"

/* a replay file, and -v's numbers */
struct output {
	char *name;		/* of the device, in the file's name */
	uint32_t cpu;
	struct bunch_writer *writer;
	uint64_t records;	/* read for it, of all kinds */
	uint64_t discards, flushes;	/* taken for writes, or left out */
	uint64_t genesis;	/* the first time above 0 */
};

/* flushes completing at once: a packet has them as sectors of its bytes */
enum { FLUSHED_MAX = UINT32_MAX / 512 };

/* flushes of a device that have not completed */
struct flushing {
	uint32_t device;
	uint32_t queued, issued;
};

struct collect {
	const struct record_options *o;
	const char *name;	/* NULL: by device */
	struct output **list;
	size_t count;
	struct output **by_lane;	/* NULL: not met yet */
	size_t lanes;
	struct flushing *flushing;	/* devices that have flushed */
	size_t flushing_count;
};

struct collect *collect_new(const struct record_options *o, const char *name)
{
	struct collect *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->o = o;
	t->name = name;
	return t;
}

static void output_free(struct output *out)
{
	if (!out)
		return;
	bunch_writer_close(out->writer);
	free(out->name);
	free(out);
}

void collect_free(struct collect *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++)
		output_free(t->list[i]);
	free(t->list);
	free(t->by_lane);
	free(t->flushing);
	free(t);
}

/* --- a file -------------------------------------------------------------- */

/* 1.3.0: this text. */
static void show_header(const struct output *out,
			const struct bunch_writer_sums *s)
{
	fprintf(stderr, "\t%s: %x %llx %llx %llx\n",
		bunch_writer_path(out->writer), BUNCH_VERSION,
		(unsigned long long)s->genesis, (unsigned long long)s->bunches,
		(unsigned long long)s->packets);
}

static int open_writer(struct collect *t, struct output *out)
{
	const struct bunch_writer_sums none = { 0 };
	char *path;
	int err;

	if (asprintf(&path, "%s/%s.%s.%u", t->o->to, out->name, t->o->base,
		     out->cpu) < 0)
		return -ENOMEM;
	err = bunch_writer_open(&out->writer, &t->o->opener, path,
				&t->o->builder, t->o->verbose > 0);
	if (err)
		msg_warn("cannot write %s: %s", path, strerror(-err));
	else if (t->o->verbose)
		show_header(out, &none);
	free(path);
	return err;
}

static struct output *output_new(const char *name, uint32_t cpu)
{
	struct output *out = calloc(1, sizeof(*out));

	if (!out)
		return NULL;
	out->cpu = cpu;
	out->name = strdup(name);
	if (out->name)
		return out;
	free(out);
	return NULL;
}

/* Adds a file to the end of the list. */
static int add_output(struct collect *t, const char *name, uint32_t cpu)
{
	struct output **list = realloc(t->list,
				       (t->count + 1) * sizeof(*list));
	struct output *out = list ? output_new(name, cpu) : NULL;
	int err;

	if (list)
		t->list = list;
	if (!out) {
		msg_warn("out of memory");
		return -ENOMEM;
	}
	err = open_writer(t, out);
	if (err) {
		output_free(out);
		return err;
	}
	list[t->count++] = out;
	return 0;
}

int collect_expect(struct collect *t, uint32_t cpu)
{
	return add_output(t, t->name, cpu);
}

/* --- lanes --------------------------------------------------------------- */

static struct output *find_output(const struct collect *t, const char *name,
				  uint32_t cpu)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->list[i]->cpu == cpu && !strcmp(t->list[i]->name, name))
			return t->list[i];
	return NULL;
}

static int make_room_for_lane(struct collect *t, uint32_t id)
{
	size_t want = (size_t)id * 2 + 16;
	struct output **by_lane = realloc(t->by_lane, want * sizeof(*by_lane));

	if (!by_lane) {
		msg_warn("out of memory");
		return -ENOMEM;
	}
	memset(by_lane + t->lanes, 0, (want - t->lanes) * sizeof(*by_lane));
	t->by_lane = by_lane;
	t->lanes = want;
	return 0;
}

/* Uses its number for a dump's device without a name. */
static int add_lane(struct collect *t, const struct lane *l)
{
	char text[64];
	const char *name = t->name;
	int err = l->id < t->lanes ? 0 : make_room_for_lane(t, l->id);

	if (err)
		return err;
	if (!name) {
		device_text(l->device, text, sizeof(text));
		name = text;
	}
	if (!find_output(t, name, l->cpu))
		err = add_output(t, name, l->cpu);
	t->by_lane[l->id] = find_output(t, name, l->cpu);
	return err;
}

/* --- events -------------------------------------------------------------- */

/* zone commands, which move no data and are not replayed */
static const uint32_t ZONE_COMMANDS = BLK_TC_BIT(BLK_TC_ZONE_RESET) |
				      BLK_TC_BIT(BLK_TC_ZONE_RESET_ALL) |
				      BLK_TC_BIT(BLK_TC_ZONE_FINISH) |
				      BLK_TC_BIT(BLK_TC_ZONE_OPEN) |
				      BLK_TC_BIT(BLK_TC_ZONE_CLOSE);

static const uint32_t DATALESS = ZONE_COMMANDS |
				 BLK_TC_BIT(BLK_TC_DISCARD) |
				 BLK_TC_BIT(BLK_TC_WRITE_ZEROES);

static bool is_queued(const struct event *ev)
{
	return event_number(ev) == BLK_TA_QUEUE &&
	       (ev->action & BLK_TC_ACT(BLK_TC_QUEUE));
}

/* 1.3.0: all of them become writes. */
static void count_dataless(struct output *out, const struct event *ev)
{
	if (event_categories(ev) & DATALESS)
		out->discards++;
	else if (!ev->bytes)
		out->flushes++;
}

/* --- kinds, in exact replay files ---------------------------------------- */

/* False: not of a kind to replay. */
static bool set_kind(struct packet *p, const struct event *ev)
{
	uint32_t what = event_categories(ev);

	if (what & ZONE_COMMANDS)
		return false;
	if (what & BLK_TC_BIT(BLK_TC_DISCARD))
		p->kind = PACKET_DISCARD;
	else if (what & BLK_TC_BIT(BLK_TC_WRITE_ZEROES))
		p->kind = PACKET_ZEROES;
	else if (!ev->bytes && what & BLK_TC_BIT(BLK_TC_FLUSH))
		p->kind = PACKET_FLUSH;
	if (p->kind != PACKET_DATA)
		p->read = false;
	else if (!p->read)
		p->fua = what & BLK_TC_BIT(BLK_TC_FUA);
	p->preflush = p->kind == PACKET_DATA && !p->read &&
		      what & BLK_TC_BIT(BLK_TC_FLUSH);
	return p->kind != PACKET_DATA || p->bytes;
}

/* NULL: no memory, so that the device has no ends of flushes. */
static struct flushing *find_flushing(struct collect *t, uint32_t device)
{
	struct flushing *list = t->flushing;

	for (size_t i = 0; i < t->flushing_count; i++)
		if (list[i].device == device)
			return &list[i];
	list = realloc(list, (t->flushing_count + 1) * sizeof(*list));
	if (!list)
		return NULL;
	t->flushing = list;
	list += t->flushing_count++;
	*list = (struct flushing){ .device = device };
	return list;
}

/*
 * The number of flushes that this event completes; 0: it is no such completion.
 * The kernel merges queued flushes into one without bytes, which completes all
 * that were queued when it was issued.
 */
static uint32_t flushes_completed(struct collect *t, const struct event *ev)
{
	uint32_t action = event_number(ev), done = 0;
	struct flushing *f;

	if (ev->bytes || !(event_categories(ev) & BLK_TC_BIT(BLK_TC_FLUSH)))
		return 0;
	f = find_flushing(t, ev->device);
	if (!f)
		return 0;
	if (action == BLK_TA_QUEUE) {
		f->queued++;
	} else if (action == BLK_TA_ISSUE) {
		f->issued += f->queued;
		f->queued = 0;
	} else if (action == BLK_TA_COMPLETE) {
		done = f->issued < FLUSHED_MAX ? f->issued : FLUSHED_MAX;
		f->issued = 0;
	}
	return done;
}

/* An event's packet in an exact file; false: none. */
static bool exact_packet(struct collect *t, struct output *out,
			 const struct event *ev, struct packet *p)
{
	uint32_t done = flushes_completed(t, ev);

	if (done) {
		*p = (struct packet){ .bytes = done * 512,
				      .kind = PACKET_FLUSHED };
		return true;
	}
	if (!is_queued(ev))
		return false;
	if (set_kind(p, ev))
		return true;
	count_dataless(out, ev);
	return false;
}

/* --- a packet ------------------------------------------------------------ */

static void show_packet(struct output *out, uint64_t time,
			const struct packet *p)
{
	fprintf(stderr, "%2u: %10llu+%10u (%d) @ %10llx\n", out->cpu,
		(unsigned long long)p->sector, p->bytes / 512, p->read,
		(unsigned long long)time);
	if (out->genesis)
		return;
	out->genesis = time;
	fprintf(stderr, "\tSetting new genesis: %llx(%u)\n",
		(unsigned long long)time, out->cpu);
}

/* 1.3.0: every queued I/O is a read or a write. */
static bool packet_of(struct collect *t, struct output *out,
		      const struct event *ev, struct packet *p)
{
	*p = (struct packet){ .sector = ev->sector, .bytes = ev->bytes,
			      .read = ev->action & BLK_TC_ACT(BLK_TC_READ) };
	if (t->o->builder.exact)
		return exact_packet(t, out, ev, p);
	if (!is_queued(ev))
		return false;
	count_dataless(out, ev);
	return true;
}

int collect_event(struct collect *t, const struct event *ev)
{
	struct packet p;
	uint32_t id = ev->lane->id;
	struct output *out;
	int err = id < t->lanes && t->by_lane[id] ? 0 : add_lane(t, ev->lane);

	if (err)
		return err;
	out = t->by_lane[id];
	out->records++;
	if (!packet_of(t, out, ev, &p))
		return 0;
	if (t->o->verbose > 1)
		show_packet(out, ev->time, &p);
	err = bunch_writer_add(out->writer, ev->time, &p);
	if (err)
		msg_warn("cannot write %s: %s", bunch_writer_path(out->writer),
			 strerror(-err));
	return err;
}

void collect_note(struct collect *t, const struct event *note)
{
	struct output *out = NULL;

	if (note->lane && t->name)
		out = find_output(t, t->name, note->lane->cpu);
	/* in versions 4 to 6, a process' name is no note */
	if (out && event_is_note(note))
		out->records++;
}

/* --- the end ------------------------------------------------------------- */

static void show_sums(const struct output *out,
		      const struct bunch_writer_sums *s)
{
	show_header(out, s);
	if (s->bunches)
		fprintf(stderr, "%s:%u: %llu pkts (tot), %llu pkts (replay),"
			" %llu bunches, %.1f pkts/bunch\n", out->name, out->cpu,
			(unsigned long long)out->records,
			(unsigned long long)s->packets,
			(unsigned long long)s->bunches,
			(double)s->packets / (double)s->bunches);
}

static int finish_output(const struct collect *t, struct output *out,
			 struct collect_sums *sums)
{
	struct bunch_writer_sums s;
	int err = bunch_writer_flush(out->writer, &s);

	if (err)
		msg_warn("cannot write %s: %s", bunch_writer_path(out->writer),
			 strerror(-err));
	if (t->o->verbose)
		show_sums(out, &s);
	sums->discards += out->discards;
	sums->flushes += out->flushes;
	sums->early += s.early;
	return err;
}

int collect_finish(struct collect *t, struct collect_sums *sums)
{
	int err = 0;

	for (size_t i = 0; i < t->count; i++) {
		int failed = finish_output(t, t->list[i], sums);

		if (!err)
			err = failed;
	}
	return err;
}
