/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taps on rings of joined records; see joined_cpu.h.
 *
 * No event is older than the horizon any more.  To find it, the first CPU's tap
 * looks through the slots: what is open there began at this time or later, what
 * is not yet there begins later than the look.  What has left its slot before the
 * look is in a ring, so that is the horizon once every ring has been read after
 * it.  What is open for a second is taken out of its slot, or nothing would leave
 * us while a disk hangs.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/time.h"
#include "blktrace.h"
#include "bpf/joined.h"
#include "bpf/ring.h"
#include "capture/cpus.h"
#include "capture/from/joined_cpu.h"
#include "capture/from/joined_events.h"
#include "capture/from/joined_order.h"
#include "capture/notes.h"
#include "capture/tap.h"
#include "record/record.h"

enum {
	HELD_MAX = 1 << 20,	/* events of a CPU; then the oldest go */
	HELD_MANY = HELD_MAX / 4,	/* I/Os are open too long */
	NAMES_MAX = 1 << 16,	/* then all are forgotten */
	DELIVERED = 256 << 10,	/* bytes of a lane that are enough at once */
};

#define OPEN_MAX NS_PER_SECOND	/* an I/O's age in a slot */
#define OPEN_FEW (20 * NS_PER_MS)	/* the same when many events are held */
/* between the time of an event and its slot, if the program is interrupted */
#define LATE NS_PER_MS

_Static_assert((int)BPF_COMM == (int)NOTES_NAME, "names have one length");

/* events of a record that belong to another CPU */
struct parcel {
	struct joined_events events;
	uint32_t phases;	/* bits of those */
};

struct inbox {
	struct parcel *parcels;
	size_t count, size;
};

/* a CPU as others see it; all under the run's lock */
struct seat {
	struct inbox in;	/* its events that were in others' rings */
	uint64_t read;		/* ns, when it last began to read its ring */
	bool gone;		/* closed, or not opened */
};

struct joined_run {
	struct joined_plan plan;
	struct seat *seats;	/* by index of the CPU in plan.cpus */
	int *index;		/* by CPU: of its seat, or -1 */
	pthread_mutex_t lock;	/* of what follows */
	uint64_t horizon;
	uint64_t next;		/* the horizon, once rings are read after: */
	uint64_t looked;	/* ns; 0: there is none */
	bool many, stopped;
	struct hash names;	/* by pid: char[BPF_COMM] */
};

struct joined_cpu_tap {
	struct tap tap;
	struct joined_run *run;
	struct joined *joined;
	uint32_t cpu;
	unsigned int seat;
	bool first, stamps;
	struct notes_stamp opened;
	struct bpf_ring *wake;
	struct notes notes;
	struct joined_order order;
	struct inbox taken;	/* empties into the order */
	struct inbox *out;	/* by seat */
	uint64_t at;		/* records read */
	bool behind;		/* the next one is being written */
	uint32_t lost;		/* of the last record */
	uint64_t swept;		/* ns */
	tap_deliver *deliver;	/* of the current drain */
	void *ctx;
};

/* --- events ------------------------------------------------------------------ */

static int inbox_add(struct inbox *in, const struct parcel *p, size_t count)
{
	struct parcel *parcels = in->parcels;
	size_t size = in->size ? in->size : 64;

	while (size - in->count < count)
		size *= 2;
	if (size != in->size) {
		parcels = reallocarray(parcels, size, sizeof(*parcels));
		if (!parcels)
			return -ENOMEM;
		in->parcels = parcels;
		in->size = size;
	}
	memcpy(parcels + in->count, p, count * sizeof(*p));
	in->count += count;
	return 0;
}

/* The seat of a CPU; that has none: seat 0's. */
static unsigned int seat_of(const struct joined_run *r, uint16_t cpu)
{
	int seat = cpu < r->plan.joined->cpu_count ? r->index[cpu] : -1;

	return seat < 0 ? 0 : (unsigned int)seat;
}

/* Bits of the phases that are wanted. */
static uint32_t wanted(const struct joined_run *r, const struct joined_events *e)
{
	uint32_t phases = 0;

	if (e->io.device >= r->plan.count)
		return 0;
	if (r->plan.mask == UINT16_MAX)
		return joined_events_phases(e);
	for (unsigned int i = 0; i < PHASE_COUNT; i++)
		if (joined_events_action(e, i) & r->plan.mask << 16)
			phases |= 1u << i;
	return phases;
}

/* Takes the phases of events that were on the CPU of the first of them. */
static uint32_t split(uint32_t *phases, const struct joined_events *e)
{
	uint16_t cpu = joined_events_cpu(e,
					 (unsigned int)__builtin_ctz(*phases));
	uint32_t there = 0;

	for (unsigned int i = 0; i < PHASE_COUNT; i++)
		if (*phases & 1u << i && joined_events_cpu(e, i) == cpu)
			there |= 1u << i;
	*phases &= ~there;
	return there;
}

/* To the CPUs where they were. */
static int route(struct joined_cpu_tap *t, const struct joined_events *e,
		 uint32_t phases)
{
	int err = 0;

	/* nearly always */
	if (e->io.cpu == t->cpu && e->io.issue_cpu == t->cpu &&
	    e->last_cpu == t->cpu)
		return joined_order_add(&t->order, e, phases);
	while (!err && phases) {
		unsigned int seat = seat_of(t->run, joined_events_cpu(e,
					(unsigned int)__builtin_ctz(phases)));
		uint32_t there = split(&phases, e);

		if (seat == t->seat)
			err = joined_order_add(&t->order, e, there);
		else
			err = inbox_add(&t->out[seat],
					&(struct parcel){ *e, there }, 1);
	}
	return err;
}

static int take_io(struct joined_cpu_tap *t, const struct joined_io *io,
		   uint16_t status)
{
	struct joined_events e;

	joined_events_find(&e, io, (uint16_t)t->cpu, status);
	return route(t, &e, wanted(t->run, &e));
}

/* --- names ------------------------------------------------------------------- */

static void names_free(struct joined_run *r)
{
	for (size_t i = 0; r->names.slots && i <= r->names.mask; i++)
		free(r->names.slots[i].value);
	hash_free(&r->names);
}

static int take_name(struct joined_run *r, const struct joined_io *io)
{
	char *name = malloc(BPF_COMM);
	void **place;

	if (!name)
		return -ENOMEM;
	memcpy(name, io->comm, BPF_COMM);
	pthread_mutex_lock(&r->lock);
	if (r->names.count >= NAMES_MAX)
		names_free(r);
	place = hash_place(&r->names, io->pid);
	if (place) {
		free(*place);
		*place = name;
	}
	pthread_mutex_unlock(&r->lock);
	if (!place)
		free(name);
	return place ? 0 : -ENOMEM;
}

static bool find_name(struct joined_run *r, uint32_t pid, char name[BPF_COMM])
{
	const char *found;

	pthread_mutex_lock(&r->lock);
	found = hash_get(&r->names, pid);
	if (found)
		memcpy(name, found, BPF_COMM);
	pthread_mutex_unlock(&r->lock);
	return found;
}

/* Before the process' first event. */
static int add_name(struct joined_cpu_tap *t, struct tap_lane *l,
		    uint64_t time, uint32_t pid)
{
	char name[BPF_COMM];
	int first = notes_add_pid(&t->notes, l, pid);

	if (first <= 0 || !find_name(t->run, pid, name))
		return first < 0 ? first : 0;
	return notes_add_name(&t->notes, l, time, pid, l->device, name);
}

/* --- delivery ----------------------------------------------------------------- */

static int put_payload(struct tap_lane *l, const struct joined_events *e)
{
	uint8_t payload[JOINED_PAYLOAD];

	joined_events_payload(e, payload);
	return tap_lane_add(l, payload, joined_events_payload_bytes(e));
}

static int put_event(struct joined_cpu_tap *t, struct tap_lane *l,
		     const struct joined_events *e, enum joined_phase phase,
		     uint64_t time)
{
	bool alone = e->io.events >= JOINED_REMAP;
	uint32_t action = joined_events_action(e, phase);
	uint32_t bytes = phase < PHASE_INSERT || alone ? e->io.queued :
							 e->io.bytes;
	uint8_t *room = tap_lane_room(l, BLK_HEADER_7);

	if (!room)
		return -ENOMEM;
	memcpy(room, &(struct event){
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.sequence = ++l->sequence,
		.time = time,
		.sector = e->io.sector,
		.bytes = bytes,
		.action = action,
		.pid = e->io.pid,
		.device = l->device,
		.cpu = t->cpu,
		.error = phase == PHASE_LAST ? e->error : 0,
		.pdu_len = joined_events_payload_bytes(e),
	}, BLK_HEADER_7);
	tap_sums_add(&l->sums, action, bytes);
	return alone ? put_payload(l, e) : 0;
}

/* Events lost of unknown devices are the first one's. */
static int put_next(struct joined_cpu_tap *t, const struct joined_events *e,
		    enum joined_phase phase, uint64_t time)
{
	struct tap_lane *l = &t->notes.lanes[e->io.device];
	int err = 0;

	if (!e->io.events) {
		l->sequence += e->io.bytes;
		return 0;
	}
	if (!tap_lane_knows(l, e->io.pid))
		err = add_name(t, l, time, e->io.pid);
	if (!err)
		err = put_event(t, l, e, phase, time);
	if (err || l->len < DELIVERED)
		return err;
	return notes_deliver(&t->notes, t->deliver, t->ctx);
}

/* All that is older than the horizon; 1: there was some; 0; or -errno. */
static int put_events(struct joined_cpu_tap *t, uint64_t horizon)
{
	/* what is held too long goes, though older events may come */
	uint64_t until = t->order.held > HELD_MAX ? time_now() : horizon;
	int err = joined_order_until(&t->order, until), any = 0;
	const struct joined_events *e;
	enum joined_phase phase;
	uint64_t time;

	while (!err && (e = joined_order_next(&t->order, &phase, &time))) {
		err = put_next(t, e, phase, time);
		any = 1;
	}
	return err ? err : any;
}

/* --- the horizon -------------------------------------------------------------- */

static uint64_t slot_time(const struct joined_slot *s)
{
	return __atomic_load_n(&s->io.first, __ATOMIC_RELAXED);
}

/* The first CPU's tap: looks through the slots. */
static void look(struct joined_cpu_tap *t)
{
	struct joined_run *r = t->run;
	uint64_t oldest = time_now() - LATE;

	for (uint32_t i = 0; i < joined_slot_count(); i++) {
		uint64_t time = slot_time(&t->joined->slots[i]);

		if (time && time < oldest)
			oldest = time;
	}
	pthread_mutex_lock(&r->lock);
	r->next = oldest;
	r->looked = time_now();
	pthread_mutex_unlock(&r->lock);
}

/* whether all that CPUs had written by a time is read, with the lock */
static bool all_read(const struct joined_run *r, uint64_t time)
{
	for (unsigned int i = 0; i < r->plan.cpus->count; i++) {
		const struct seat *s = &r->seats[i];
		const struct joined_cpu *c =
			&r->plan.joined->cpus[r->plan.cpus->online[i]];

		if (!s->gone && s->read < time &&
		    __atomic_load_n(&c->head, __ATOMIC_ACQUIRE) !=
		    __atomic_load_n(&c->tail, __ATOMIC_ACQUIRE))
			return false;
	}
	return true;
}

static uint64_t find_horizon(struct joined_run *r)
{
	if (r->stopped && all_read(r, UINT64_MAX))
		return UINT64_MAX;
	if (r->looked && all_read(r, r->looked)) {
		r->horizon = r->next;
		r->looked = 0;
	}
	return r->horizon;
}

/* --- what is open for long ---------------------------------------------------- */

/* Marks the slots of I/Os that are older: programs that come now do not find
 * them.  How many. */
static unsigned int mark_old(struct joined *j, uint64_t before)
{
	unsigned int n = 0;

	for (uint32_t i = 0; i < joined_slot_count(); i++) {
		struct joined_slot *s = &j->slots[i];
		__u64 key = __atomic_load_n(&s->key, __ATOMIC_ACQUIRE);
		uint64_t time = slot_time(s);

		if (key && time && time < before)
			n += __atomic_compare_exchange_n(&s->key, &key,
				key | JOINED_TAKEN, false, __ATOMIC_ACQ_REL,
				__ATOMIC_RELAXED);
	}
	return n;
}

static bool take_slot(struct joined_slot *s, struct joined_io *io)
{
	if (!(__atomic_load_n(&s->key, __ATOMIC_ACQUIRE) & JOINED_TAKEN))
		return false;
	*io = s->io;
	__atomic_store_n(&s->io.first, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->key, 0, __ATOMIC_RELEASE);
	return io->first;
}

static int sweep(struct joined_cpu_tap *t, uint64_t now)
{
	bool many = __atomic_load_n(&t->run->many, __ATOMIC_RELAXED);
	uint64_t age = many ? OPEN_FEW : OPEN_MAX;
	struct joined_io io;
	int err;

	if (now - t->swept < age)
		return 0;
	t->swept = now;
	if (!mark_old(t->joined, now - age))
		return 0;
	err = joined_wait(t->joined);
	for (uint32_t i = 0; !err && i < joined_slot_count(); i++)
		if (take_slot(&t->joined->slots[i], &io))
			err = take_io(t, &io, 0);
	return err;
}

/* Like route(), where no tap is reading. */
static int route_last(struct joined_run *r, const struct joined_events *e,
		      uint32_t phases)
{
	int err = 0;

	while (!err && phases) {
		struct seat *s = &r->seats[seat_of(r, joined_events_cpu(e,
					(unsigned int)__builtin_ctz(phases)))];
		uint32_t there = split(&phases, e);

		err = inbox_add(&s->in, &(struct parcel){ *e, there }, 1);
	}
	return err;
}

int joined_run_stop(struct joined_run *r)
{
	struct joined *j = r->plan.joined;
	struct joined_events e;
	struct joined_io io;
	int err = joined_wait(j);

	pthread_mutex_lock(&r->lock);
	mark_old(j, UINT64_MAX);
	for (uint32_t i = 0; !err && i < joined_slot_count(); i++) {
		if (!take_slot(&j->slots[i], &io))
			continue;
		joined_events_find(&e, &io, 0, 0);
		err = route_last(r, &e, wanted(r, &e));
	}
	r->stopped = true;
	pthread_mutex_unlock(&r->lock);
	return err;
}

/* --- the ring ----------------------------------------------------------------- */

static int note_lost(struct joined_cpu_tap *t, const struct joined_record *r)
{
	const struct joined_events gap = {
		.io = { .first = r->io.first, .bytes = r->lost - t->lost },
	};

	t->lost = r->lost;
	return joined_order_add(&t->order, &gap, 1u << PHASE_QUEUE);
}

static int take_record(struct joined_cpu_tap *t, const struct joined_record *r)
{
	int err = r->lost == t->lost ? 0 : note_lost(t, r);

	if (err)
		return err;
	if (r->io.events & JOINED_NAME)
		return take_name(t->run, &r->io);
	return take_io(t, &r->io, r->status);
}

static int nothing(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	(void)data;
	(void)len;
	return 0;
}

/* Whether records were there; or -errno.  The kernel has their places back only
 * when all their events are where they belong. */
static int read_ring(struct joined_cpu_tap *t)
{
	struct joined_cpu *c = &t->joined->cpus[t->cpu];
	const struct joined_record *r;
	uint64_t from = t->at, end;
	int err = 0;

	bpf_ring_drain(t->wake, nothing, NULL);
	end = __atomic_load_n(&c->head, __ATOMIC_ACQUIRE);
	while (!err && t->at < end &&
	       (r = joined_record_get(t->joined, t->cpu, t->at))) {
		err = take_record(t, r);
		t->at++;
	}
	t->behind = t->at < end;
	return err ? err : t->at > from;
}

/* Events change hands; then the horizon is known. */
static int exchange(struct joined_cpu_tap *t, uint64_t began, uint64_t *horizon)
{
	struct joined_run *r = t->run;
	struct seat *mine = &r->seats[t->seat];
	struct inbox empty = t->taken;
	int err = 0;

	pthread_mutex_lock(&r->lock);
	for (unsigned int i = 0; !err && i < r->plan.cpus->count; i++) {
		if (t->out[i].count)
			err = inbox_add(&r->seats[i].in, t->out[i].parcels,
					t->out[i].count);
		t->out[i].count = 0;
	}
	__atomic_store_n(&t->joined->cpus[t->cpu].tail, t->at,
			 __ATOMIC_RELEASE);
	if (!t->behind)
		mine->read = began;
	*horizon = find_horizon(r);
	t->taken = mine->in;
	mine->in = empty;
	pthread_mutex_unlock(&r->lock);
	for (size_t i = 0; !err && i < t->taken.count; i++)
		err = joined_order_add(&t->order, &t->taken.parcels[i].events,
				       t->taken.parcels[i].phases);
	t->taken.count = 0;
	return err;
}

/* --- the tap ------------------------------------------------------------------ */

static unsigned int cpu_fds(struct tap *tap, struct pollfd *fds,
			    unsigned int max)
{
	struct joined_cpu_tap *t = (struct joined_cpu_tap *)tap;

	if (max)
		*fds = (struct pollfd){ .fd = bpf_ring_fd(t->wake),
					.events = POLLIN };
	return max > 0;
}

static int add_start(struct joined_cpu_tap *t)
{
	t->stamps = false;
	return notes_add_stamp(&t->notes, &t->opened);
}

/* More comes until all CPUs have read their rings after the end. */
static bool is_whole(const struct joined_cpu_tap *t, uint64_t horizon)
{
	return !t->run->stopped || horizon == UINT64_MAX;
}

static int cpu_drain(struct tap *tap, tap_deliver *deliver, void *ctx)
{
	struct joined_cpu_tap *t = (struct joined_cpu_tap *)tap;
	uint64_t began = time_now(), horizon = 0;
	int err = t->stamps ? add_start(t) : 0, got = 0, put = 0;

	t->deliver = deliver;
	t->ctx = ctx;
	if (!err && t->first)
		err = sweep(t, began);
	if (!err)
		got = read_ring(t);
	if (!err && got < 0)
		err = got;
	if (!err)
		err = exchange(t, began, &horizon);
	if (!err && t->first && !t->run->looked)
		look(t);
	tap->until = horizon;
	if (!err)
		put = put_events(t, horizon);
	if (!err && put < 0)
		err = put;
	if (!err)
		err = notes_deliver(&t->notes, deliver, ctx);
	__atomic_store_n(&t->run->many, t->order.held > HELD_MANY,
			 __ATOMIC_RELAXED);
	return err ? err : got || put || !is_whole(t, horizon);
}

static void inbox_free(struct inbox *in)
{
	free(in->parcels);
	*in = (struct inbox){ 0 };
}

static void cpu_close(struct tap *tap)
{
	struct joined_cpu_tap *t = (struct joined_cpu_tap *)tap;
	struct joined_run *r = t->run;

	pthread_mutex_lock(&r->lock);
	r->seats[t->seat].gone = true;
	pthread_mutex_unlock(&r->lock);
	bpf_ring_close(t->wake);
	notes_free(&t->notes);
	joined_order_free(&t->order);
	inbox_free(&t->taken);
	for (unsigned int i = 0; t->out && i < r->plan.cpus->count; i++)
		inbox_free(&t->out[i]);
	free(t->out);
	free(t);
}

static const struct tap_ops cpu_ops = { cpu_fds, cpu_drain, cpu_close };

int joined_cpu_open(struct tap **out, struct joined_run *r, uint32_t cpu)
{
	struct joined_cpu_tap *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->tap.ops = &cpu_ops;
	t->run = r;
	t->joined = r->plan.joined;
	t->cpu = cpu;
	t->seat = (unsigned int)r->index[cpu];
	t->first = t->stamps = t->seat == 0;
	t->opened = notes_stamp_now();
	t->swept = t->opened.time;
	joined_order_init(&t->order);
	t->out = calloc(r->plan.cpus->count, sizeof(*t->out));
	err = notes_init(&t->notes, cpu, r->plan.devices, r->plan.count);
	if (!err)
		err = t->out ? 0 : -ENOMEM;
	if (!err)
		err = joined_wake_open(t->joined, cpu, &t->wake);
	if (err) {
		cpu_close(&t->tap);
		return err;
	}
	/* events come later */
	pthread_mutex_lock(&r->lock);
	if (r->horizon < t->opened.time)
		r->horizon = t->opened.time;
	pthread_mutex_unlock(&r->lock);
	*out = &t->tap;
	return 0;
}

/* --- the run ------------------------------------------------------------------ */

int joined_run_new(struct joined_run **out, const struct joined_plan *plan)
{
	struct joined_run *r = calloc(1, sizeof(*r));
	const struct cpus *cpus = plan->cpus;

	if (!r)
		return -ENOMEM;
	r->plan = *plan;
	pthread_mutex_init(&r->lock, NULL);
	r->horizon = time_now();
	r->seats = calloc(cpus->count, sizeof(*r->seats));
	r->index = calloc(plan->joined->cpu_count, sizeof(*r->index));
	if (!r->seats || !r->index) {
		joined_run_free(r);
		return -ENOMEM;
	}
	for (uint32_t cpu = 0; cpu < plan->joined->cpu_count; cpu++)
		r->index[cpu] = -1;
	for (unsigned int i = 0; i < cpus->count; i++)
		r->index[cpus->online[i]] = (int)i;
	*out = r;
	return 0;
}

void joined_run_free(struct joined_run *r)
{
	if (!r)
		return;
	for (unsigned int i = 0; r->seats && i < r->plan.cpus->count; i++)
		inbox_free(&r->seats[i].in);
	names_free(r);
	pthread_mutex_destroy(&r->lock);
	free(r->seats);
	free(r->index);
	free(r);
}
