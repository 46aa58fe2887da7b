/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of tracepoints; see tracing.h.
 *
 * On its way through the order an event has its process's name in front of its
 * payload.  Names and losses are ordered as notes.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "blktrace.h"
#include "import/tracing.h"
#include "import/tracepoint.h"
#include "record/kept.h"
#include "record/record.h"

enum {
	NAME = 16,		/* bytes of a process's name */
	PLUGS_MAX = 65536,	/* processes whose device is remembered */
	/* notes, by number: only here */
	NOTE_NAME = 1,
	NOTE_LOSS,
};

#define PATIENCE NS_PER_SECOND

/* --- one event, in order -------------------------------------------------- */

/* bytes of a name in front of the payload */
static uint32_t *name_len(struct event *ev)
{
	return &ev->sequence;
}

static int name_process(const struct tracing *t, struct event *ev)
{
	const char *name = (const char *)ev->payload;
	uint32_t len = *name_len(ev);

	ev->payload += len;
	ev->pdu_len = (uint16_t)(ev->pdu_len - len);
	*name_len(ev) = 0;
	len = (uint32_t)strnlen(name, len);
	return len ? t->to->process(t->to->ctx, ev->pid, name, len) : 0;
}

static int name_disk(struct tracing *t, struct disk *k)
{
	char name[IMPORT_NAME];

	if (k->named)
		return 0;
	k->named = true;
	disk_name(k->number, name);
	return t->to->device(t->to->ctx, k->number, name);
}

static int hand_over_note(struct tracing *t, struct event *ev)
{
	if (event_number(ev) == NOTE_LOSS)
		return t->to->lost(t->to->ctx, ev->cpu, ev->sector);
	return name_process(t, ev);
}

static int hand_over(struct tracing *t, struct event *ev)
{
	int err;

	if (event_is_note(ev))
		return hand_over_note(t, ev);
	ev->device = disk_map_get(&t->disks, ev->device)->whole;
	err = name_disk(t, disk_map_get(&t->disks, ev->device));
	if (!err)
		err = name_process(t, ev);
	return err ? err : t->to->event(t->to->ctx, ev);
}

/* --- waiting -------------------------------------------------------------- */

/* Whether an event's disk is known, or has been searched for long enough. */
static bool is_settled(struct tracing *t, const struct event *ev)
{
	const struct disk *k;

	if (event_is_note(ev))
		return true;
	k = disk_map_get(&t->disks, ev->device);
	if (k->state != DISK_UNKNOWN)
		return true;
	if (t->now - k->since < PATIENCE && t->count < TRACING_WAIT)
		return false;
	disk_map_settle(&t->disks, ev->device);
	return true;
}

static struct kept *waiting(struct tracing *t, uint32_t i)
{
	return &t->waiting[(t->first + i) % TRACING_WAIT];
}

static int leave(struct tracing *t)
{
	struct kept *k = waiting(t, 0);
	struct event ev = *kept_event(k);	/* which is changed */
	int err = hand_over(t, &ev);

	kept_free(k);
	t->first++;
	t->count--;
	return err;
}

static int leave_settled(struct tracing *t)
{
	int err = 0;

	while (!err && t->count && is_settled(t, &waiting(t, 0)->ev))
		err = leave(t);
	return err;
}

static int follow(struct tracing *t, struct event *ev)
{
	int err;

	if (!t->count && is_settled(t, ev))
		return hand_over(t, ev);
	err = event_keep(waiting(t, t->count), ev);
	t->count += !err;
	return err ? err : leave_settled(t);
}

/* --- in order ------------------------------------------------------------- */

/* What happens in the process that submits: an interrupt completes in any. */
static bool is_submitted(const struct event *ev)
{
	return ev->action & BLK_TC_ACT(BLK_TC_QUEUE) &&
	       event_number(ev) != BLK_TA_REMAP;
}

/* The device that plugs of a process are about, from now on. */
static int set_plugged(struct tracing *t, const struct event *ev)
{
	if (t->plugs.count >= PLUGS_MAX) {
		hash_free(&t->plugs);
		t->plugs = (struct hash){ .count = 0 };
	}
	return hash_put_number(&t->plugs, ev->pid, ev->device);
}

static bool is_of_plug(const struct event *ev)
{
	uint32_t number = event_number(ev);

	return number == BLK_TA_PLUG || number == BLK_TA_UNPLUG_IO;
}

/* Has the device of its process; false: nothing shows which that is. */
static bool find_plugged(const struct tracing *t, struct event *ev)
{
	int64_t device = hash_get_number(&t->plugs, ev->pid);

	ev->device = (uint32_t)device;
	return device >= 0;
}

/* A partition's remap is on its disk already; any other has taken the bio from
 * the upper device. */
static int learn_remap(struct tracing *t, const struct event *ev)
{
	const uint8_t *remap = ev->payload + ev->sequence;
	uint32_t from = be32toh(get32(remap));
	uint64_t sector = be64toh(get64(remap + 8));
	int err = 0;

	if (from == ev->device)
		disk_map_queued(&t->disks, from, ev->sector);
	else
		err = disk_map_add(&t->disks, from, ev->time);
	if (!err && from != ev->device)
		disk_map_taken(&t->disks, from, sector);
	return err;
}

/* Bios of no bytes, which are flushes, have no place of their own. */
static int learn(struct tracing *t, const struct event *ev)
{
	uint32_t number = event_number(ev);

	if (ev->action & BLK_TC_ACT(BLK_TC_FS) && ev->bytes)
		disk_map_taken(&t->disks, ev->device, ev->sector);
	else if (ev->action & (BLK_TC_ACT(BLK_TC_FS) | BLK_TC_ACT(BLK_TC_PC)))
		disk_map_whole(&t->disks, ev->device);
	else if (!ev->bytes)
		return 0;
	else if (number == BLK_TA_QUEUE || number == BLK_TA_GETRQ)
		disk_map_queued(&t->disks, ev->device, ev->sector);
	else if (number == BLK_TA_BACKMERGE || number == BLK_TA_FRONTMERGE)
		disk_map_merged(&t->disks, ev->device, ev->sector);
	else if (number == BLK_TA_REMAP)
		return learn_remap(t, ev);
	return 0;
}

static int take_io(struct tracing *t, struct event *ev)
{
	int err = 0;

	if (is_of_plug(ev)) {
		if (!find_plugged(t, ev))
			return 0;
	} else {
		err = disk_map_add(&t->disks, ev->device, ev->time);
		if (!err)
			err = learn(t, ev);
		if (!err && is_submitted(ev))
			err = set_plugged(t, ev);
	}
	return err ? err : follow(t, ev);
}

static bool are_twins(const struct event *a, const struct event *b)
{
	return a->time == b->time && a->cpu == b->cpu &&
	       a->action == b->action && a->zone == b->zone &&
	       a->device == b->device && a->sector == b->sector &&
	       a->bytes == b->bytes && a->pid == b->pid &&
	       a->error == b->error && a->pdu_len == b->pdu_len &&
	       !memcmp(a->payload, b->payload, a->pdu_len);
}

/* Whether it was recorded twice, as perf writes parts of its buffers at times. */
static bool is_twin(struct tracing *t, const struct event *ev)
{
	struct tracing_twin *last;

	if (t->twin_count && t->twins[0].ev.time != ev->time)
		t->twin_count = 0;
	for (unsigned int i = 0; i < t->twin_count; i++)
		if (are_twins(&t->twins[i].ev, ev))
			return true;
	if (t->twin_count == TRACING_TWINS || ev->pdu_len > TRACING_PAYLOAD)
		return false;
	last = &t->twins[t->twin_count++];
	last->ev = *ev;
	memcpy(last->payload, ev->payload, ev->pdu_len);
	last->ev.payload = last->payload;
	return false;
}

static int take(void *ctx, const struct event *from)
{
	struct tracing *t = ctx;
	struct event ev = *from;
	int err;

	if (t->unique && !event_is_note(&ev) && is_twin(t, &ev)) {
		t->twice++;
		return 0;
	}
	t->now = ev.time;
	err = event_is_note(&ev) ? follow(t, &ev) : take_io(t, &ev);
	if (err != -ERANGE)
		return err;
	t->beyond++;
	return 0;
}

/* late events are reported */
static void pass_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	const struct tracing *t = ctx;

	t->to->fault(t->to->ctx, line, at, why);
}

/* --- from outside --------------------------------------------------------- */

int tracing_init(struct tracing *t, const struct import_to *to)
{
	*t = (struct tracing){ .to = to };
	t->ordered = (struct import_to){ .event = take, .fault = pass_fault,
					 .ctx = t };
	import_order_init(&t->order, &t->ordered);
	t->waiting = malloc(TRACING_WAIT * sizeof(*t->waiting));
	return t->waiting && !disk_map_init(&t->disks) ? 0 : -ENOMEM;
}

void tracing_free(struct tracing *t)
{
	for (; t->count; t->count--, t->first++)
		kept_free(waiting(t, 0));
	free(t->waiting);
	import_order_free(&t->order);
	disk_map_free(&t->disks);
	hash_free(&t->plugs);
}

/* Puts it in order, with a name in front of its payload. */
static int add(struct tracing *t, struct event *ev,
	       const struct trace_place *at, const char *name, size_t len)
{
	uint8_t payload[TRACING_PAYLOAD];

	len = len < NAME ? len : NAME;
	if (len)
		memcpy(payload, name, len);
	if (ev->pdu_len)
		memcpy(payload + len, ev->payload, ev->pdu_len);
	ev->payload = payload;
	ev->pdu_len = (uint16_t)(ev->pdu_len + len);
	*name_len(ev) = (uint32_t)len;
	ev->time = at->time;
	ev->cpu = at->cpu;
	ev->pid = at->pid;
	return import_order_add(&t->order, at->cpu, ev);
}

int tracing_add(struct tracing *t, const struct trace_place *at,
		const struct tracepoint *tp, const struct trace_values *v,
		const char **why)
{
	uint8_t payload[TRACE_PAYLOAD];
	const char *name = NULL;
	size_t len = 0;
	struct event ev;

	*why = tracepoint_event(tp, v, &ev, payload);
	if (!*why && at->cpu >= BLK_CPU_MAX)
		*why = "an event of an impossible CPU";
	if (*why)
		return -EBADMSG;
	/* a command that was sent to no disk; and no device */
	if (tp->subject != TRACE_OF_PLUG &&
	    (!ev.device || ev.device == UINT32_MAX))
		return 0;
	if (!v->text(v->ctx, TRACE_COMM, &name, &len))
		len = 0;
	return add(t, &ev, at, name, len);
}

int tracing_process(struct tracing *t, const struct trace_place *at,
		    const char *name, size_t len)
{
	struct event ev = { .action = BLK_TC_ACT(BLK_TC_NOTIFY) | NOTE_NAME };

	if (!len)
		return 0;
	if (!at->time || at->cpu >= BLK_CPU_MAX)
		return t->to->process(t->to->ctx, at->pid, name, len);
	return add(t, &ev, at, name, len);
}

int tracing_lost(struct tracing *t, const struct trace_place *at,
		 uint64_t events)
{
	struct event ev = { .action = BLK_TC_ACT(BLK_TC_NOTIFY) | NOTE_LOSS,
			    .sector = events };

	if (!at->time || at->cpu >= BLK_CPU_MAX)
		return t->to->lost(t->to->ctx, at->cpu, events);
	return add(t, &ev, at, NULL, 0);
}

int tracing_release(struct tracing *t, uint64_t time)
{
	return import_order_release(&t->order, time);
}

static void report_twice(const struct tracing *t)
{
	char why[IMPORT_WHY];

	snprintf(why, sizeof(why), "%" PRIu64 " event%s in it twice, and read"
		 " once", t->twice, t->twice == 1 ? " is" : "s are");
	t->to->remark(t->to->ctx, why);
}

int tracing_end(struct tracing *t)
{
	int err = import_order_end(&t->order);

	t->now = UINT64_MAX;
	while (!err && t->count) {
		is_settled(t, &waiting(t, 0)->ev);
		err = leave(t);
	}
	if (!err && t->beyond)
		t->to->fault(t->to->ctx, 0, 0, "too many devices; events of"
			     " some are skipped");
	if (!err && t->twice)
		report_twice(t);
	return err;
}
