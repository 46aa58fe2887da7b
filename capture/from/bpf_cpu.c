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

#include "bpf/bpf.h"
#include "bpf/ring.h"
#include "capture/from/bpf_cpu.h"
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
	struct bpf_record batch[BATCH];
	unsigned int waiting;	/* in the batch */
	tap_deliver *deliver;	/* of the current drain */
	void *ctx;
};

/* --- errors ------------------------------------------------------------ */

/* errno of the block layer's codes that all kernels share */
static uint16_t error_of(uint16_t status)
{
	static const int codes[] = {
		0, EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO, EBADE,
		ENODATA, EILSEQ, ENOMEM, EIO, EREMCHG, EAGAIN, EBUSY,
	};

	return (uint16_t)-(status < sizeof(codes) / sizeof(*codes) ?
				   codes[status] : EIO);
}

/* --- records ----------------------------------------------------------- */

/* Adds the process' name before its first record. */
static int add_name(struct bpf_cpu *c, struct tap_lane *l,
		    const struct bpf_record *r)
{
	int first = tap_lane_knows(l, r->pid) ?
			    0 : notes_add_pid(&c->notes, l, r->pid);

	if (first <= 0)
		return first;
	return notes_add_name(&c->notes, l, r->time, r->pid, r->device,
			      r->comm);
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
	err = add_name(c, l, r);
	if (err)
		return err;
	r->sequence = ++l->sequence;
	r->error = error_of(r->error);
	tap_sums_add(&l->sums, r->action, r->bytes);
	return tap_lane_add(l, r, BLK_HEADER_7 + (size_t)r->pdu_len);
}

static int put_batch(struct bpf_cpu *c)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < c->waiting; i++)
		err = put_record(c, &c->batch[i]);
	c->waiting = 0;
	return err ? err : notes_deliver(&c->notes, c->deliver, c->ctx);
}

/* Inserts the record by time, nearly always at the end. */
static int take_record(void *ctx, const void *data, size_t len)
{
	struct bpf_cpu *c = ctx;
	const struct bpf_record *r = data;
	unsigned int at = c->waiting;

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

static int add_stamp(struct bpf_cpu *c)
{
	struct notes_stamp now = notes_stamp_now();

	c->stamps = false;
	return notes_add_stamp(&c->notes, &now);
}

static int cpu_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;
	int taken, err = c->stamps ? add_stamp(c) : 0;

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
	err = notes_init(&c->notes, plan->cpu, plan->devices, plan->count);
	if (!err)
		err = bpf_ring_open(&c->ring, plan->bpf, plan->cpu,
				    plan->ring);
	if (err)
		cpu_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
