/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a trace; see trace.h.
 *
 * A process's name is noted once for each device, as the kernel does.  Records
 * wait in a lane's buffer, which a sink then gets whole.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/sink.h"
#include "record/record.h"
#include "tools/btimport/about.h"
#include "tools/btimport/trace.h"

enum {
	BUFFER = 4096,		/* bytes of a lane, */
	STREAM = 65536,		/* or of all */
	NAME = 16,		/* bytes of a process's, as in the kernel */
	NAMES_MAX = 65536,	/* processes; those of more have none */
	NOTED_MAX = 1 << 18,	/* by device; then all are noted anew */
	NOTE_MAX = BLK_HEADER_MAX + IMPORT_WHY + 64,
};

struct waiting {
	uint8_t *bytes;
	size_t len, size;
};

struct lane_out {
	struct sink_lane lane;
	uint32_t sequence;	/* of the last event */
	struct waiting own;
	struct waiting *to;	/* own, or the stream's */
};

struct device_out {
	uint32_t number;
	unsigned int id;	/* its index */
	char name[IMPORT_NAME];
	struct lane_out **lanes;	/* by CPU, or NULL */
	uint32_t cpus;
};

/* what a process is called */
struct process {
	char name[NAME];
	uint32_t changes;	/* of its name */
};

struct trace {
	struct import_to to;
	struct trace_options o;
	struct about about;
	struct device_out **devices;	/* whose lanes know their names */
	size_t device_count;
	struct hash by_number;	/* devices */
	struct process *processes;
	uint32_t process_count;
	struct hash by_pid;
	struct hash noted;	/* device and pid: the name's changes then */
	struct waiting stream;
	struct device_out *last;	/* of the last event, or NULL */
	uint64_t events, lost;
};

/* --- bytes ---------------------------------------------------------------- */

static int flush(struct trace *t, struct lane_out *l)
{
	struct waiting *w = l->to;
	size_t len = w->len;

	w->len = 0;
	if (!len)
		return 0;
	return t->o.sink->ops->write(t->o.sink, &l->lane, w->bytes, len) ?
		       -EIO : 0;
}

/* Room for a record; NULL, with *err: none. */
static uint8_t *room(struct trace *t, struct lane_out *l, size_t len, int *err)
{
	struct waiting *w = l->to;

	*err = 0;
	if (LIKELY(w->size - w->len >= len))
		return w->bytes + w->len;
	*err = flush(t, l);
	if (!*err && w->size < len) {
		uint8_t *bytes = realloc(w->bytes, len);

		*err = bytes ? 0 : -ENOMEM;
		w->bytes = bytes ? bytes : w->bytes;
		w->size = bytes ? len : w->size;
	}
	return *err ? NULL : w->bytes;
}

static int put(struct trace *t, struct lane_out *l, const struct event *ev)
{
	int err;
	uint8_t *to = room(t, l, BLK_HEADER_7 + (size_t)ev->pdu_len, &err);
	size_t len;

	if (!to)
		return err;
	len = record_encode(ev, BLK_VERSION_7, to);
	if (ev->pdu_len)
		memcpy(to + len, ev->payload, ev->pdu_len);
	l->to->len += len + ev->pdu_len;
	l->lane.events++;
	l->lane.bytes += len + ev->pdu_len;
	return 0;
}

/* --- notes ---------------------------------------------------------------- */

static int put_note(struct trace *t, struct lane_out *l, const struct event *of,
		    enum blk_note kind, uint32_t pid, const void *payload,
		    size_t len)
{
	const struct event note = {
		.magic = BLK_MAGIC | BLK_VERSION_7, .time = of->time,
		.device = of->device, .cpu = of->cpu, .pid = pid,
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | kind,
		.payload = payload, .pdu_len = (uint16_t)len,
	};

	return put(t, l, &note);
}

/* What a lane begins with: the time of day, and where it is from. */
static int put_head(struct trace *t, struct lane_out *l, const struct event *ev,
		    bool first)
{
	char text[ABOUT_TEXT];
	size_t len = about_message(&t->about, text);
	uint32_t wall[2] = { (uint32_t)(ev->time / NS_PER_SECOND),
			     (uint32_t)(ev->time % NS_PER_SECOND) };
	int err = 0;

	if (t->about.wall)
		err = put_note(t, l, ev, BLK_TN_TIMESTAMP, 0, wall,
			       sizeof(wall));
	if (!err && first)
		err = put_note(t, l, ev, BLK_TN_MESSAGE, 0, text, len);
	return err;
}

static struct process *process_of(const struct trace *t, uint32_t pid)
{
	int64_t i = hash_get_number(&t->by_pid, pid);

	return i < 0 ? NULL : &t->processes[i];
}

static int put_name(struct trace *t, struct lane_out *l, const struct event *ev)
{
	const struct process *p = process_of(t, ev->pid);
	uint64_t key = (uint64_t)ev->device << 32 | ev->pid;
	int err;

	if (!p || hash_get_number(&t->noted, key) == (int64_t)p->changes)
		return 0;
	if (t->noted.count == NOTED_MAX)
		hash_free(&t->noted);
	err = hash_put_number(&t->noted, key, p->changes);
	return err ? err : put_note(t, l, ev, BLK_TN_PROCESS, ev->pid, p->name,
				    NAME);
}

/* --- lanes ---------------------------------------------------------------- */

static struct device_out *add_device(struct trace *t, uint32_t number)
{
	struct device_out **list = array_resize(t->devices, t->device_count + 1,
						sizeof(*list));
	struct device_out *d = list ? calloc(1, sizeof(*d)) : NULL;

	t->devices = list ? list : t->devices;
	if (!d)
		return NULL;
	d->number = number;
	d->id = (unsigned int)t->device_count;
	snprintf(d->name, sizeof(d->name), "%u-%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
	t->devices[t->device_count++] = d;
	return hash_put_number(&t->by_number, number, d->id) ? NULL : d;
}

static struct device_out *device_of(struct trace *t, uint32_t number)
{
	int64_t i;

	if (t->last && t->last->number == number)
		return t->last;
	i = hash_get_number(&t->by_number, number);
	return t->last = i < 0 ? add_device(t, number) : t->devices[i];
}

static int make_lane(struct trace *t, struct device_out *d, uint32_t cpu,
		     struct lane_out **made)
{
	struct lane_out *l = calloc(1, sizeof(*l));

	if (!l)
		return -ENOMEM;
	l->lane = (struct sink_lane){ .name = d->name, .cpu = cpu,
				      .device = d->id };
	l->to = t->o.stream ? &t->stream : &l->own;
	if (!t->o.stream)
		l->own = (struct waiting){ malloc(BUFFER), 0, BUFFER };
	if (!l->to->bytes || t->o.sink->ops->open(t->o.sink, &l->lane)) {
		int err = l->to->bytes ? -EIO : -ENOMEM;

		free(l->own.bytes);
		free(l);
		return err;
	}
	d->lanes[cpu] = *made = l;
	return 0;
}

static bool is_new(const struct device_out *d)
{
	for (uint32_t i = 0; i < d->cpus; i++)
		if (d->lanes[i])
			return false;
	return true;
}

static int new_lane(struct trace *t, struct device_out *d,
		    const struct event *ev, struct lane_out **l)
{
	bool first = is_new(d);
	int err;

	if (ev->cpu >= d->cpus) {
		uint32_t cpus = ev->cpu + 1;
		struct lane_out **lanes = realloc(d->lanes,
						  cpus * sizeof(*lanes));

		if (!lanes)
			return -ENOMEM;
		memset(lanes + d->cpus, 0,
		       (cpus - d->cpus) * sizeof(*lanes));
		d->lanes = lanes;
		d->cpus = cpus;
	}
	err = make_lane(t, d, ev->cpu, l);
	return err ? err : put_head(t, *l, ev, first);
}

static int lane_of(struct trace *t, const struct event *ev, struct lane_out **l)
{
	struct device_out *d = device_of(t, ev->device);

	if (!d)
		return -ENOMEM;
	*l = ev->cpu < d->cpus ? d->lanes[ev->cpu] : NULL;
	return *l ? 0 : new_lane(t, d, ev, l);
}

/* --- as a receiver -------------------------------------------------------- */

static int take_about(void *ctx, const struct import_about *about)
{
	struct trace *t = ctx;

	return about_set(&t->about, about);
}

static int take_device(void *ctx, uint32_t number, const char *name)
{
	struct device_out *d = device_of(ctx, number);

	if (!d)
		return -ENOMEM;
	if (is_new(d))
		snprintf(d->name, sizeof(d->name), "%s", name);
	return 0;
}

static int add_process(struct trace *t, uint32_t pid, struct process **p)
{
	struct process *list;

	*p = NULL;
	if (t->process_count == NAMES_MAX)
		return 0;
	list = array_resize(t->processes, t->process_count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	t->processes = list;
	*p = &list[t->process_count];
	**p = (struct process){ .changes = 0 };
	return hash_put_number(&t->by_pid, pid, t->process_count++);
}

static int take_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	struct trace *t = ctx;
	struct process *p = process_of(t, pid);
	char fixed[NAME] = "";
	int err = 0;

	memcpy(fixed, name, len < NAME - 1 ? len : NAME - 1);
	if (p && !memcmp(p->name, fixed, NAME))
		return 0;
	if (!p)
		err = add_process(t, pid, &p);
	if (!p || err)
		return err;
	memcpy(p->name, fixed, NAME);
	p->changes++;
	return 0;
}

static int take_event(void *ctx, const struct event *from)
{
	struct trace *t = ctx;
	struct event ev = *from;
	struct lane_out *l;
	int err;

	if (UNLIKELY(*t->o.stop))
		return -EINTR;
	ev.magic = BLK_MAGIC | BLK_VERSION_7;
	ev.zone = 0;		/* version 7 has no room for these categories */
	err = lane_of(t, &ev, &l);
	if (!err)
		err = put_name(t, l, &ev);
	if (err)
		return err;
	/* the kernel numbers no messages */
	ev.sequence = event_is_note(&ev) ? 0 : ++l->sequence;
	t->events++;
	t->o.turn(t->o.ctx);
	return put(t, l, &ev);
}

/* Numbers that are missing say where. */
static int take_loss(void *ctx, uint32_t cpu, uint64_t events)
{
	struct trace *t = ctx;

	t->lost += events;
	for (size_t i = 0; i < t->device_count; i++) {
		struct device_out *d = t->devices[i];

		if (cpu < d->cpus && d->lanes[cpu])
			d->lanes[cpu]->sequence += (uint32_t)events;
	}
	return 0;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	const struct trace *t = ctx;

	t->o.fault(t->o.ctx, line, at, why);
}

static void take_remark(void *ctx, const char *why)
{
	struct trace *t = ctx;

	t->o.remark(t->o.ctx, why);
}

/* --- life ----------------------------------------------------------------- */

struct trace *trace_new(const struct trace_options *o)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->o = *o;
	t->to = (struct import_to){ take_about, take_device, take_process,
				    take_event, take_loss, take_fault,
				    take_remark, t };
	if (!o->stream)
		return t;
	t->stream = (struct waiting){ malloc(STREAM), 0, STREAM };
	if (t->stream.bytes)
		return t;
	free(t);
	return NULL;
}

const struct import_to *trace_receiver(struct trace *t)
{
	return &t->to;
}

static int end_lane(struct trace *t, struct lane_out *l)
{
	int err = flush(t, l);

	return t->o.sink->ops->close(t->o.sink, &l->lane, 0) || err ? -EIO : 0;
}

static int put_card(struct trace *t, const struct device_out *d)
{
	const struct about_device of = { d->name, d->number, t->lost };

	return about_card(&t->about, t->o.sink, &of);
}

int trace_end(struct trace *t)
{
	int err = 0;

	for (size_t i = 0; i < t->device_count; i++) {
		struct device_out *d = t->devices[i];

		for (uint32_t cpu = 0; cpu < d->cpus; cpu++)
			if (d->lanes[cpu] && end_lane(t, d->lanes[cpu]))
				err = -EIO;
		if (!err && !is_new(d))
			err = put_card(t, d);
	}
	return err;
}

uint64_t trace_events(const struct trace *t)
{
	return t->events;
}

uint32_t trace_devices(const struct trace *t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t->device_count; i++)
		n += !is_new(t->devices[i]);
	return n;
}

uint64_t trace_lost(const struct trace *t)
{
	return t->lost;
}

static void free_device(struct device_out *d)
{
	for (uint32_t i = 0; i < d->cpus; i++) {
		if (d->lanes[i])
			free(d->lanes[i]->own.bytes);
		free(d->lanes[i]);
	}
	free(d->lanes);
	free(d);
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; i < t->device_count; i++)
		free_device(t->devices[i]);
	free(t->devices);
	free(t->processes);
	hash_free(&t->by_number);
	hash_free(&t->by_pid);
	hash_free(&t->noted);
	free(t->stream.bytes);
	about_free(&t->about);
	free(t);
}
