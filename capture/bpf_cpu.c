/*
 * One CPU's records out of its ring; see bpf_cpu.h.
 *
 * The kernel's programs leave to us what they cannot do as well: numbers
 * without a hole, names told once, and errno instead of the block layer's own
 * codes.  An interrupt may have put its records in front of one that had been
 * begun, so neighbours are put in order of time before they are numbered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "bpf/bpf.h"
#include "bpf/ring.h"
#include "capture/bpf_cpu.h"
#include "capture/tap.h"
#include "trace/record.h"

enum {
	BATCH = 512,		/* records put in order and delivered at once */
	PIDS_MAX = 1 << 16,	/* then all are forgotten, and told again */
	/* each may bring its process' name */
	OUT_MAX = BATCH * 2 * (BLK_HEADER_7 + BPF_COMM),
};

/* what this CPU has told of one device */
struct tap_lane {
	uint32_t device;
	uint32_t sequence;	/* of the last event */
	uint8_t *out;		/* OUT_MAX bytes: records to be delivered */
	size_t len;
	unsigned int records;
};

struct bpf_cpu {
	struct tap tap;
	struct bpf_ring *ring;
	uint32_t cpu;
	bool all_to_first, stamps;
	struct tap_lane *lanes;
	unsigned int count;
	struct hash pids;	/* lane and pid: the name is told */
	struct bpf_record batch[BATCH];
	unsigned int waiting;	/* in the batch */
	tap_deliver *deliver;	/* of the drain that is under way */
	void *ctx;
};

/* --- errors ------------------------------------------------------------ */

/* the block layer's codes, as far as all kernels agree on them */
static uint16_t error_of(uint16_t status)
{
	static const int codes[] = {
		0, EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO, EBADE,
		ENODATA, EILSEQ, ENOMEM, EIO, EREMCHG, EAGAIN, EBUSY,
	};

	return (uint16_t)-(status < sizeof(codes) / sizeof(*codes) ?
				   codes[status] : EIO);
}

/* --- notes ------------------------------------------------------------- */

static void lane_put(struct tap_lane *l, const void *bytes, size_t len)
{
	memcpy(l->out + l->len, bytes, len);
	l->len += len;
}

static void put_note(struct bpf_cpu *c, struct tap_lane *l, struct event *note,
		     uint32_t device)
{
	note->magic = BLK_MAGIC | BLK_VERSION_7;
	note->action |= BLK_TC_ACT(BLK_TC_NOTIFY);
	note->device = device;
	note->cpu = c->cpu;
	lane_put(l, note, BLK_HEADER_7);
	lane_put(l, note->payload, note->pdu_len);
	l->records++;
}

/* Sees to it that the name of the record's process comes before it. */
static int tell_name(struct bpf_cpu *c, struct tap_lane *l,
		     const struct bpf_record *r)
{
	uint64_t key = (uint64_t)(l - c->lanes) << 32 | r->pid;
	struct event note = {
		.time = r->time,
		.action = BLK_TN_PROCESS,
		.pid = r->pid,
		.payload = (const uint8_t *)r->comm,
		.pdu_len = BPF_COMM,
	};

	if (hash_get(&c->pids, key))
		return 0;
	if (c->pids.count >= PIDS_MAX)
		hash_free(&c->pids);
	if (hash_put(&c->pids, key, c))
		return -ENOMEM;
	put_note(c, l, &note, r->device);
	return 0;
}

static uint64_t clock_ns(clockid_t clock, struct timespec *t)
{
	clock_gettime(clock, t);
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

/* Tells for each device when tracing began. */
static void tell_start(struct bpf_cpu *c)
{
	struct timespec mono, wall;
	uint64_t now = clock_ns(CLOCK_MONOTONIC, &mono);
	uint32_t text[2];

	clock_gettime(CLOCK_REALTIME, &wall);
	text[0] = (uint32_t)wall.tv_sec;
	text[1] = (uint32_t)wall.tv_nsec;
	for (unsigned int i = 0; i < c->count; i++) {
		struct event note = {
			.time = now,
			.action = BLK_TN_TIMESTAMP,
			.payload = (const uint8_t *)text,
			.pdu_len = sizeof(text),
		};

		put_note(c, &c->lanes[i], &note, c->lanes[i].device);
	}
	c->stamps = false;
}

/* --- records ----------------------------------------------------------- */

static struct tap_lane *find_lane(struct bpf_cpu *c, uint32_t device)
{
	for (unsigned int i = 0; i < c->count; i++)
		if (c->lanes[i].device == device)
			return &c->lanes[i];
	return c->all_to_first ? c->lanes : NULL;
}

static int put_record(struct bpf_cpu *c, struct bpf_record *r)
{
	struct tap_lane *l = find_lane(c, r->device);
	int err;

	if (!l || r->pdu_len > sizeof(r->pdu))
		return 0;
	err = tell_name(c, l, r);
	if (err)
		return err;
	r->sequence = ++l->sequence;
	r->error = error_of(r->error);
	lane_put(l, r, BLK_HEADER_7 + (size_t)r->pdu_len);
	l->records++;
	return 0;
}

static int deliver_all(struct bpf_cpu *c)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < c->count; i++) {
		struct tap_lane *l = &c->lanes[i];

		if (l->len)
			err = c->deliver(c->ctx, i, l->out, l->len,
					 l->records);
		l->len = 0;
		l->records = 0;
	}
	return err;
}

static int put_batch(struct bpf_cpu *c)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < c->waiting; i++)
		err = put_record(c, &c->batch[i]);
	c->waiting = 0;
	return err ? err : deliver_all(c);
}

/* The batch is in order, and nearly always stays so. */
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

static int cpu_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;
	int taken, err;

	c->deliver = deliver;
	c->ctx = ctx;
	if (c->stamps)
		tell_start(c);
	taken = bpf_ring_drain(c->ring, take_record, c);
	err = put_batch(c);
	return taken < 0 ? taken : err ? err : taken > 0;
}

static void cpu_close(struct tap *t)
{
	struct bpf_cpu *c = (struct bpf_cpu *)t;

	bpf_ring_close(c->ring);
	for (unsigned int i = 0; c->lanes && i < c->count; i++)
		free(c->lanes[i].out);
	free(c->lanes);
	hash_free(&c->pids);
	free(c);
}

static const struct tap_ops cpu_ops = { cpu_fds, cpu_drain, cpu_close };

static int make_lanes(struct bpf_cpu *c, const struct bpf_cpu_plan *plan)
{
	c->all_to_first = plan->all_to_first;
	c->count = plan->count;
	c->lanes = calloc(c->count, sizeof(*c->lanes));
	if (!c->lanes)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->count; i++) {
		struct tap_lane *l = &c->lanes[i];

		l->device = plan->devices[i];
		l->out = malloc(OUT_MAX);
		if (!l->out)
			return -ENOMEM;
	}
	return 0;
}

int bpf_cpu_open(struct tap **t, const struct bpf_cpu_plan *plan)
{
	struct bpf_cpu *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->tap.ops = &cpu_ops;
	c->cpu = plan->cpu;
	c->stamps = plan->stamps;
	err = make_lanes(c, plan);
	if (!err)
		err = bpf_ring_open(&c->ring, plan->bpf, plan->cpu,
				    plan->ring);
	if (err)
		cpu_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
