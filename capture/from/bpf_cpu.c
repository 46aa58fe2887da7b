/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's BPF ring; see bpf_cpu.h.
 *
 * What BPF programs cannot do is done here: numbers without gaps, each name
 * once, and errno instead of the block layer's codes.  An interrupt's records
 * may precede one it has interrupted, so records are sorted by time before they
 * are numbered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "bpf/bpf.h"
#include "bpf/ring.h"
#include "capture/from/bpf_cpu.h"
#include "capture/from/bpf_status.h"
#include "capture/notes.h"
#include "capture/tap.h"
#include "record/record.h"

enum { BATCH = 512 };	/* records put in order and delivered at once */

_Static_assert(sizeof(((struct bpf_record *)0)->comm) == NOTES_NAME,
	       "a name is as long in records as in notes");

struct bpf_cpu {
	struct tap tap;
	struct bpf_ring *ring;
	bool all_to_first, stamps;
	struct notes notes;
	const char *const *texts;
	bpf_cpu_message *message;
	void *message_ctx;
	struct bpf_message *made;	/* if there is a message() */
	uint64_t latest;	/* time of the record put last, or of opening */
	struct bpf_record batch[BATCH];
	unsigned int waiting;	/* in the batch */
	tap_deliver *deliver;	/* of the current drain */
	void *ctx;
};

/* --- records ----------------------------------------------------------- */

struct named {
	uint64_t time;
	uint32_t pid, device;
	const char *comm;
};

/* Adds the process' name before its first record. */
static int add_name(struct bpf_cpu *c, struct tap_lane *l,
		    const struct named *n)
{
	int first = tap_lane_knows(l, n->pid) ?
			    0 : notes_add_pid(&c->notes, l, n->pid);

	if (first <= 0)
		return first;
	return notes_add_name(&c->notes, l, n->time, n->pid, n->device,
			      n->comm);
}

static struct tap_lane *find_lane(struct bpf_cpu *c, uint32_t device)
{
	struct tap_lane *l = notes_find(&c->notes, device);

	return l || !c->all_to_first ? l : c->notes.lanes;
}

static int put_record(struct bpf_cpu *c, struct bpf_record *r)
{
	struct tap_lane *l = find_lane(c, r->device);
	int err;

	if (!l || r->pdu_len > sizeof(r->pdu))
		return 0;
	err = add_name(c, l, &(struct named){ r->time, r->pid, r->device,
					      r->comm });
	if (err)
		return err;
	c->latest = r->time;
	r->sequence = ++l->sequence;
	r->error = bpf_status_errno(r->error);
	tap_sums_add(&l->sums, r->action, r->bytes);
	return tap_lane_add(l, r, BLK_HEADER_7 + (size_t)r->pdu_len);
}

static int put_records(struct bpf_cpu *c)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < c->waiting; i++)
		err = put_record(c, &c->batch[i]);
	c->waiting = 0;
	return err;
}

static int put_batch(struct bpf_cpu *c)
{
	int err = put_records(c);

	return err ? err : notes_deliver(&c->notes, c->deliver, c->ctx);
}

/* --- messages ---------------------------------------------------------- */

static int put_message(struct bpf_cpu *c, struct bpf_message *m)
{
	struct tap_lane *l = find_lane(c, m->device);
	int err = 0;

	if (!l)
		return 0;
	if (m->time < c->latest)
		m->time = c->latest;
	if (m->pid)
		err = add_name(c, l, &(struct named){ m->time, m->pid,
						      m->device, m->comm });
	c->latest = m->time;
	return err ? err : notes_add_message(&c->notes, l, m->time, m->pid,
					     m->device, m->text);
}

/* What is in the ring before it happened before it. */
static int take_other(struct bpf_cpu *c, const void *entry, size_t len)
{
	int made = c->message(c->message_ctx, entry, len, c->made);
	int err = made > 0 ? put_records(c) : 0;

	if (made <= 0 || err)
		return made < 0 ? made : err;
	return put_message(c, c->made);
}

/* Inserts the record by time, nearly always at the end. */
static int take_record(void *ctx, const void *data, size_t len)
{
	struct bpf_cpu *c = ctx;
	const struct bpf_record *r = data;
	unsigned int at = c->waiting;

	if (c->message && len != sizeof(*r))
		return take_other(c, data, len);
	if (len < sizeof(*r))
		return -EBADMSG;
	while (at && c->batch[at - 1].time > r->time) {
		c->batch[at] = c->batch[at - 1];
		at--;
	}
	c->batch[at] = *r;
	c->waiting++;
	return c->waiting == BATCH ? put_batch(c) : 0;
}

/* --- the tap ----------------------------------------------------------- */

static unsigned int cpu_fds(struct tap *t, struct pollfd *fds,
			    unsigned int max)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;

	if (max)
		*fds = (struct pollfd){ .fd = bpf_ring_fd(c->ring),
					.events = POLLIN };
	return max > 0;
}

static int add_start(struct bpf_cpu *c)
{
	struct notes_stamp now = notes_stamp_now();
	int err = notes_add_stamp(&c->notes, &now);

	c->stamps = false;
	for (const char *const *t = c->texts; !err && t && *t; t++)
		err = notes_add_message(&c->notes, c->notes.lanes, c->latest, 0,
					c->notes.lanes->device, *t);
	return err;
}

static int cpu_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;
	int taken, err = c->stamps ? add_start(c) : 0;

	if (err)
		return err;
	c->deliver = deliver;
	c->ctx = ctx;
	taken = bpf_ring_drain(c->ring, take_record, c);
	err = put_batch(c);
	return taken < 0 ? taken : err ? err : taken > 0;
}

static void cpu_close(struct tap *t)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;

	bpf_ring_close(c->ring);
	notes_free(&c->notes);
	free(c->made);
	free(c);
}

static const struct tap_ops cpu_ops = { cpu_fds, cpu_drain, cpu_close };

int bpf_cpu_open(struct tap **t, const struct bpf_cpu_plan *plan)
{
	struct bpf_cpu *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->tap.ops = &cpu_ops;
	c->all_to_first = plan->all_to_first;
	c->stamps = plan->stamps;
	c->message = plan->message;
	c->message_ctx = plan->ctx;
	c->texts = plan->texts;
	c->latest = time_now();
	err = notes_init(&c->notes, plan->cpu, plan->devices, plan->count);
	if (c->message)
		c->made = malloc(sizeof(*c->made));
	if (c->message && !c->made)
		err = -ENOMEM;
	if (!err)
		err = bpf_ring_open(&c->ring, plan->bpf, plan->cpu,
				    plan->ring);
	if (err)
		cpu_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
