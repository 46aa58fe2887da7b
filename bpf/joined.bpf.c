/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace --via=bpf --joined: the programs note the times of an I/O's events in
 * a slot, and write one record of all when its last event comes.
 *
 * What an event costs is a program's start more than anything in it, so each
 * tracepoint has one program, which calls few of the kernel's functions: fields
 * are read in place, slots are found by a number made of the pointer to the bio,
 * and a ring is memory with a place to write at.
 */
#include "bpf/kernel.bpf.h"
#include "bpf/joined_layout.h"

#define INLINE static __always_inline

enum {
	OP_MASK = 0xff,		/* of bi_opf and cmd_flags */
	OP_DRV_IN = 34,		/* commands that pass through */
	OP_DRV_OUT = 35,
	/* operation, SYNC, META, FUA, PREFLUSH and AHEAD: see records.bpf.h */
	FLAGS_SEEN = OP_MASK | 1 << 11 | 1 << 12 | 1 << 17 | 1 << 18 | 1 << 19,
	DEVICES_MAX = 4096,
	TRIES = 8,		/* of programs that interrupt each other */
	BELOW = 16,		/* bios of a request that are looked at */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DEVICES_MAX);
	__type(key, __u32);
	__type(value, struct joined_device);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, JOINED_SLOTS + JOINED_PROBES);
	__type(key, __u32);
	__type(value, struct joined_slot);
} slots SEC(".maps");

/* by CPU; the loader makes as many as there are */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct joined_cpu);
} cpus SEC(".maps");

/* one CPU's after the other's */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, JOINED_RING_MIN);
	__type(key, __u32);
	__type(value, struct joined_record);
} records SEC(".maps");

/* what wakes a CPU's reader: only that something is in it counts */
struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BPF_RINGS_MAX + 1);	/* the last is no CPU's */
	__type(key, __u32);
	__array(values, struct ring);
} wakes SEC(".maps");

/* an event, before it has a slot or a record */
struct event {
	__u64 key, time, sector;
	__u32 bytes, flags, events;
	__u16 device, status;
};

INLINE struct joined_cpu *cpu_get(__u32 *cpu)
{
	*cpu = bpf_get_smp_processor_id();
	return bpf_map_lookup_elem(&cpus, cpu);
}

/* --- interruptions ---------------------------------------------------------- */

/*
 * The kernel does not run a program that is running already on that CPU: an
 * interrupt or, from 6.19 on, another task that comes meanwhile is missed, and
 * counted.  Once the loader sees that, second programs do what the first ones
 * miss.  They cost nearly as much as another event, and with many disks nothing
 * is ever missed.  (To keep interrupts away is no help: those that wait come when
 * they are let in again, and that is within the program, too.)
 */
enum { BUSY_ISSUE, BUSY_COMPLETE };

INLINE volatile __u32 *busy_start(__u32 which)
{
	volatile __u32 *busy;
	struct joined_cpu *of;
	__u32 cpu;

	of = cpu_get(&cpu);
	if (!of)
		return NULL;
	busy = &of->busy[which];
	*busy = 1;
	return busy;
}

INLINE void busy_stop(volatile __u32 *busy)
{
	if (busy)
		*busy = 0;
}

/* Whether a second program runs instead of the first one, which is counted. */
INLINE bool second_must(__u32 which)
{
	struct joined_cpu *of;
	__u32 cpu;

	of = cpu_get(&cpu);
	if (!of || !*(volatile __u32 *)&of->busy[which])
		return false;
	__sync_fetch_and_add(&of->seconded, 1);
	return true;
}

/* --- which devices ------------------------------------------------------- */

INLINE __u32 disk_number(struct gendisk *disk)
{
	return (__u32)disk->major << 20 | disk->first_minor;
}

/* Whether an event of the disk is wanted; *device is its number then. */
static __noinline int disk_find(struct joined_cpu *of, __u64 queue, __u32 disk,
				__u64 sector)
{
	struct joined_device *d = bpf_map_lookup_elem(&devices, &disk);

	if (!of)
		return -1;
	if (!d) {
		of->other = queue;
		return -1;
	}
	if (d->whole) {
		of->device = d->device;
		of->queue = queue;
	}
	return !sector || (sector >= d->start && sector <= d->end) ?
		(int)(d->device & 0xffff) : -1;
}

/* the number of the device in the run, or -1: it is not traced */
INLINE int queue_device(struct joined_cpu *of, struct request_queue *q,
			__u64 sector)
{
	if (of->queue == (__u64)q)
		return of->device;
	if (of->other == (__u64)q)
		return -1;
	return disk_find(of, (__u64)q, disk_number(q->disk), sector);
}

/* --- records ------------------------------------------------------------- */

INLINE __u32 events_in(__u32 events)
{
	__u32 n = 0;

	for (int i = 0; i < 13; i++)
		n += events >> i & 1;
	return n;
}

/* Reserves a place in this CPU's ring, even if other programs do meanwhile;
 * NULL: it is full. */
INLINE struct joined_record *record_reserve(struct joined_cpu *of, __u64 *at)
{
	__u64 was;
	__u32 index;

	for (int i = 0; i < TRIES; i++) {
		*at = of->head;
		if (*at - of->tail >= of->limit)
			return NULL;
		was = __sync_val_compare_and_swap(&of->head, *at, *at + 1);
		if (was == *at) {
			index = of->place + (*at & (of->limit - 1));
			return bpf_map_lookup_elem(&records, &index);
		}
	}
	return NULL;
}

static __noinline int reader_wake(__u32 cpu)
{
	void *ring = bpf_map_lookup_elem(&wakes, &cpu);
	__u64 one = 1;

	if (ring)
		bpf_ringbuf_output(ring, &one, sizeof(one),
				   BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* the last of a record's writes, which its reader waits for */
INLINE void record_commit(struct joined_cpu *of, __u32 cpu,
			  struct joined_record *r, __u64 at, __u32 status)
{
	r->status = status;
	r->lost = of->lost;
	barrier();
	*(volatile __u16 *)&r->lap = JOINED_LAP(at, of->bits);
	if (!((at + 1) & (of->wake - 1)))
		reader_wake(cpu);
}

INLINE void record_lost(struct joined_cpu *of, __u32 events)
{
	__sync_fetch_and_add(&of->lost, events_in(events));
}

/* Writes the events of *io; false: there is no room. */
static __noinline int record_put(struct joined_cpu *of, __u32 cpu,
				 const struct joined_io *io, __u32 status)
{
	struct joined_record *r;
	__u64 at;

	if (!of || !io)
		return 0;
	r = record_reserve(of, &at);
	if (!r) {
		record_lost(of, io->events);
		return 0;
	}
	r->io = *io;
	record_commit(of, cpu, r, at, status);
	return 1;
}

/* --- slots --------------------------------------------------------------- */

INLINE __u32 slot_first(__u64 key)
{
	__u32 low = key;

	/* half a pointer is a number, with which the kernel lets us calculate */
	asm("" : "+w"(low));
	/* bios and requests are aligned, and neighbours in memory */
	return (low >> 5) * 0x9e3779b1 >> (32 - JOINED_SLOT_BITS);
}

/* the slot of a bio or request, or NULL */
INLINE struct joined_slot *slot_find(__u64 key)
{
	__u32 first = slot_first(key);

	for (__u32 i = 0; i < JOINED_PROBES; i++) {
		__u32 index = first + i;
		struct joined_slot *s = bpf_map_lookup_elem(&slots, &index);

		if (s && s->key == key)
			return s;
	}
	return NULL;
}

/* a free slot, which is this key's from now on; NULL: none near */
INLINE struct joined_slot *slot_claim(__u64 key)
{
	__u32 first = slot_first(key);

	for (__u32 i = 0; i < JOINED_PROBES; i++) {
		__u32 index = first + i;
		struct joined_slot *s = bpf_map_lookup_elem(&slots, &index);

		if (s && !s->key &&
		    !__sync_val_compare_and_swap(&s->key, 0, key))
			return s;
	}
	return NULL;
}

/* For the next one: who sees its key sees also that nothing is written. */
INLINE void slot_release(struct joined_slot *s)
{
	*(volatile __u64 *)&s->io.first = 0;
	__sync_lock_test_and_set(&s->key, 0);
}

/* Empties a slot whose events do not go with the next one. */
static __noinline int slot_flush(struct joined_slot *s)
{
	struct joined_cpu *of;
	__u32 cpu;

	if (!s)
		return 0;
	of = cpu_get(&cpu);
	if (of)
		record_put(of, cpu, &s->io, 0);
	slot_release(s);
	return 0;
}

/* --- tasks ---------------------------------------------------------------- */

/* Names this task before its first event in the CPU's ring. */
static __noinline int task_name(struct joined_cpu *of, __u32 cpu, __u32 pid)
{
	struct joined_io io = { .pid = pid, .events = JOINED_NAME };

	bpf_get_current_comm(io.comm, sizeof(io.comm));
	if (of && record_put(of, cpu, &io, 0))
		of->named[pid % JOINED_NAMED] = pid;
	return 0;
}

INLINE __u32 task_number(struct joined_cpu *of, __u32 cpu)
{
	__u32 pid = bpf_get_current_pid_tgid();

	if (of->named[pid % JOINED_NAMED] != pid)
		task_name(of, cpu, pid);
	return pid;
}

/* --- events ---------------------------------------------------------------- */

/* The first event of an I/O, or of what is left of it: all but its time. */
INLINE void io_set(struct joined_io *io, __u64 sector, __u32 bytes, __u32 flags,
		   __u32 pid, __u64 word)
{
	io->sector = sector;
	io->queued = bytes;
	io->bytes = bytes;
	io->flags = flags;
	io->pid = pid;
	io->pair[0] = 0;
	io->pair[1] = 0;
	io->word = word;
}

INLINE __u64 io_word(__u32 events, __u32 device, __u32 cpu)
{
	return events | device << 16 | (__u64)(cpu | cpu << 16) << 32;
}

INLINE void io_begin(struct joined_io *io, const struct event *e, __u32 pid,
		     __u32 cpu)
{
	io_set(io, e->sector, e->bytes, e->flags, pid,
	       io_word(e->events, e->device, cpu));
}

/* An event alone. */
static __noinline int event_put(const struct event *e)
{
	struct joined_cpu *of;
	struct joined_io io;
	__u32 cpu;

	if (!e)
		return 0;
	of = cpu_get(&cpu);
	if (!of)
		return 0;
	io_begin(&io, e, task_number(of, cpu), cpu);
	io.first = e->time;
	record_put(of, cpu, &io, e->status);
	return 0;
}

/* Into a slot, or where none is free a record. */
INLINE void event_begin(struct joined_cpu *of, __u32 cpu,
			const struct event *e)
{
	__u32 pid = task_number(of, cpu);
	struct joined_slot *s = slot_claim(e->key);

	if (s) {
		io_begin(&s->io, e, pid, cpu);
		barrier();
		*(volatile __u64 *)&s->io.first = e->time;
	} else {
		event_put(e);
	}
}

/* whether the event can be beside those of the slot */
INLINE bool event_fits(const struct joined_slot *s, const struct event *e)
{
	return s->io.events < e->events && s->io.sector == e->sector &&
		!((s->io.flags ^ e->flags) & FLAGS_SEEN) &&
		!((e->time - s->io.first) >> 32) &&
		(s->io.events < JOINED_INSERT || s->io.bytes == e->bytes);
}

/* Writes the events of the slot with the last one for now. */
INLINE void slot_end(struct joined_cpu *of, __u32 cpu, struct joined_slot *s,
		     __u32 events, __u64 after, __u32 bytes, __u32 status)
{
	struct joined_record *r;
	__u64 at;

	r = record_reserve(of, &at);
	if (!r) {
		record_lost(of, s->io.events | events);
		slot_release(s);
		return;
	}
	r->io.first = s->io.first;
	r->io.sector = s->io.sector;
	r->io.queued = s->io.queued;
	r->io.bytes = bytes;
	r->io.flags = s->io.flags;
	r->io.pid = s->io.pid;
	r->io.pair[0] = s->io.pair[0];
	r->io.pair[1] = s->io.pair[1] | after << 32;
	r->io.word = s->io.word | events;
	slot_release(s);
	record_commit(of, cpu, r, at, status);
}

/* The last event of an I/O for now, whether the others are in a slot or not. */
static __noinline int event_end(const struct event *e)
{
	struct joined_slot *s;
	struct joined_cpu *of;
	__u32 cpu;

	if (!e)
		return 0;
	of = cpu_get(&cpu);
	if (!of)
		return 0;
	s = slot_find(e->key);
	if (s && event_fits(s, e)) {
		slot_end(of, cpu, s, e->events, e->time - s->io.first, e->bytes,
			 e->status);
		return 0;
	}
	if (s)
		slot_flush(s);
	event_put(e);
	return 0;
}

/* --- of bios ---------------------------------------------------------------- */

INLINE void bio_event(struct event *e, struct bio *bio, __u32 events)
{
	e->key = (__u64)bio;
	e->sector = bio->bi_iter.bi_sector;
	e->bytes = bio->bi_iter.bi_size;
	e->flags = bio->bi_opf;
	e->events = events;
	e->status = 0;
	e->device = 0;
}

/* whether it is wanted */
INLINE bool bio_device(struct joined_cpu *of, struct bio *bio, struct event *e)
{
	int device = queue_device(of, bio->bi_bdev->bd_queue, e->sector);

	e->device = device;
	return device >= 0;
}

/* where there is no slot for it */
static __noinline int queue_alone(struct bio *bio, __u32 device)
{
	struct event e;

	if (!bio)
		return 0;
	bio_event(&e, bio, JOINED_QUEUE);
	e.device = device;
	e.time = bpf_ktime_get_ns();
	event_put(&e);
	return 0;
}

INLINE void bio_queued(struct bio *bio)
{
	__u64 sector = bio->bi_iter.bi_sector;
	struct joined_slot *s;
	struct joined_cpu *of;
	__u32 cpu, pid;
	int device;

	of = cpu_get(&cpu);
	if (!of)
		return;
	device = queue_device(of, bio->bi_bdev->bd_queue, sector);
	if (device < 0)
		return;
	pid = task_number(of, cpu);
	s = slot_claim((__u64)bio);
	if (!s) {
		queue_alone(bio, device);
		return;
	}
	io_set(&s->io, sector, bio->bi_iter.bi_size, bio->bi_opf, pid,
	       io_word(JOINED_QUEUE, device, cpu));
	barrier();
	*(volatile __u64 *)&s->io.first = bpf_ktime_get_ns();
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(joined_queue, struct bio *bio)
{
	bio_queued(bio);
	return 0;
}

/* where the slot does not have it */
static __noinline int getrq_late(struct bio *bio, __u64 time)
{
	struct joined_slot *s;
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	if (!bio)
		return 0;
	of = cpu_get(&cpu);
	bio_event(&e, bio, JOINED_GETRQ);
	if (!of || !bio_device(of, bio, &e))
		return 0;
	e.time = time;
	s = slot_find(e.key);
	if (s)
		slot_flush(s);
	event_begin(of, cpu, &e);
	return 0;
}

INLINE void bio_got_request(struct bio *bio)
{
	struct joined_slot *s = slot_find((__u64)bio);
	__u64 time = bpf_ktime_get_ns(), after;

	if (s) {
		after = time - s->io.first;
		if (s->io.events == JOINED_QUEUE && !(after >> 32) &&
		    s->io.sector == bio->bi_iter.bi_sector &&
		    s->io.cpu == bpf_get_smp_processor_id()) {
			s->io.times.getrq = after;
			s->io.events = JOINED_QUEUE | JOINED_GETRQ;
			return;
		}
	}
	getrq_late(bio, time);
}

SEC("tp_btf/block_getrq")
int BPF_PROG(joined_getrq, struct bio *bio)
{
	bio_got_request(bio);
	return 0;
}

INLINE int bio_ends(struct bio *bio, __u32 events, __u16 status)
{
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	of = cpu_get(&cpu);
	bio_event(&e, bio, events);
	if (!of || !bio_device(of, bio, &e))
		return 0;
	e.status = status;
	e.time = bpf_ktime_get_ns();
	event_end(&e);
	return 0;
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(joined_backmerge, struct bio *bio)
{
	return bio_ends(bio, JOINED_BACKMERGE, 0);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(joined_frontmerge, struct bio *bio)
{
	return bio_ends(bio, JOINED_FRONTMERGE, 0);
}

SEC("tp_btf/block_bio_complete")
int BPF_PROG(joined_bio_complete, struct request_queue *q, struct bio *bio)
{
	return bio_ends(bio, JOINED_BIO_COMPLETE, bio->bi_status);
}

/* An event with another place as well: alone in its record. */
static __noinline int event_put_origin(const struct event *e, __u32 from,
				       __u32 to, __u64 sector)
{
	struct joined_cpu *of;
	struct joined_io io;
	__u32 cpu;

	if (!e)
		return 0;
	of = cpu_get(&cpu);
	if (!of)
		return 0;
	io_begin(&io, e, task_number(of, cpu), cpu);
	io.first = e->time;
	io.origin.from = from;
	io.origin.to = to;
	io.origin.sector = sector;
	record_put(of, cpu, &io, e->status);
	return 0;
}

SEC("tp_btf/block_split")
int BPF_PROG(joined_split, struct bio *bio, unsigned int sector)
{
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	of = cpu_get(&cpu);
	bio_event(&e, bio, JOINED_SPLIT);
	if (!of || !bio_device(of, bio, &e))
		return 0;
	e.status = bio->bi_status;
	e.time = bpf_ktime_get_ns();
	event_put_origin(&e, 0, 0, sector);
	return 0;
}

SEC("tp_btf/block_bio_remap")
int BPF_PROG(joined_remap, struct bio *bio, __u32 from, __u64 sector)
{
	struct joined_slot *s = slot_find((__u64)bio);
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	/* whose it was until now need not be who has it now */
	if (s)
		slot_flush(s);
	of = cpu_get(&cpu);
	bio_event(&e, bio, JOINED_REMAP);
	if (!of || !bio_device(of, bio, &e))
		return 0;
	e.status = bio->bi_status;
	e.time = bpf_ktime_get_ns();
	event_put_origin(&e, from, bio->bi_bdev->bd_dev, sector);
	return 0;
}

/* --- of requests ------------------------------------------------------------- */

/* A request is known by its first bio, and by itself without one; commands that
 * pass through have no sector. */
INLINE void request_event(struct event *e, struct request *rq, __u32 events)
{
	__u64 bio = (__u64)rq->bio;
	__u32 op;

	e->key = bio ? bio : (__u64)rq;
	e->sector = rq->__sector;
	e->bytes = rq->__data_len;
	e->flags = rq->cmd_flags;
	e->events = events;
	e->status = 0;
	e->device = 0;
	op = e->flags & OP_MASK;
	if (e->sector == (__u64)-1 || op == OP_DRV_IN || op == OP_DRV_OUT)
		e->sector = 0;
}

INLINE bool request_device(struct joined_cpu *of, struct request *rq,
			   struct event *e)
{
	int device = queue_device(of, rq->q, e->sector);

	e->device = device;
	return device >= 0;
}

/* A bio merged in front of others is the first now: they have the slot. */
static __noinline int slots_below_flush(struct bio *bio)
{
	for (int i = 0; i < BELOW; i++) {
		struct joined_slot *s;

		if (!bio)
			break;
		bio = bio->bi_next;
		s = slot_find((__u64)bio);
		if (bio && s)
			slot_flush(s);
	}
	return 0;
}

/* An event that its request's slot does not have, and which ends no I/O. */
static __noinline int request_late(struct request *rq, __u32 events, __u64 time)
{
	struct joined_slot *s;
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	if (!rq)
		return 0;
	of = cpu_get(&cpu);
	request_event(&e, rq, events);
	if (!of || !request_device(of, rq, &e))
		return 0;
	e.time = time;
	s = slot_find(e.key);
	if (s)
		slot_flush(s);
	else
		slots_below_flush(rq->bio);
	event_begin(of, cpu, &e);
	return 0;
}

/* Whether the request's event may be in the slot: `after` is ns then. */
INLINE bool request_fits(const struct joined_slot *s, struct request *rq,
			 __u32 events, __u64 time, __u32 bytes, __u64 *after)
{
	*after = time - s->io.first;
	return s->io.events < events && s->io.sector == rq->__sector &&
		!((s->io.flags ^ rq->cmd_flags) & FLAGS_SEEN) &&
		!(*after >> 32) &&
		(s->io.events < JOINED_INSERT || s->io.bytes == bytes);
}

INLINE struct joined_slot *request_slot(struct request *rq)
{
	__u64 bio = (__u64)rq->bio;

	return slot_find(bio ? bio : (__u64)rq);
}

INLINE void request_inserted(struct request *rq)
{
	struct joined_slot *s = request_slot(rq);
	__u64 time = bpf_ktime_get_ns(), after;
	__u32 bytes = rq->__data_len;

	if (s && request_fits(s, rq, JOINED_INSERT, time, bytes, &after) &&
	    s->io.cpu == bpf_get_smp_processor_id()) {
		s->io.times.insert = after;
		s->io.bytes = bytes;
		s->io.events |= JOINED_INSERT;
	} else {
		request_late(rq, JOINED_INSERT, time);
	}
}

SEC("tp_btf/block_rq_insert")
int BPF_PROG(joined_insert, struct request *rq)
{
	request_inserted(rq);
	return 0;
}

INLINE void request_issue(struct request *rq)
{
	struct joined_slot *s = request_slot(rq);
	__u64 time = bpf_ktime_get_ns(), after;
	__u32 bytes = rq->__data_len;

	if (s && request_fits(s, rq, JOINED_ISSUE, time, bytes, &after)) {
		s->io.times.issue = after;
		s->io.bytes = bytes;
		s->io.issue_cpu = bpf_get_smp_processor_id();
		s->io.events |= JOINED_ISSUE;
	} else {
		request_late(rq, JOINED_ISSUE, time);
	}
}

/* Where issue is the first event: there is no earlier one to be found. */
INLINE void request_only_issue(struct request *rq)
{
	__u64 sector = rq->__sector, bio = (__u64)rq->bio;
	__u32 flags = rq->cmd_flags, cpu, pid;
	struct joined_slot *s;
	struct joined_cpu *of;
	int device;

	of = cpu_get(&cpu);
	if (!of)
		return;
	if (sector == (__u64)-1 || (flags & OP_MASK) >= OP_DRV_IN) {
		request_late(rq, JOINED_ISSUE, bpf_ktime_get_ns());
		return;
	}
	device = queue_device(of, rq->q, sector);
	if (device < 0)
		return;
	pid = task_number(of, cpu);
	s = slot_claim(bio ? bio : (__u64)rq);
	if (!s) {
		request_late(rq, JOINED_ISSUE, bpf_ktime_get_ns());
		return;
	}
	io_set(&s->io, sector, rq->__data_len, flags, pid,
	       io_word(JOINED_ISSUE, device, cpu));
	barrier();
	*(volatile __u64 *)&s->io.first = bpf_ktime_get_ns();
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(joined_issue, struct request *rq)
{
	volatile __u32 *busy = busy_start(BUSY_ISSUE);

	request_issue(rq);
	busy_stop(busy);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(joined_only_issue, struct request *rq)
{
	volatile __u32 *busy = busy_start(BUSY_ISSUE);

	request_only_issue(rq);
	busy_stop(busy);
	return 0;
}

/* of both: an event in a slot is found, and one without a slot gets one */
SEC("tp_btf/block_rq_issue")
int BPF_PROG(second_issue, struct request *rq)
{
	if (second_must(BUSY_ISSUE))
		request_issue(rq);
	return 0;
}

static __noinline int request_end_late(struct request *rq, __u32 events,
				       __u32 status, __u32 bytes, __u64 time)
{
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	if (!rq)
		return 0;
	of = cpu_get(&cpu);
	request_event(&e, rq, events);
	if (!of || !request_device(of, rq, &e))
		return 0;
	e.bytes = bytes;
	e.status = status;
	e.time = time;
	event_end(&e);
	return 0;
}

INLINE void request_end(struct request *rq, __u32 events, __u32 status,
			__u32 bytes)
{
	struct joined_slot *s = request_slot(rq);
	__u64 time = bpf_ktime_get_ns(), after;
	struct joined_cpu *of;
	__u32 cpu;

	of = cpu_get(&cpu);
	if (of && s && request_fits(s, rq, events, time, bytes, &after))
		slot_end(of, cpu, s, events, after, bytes, status);
	else
		request_end_late(rq, events, status, bytes, time);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(joined_complete, struct request *rq, __u8 status,
	     unsigned int bytes)
{
	volatile __u32 *busy = busy_start(BUSY_COMPLETE);

	request_end(rq, JOINED_COMPLETE, status, bytes);
	busy_stop(busy);
	return 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(second_complete, struct request *rq, __u8 status,
	     unsigned int bytes)
{
	if (second_must(BUSY_COMPLETE))
		request_end(rq, JOINED_COMPLETE, status, bytes);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int BPF_PROG(joined_requeue, struct request *rq)
{
	request_end_late(rq, JOINED_REQUEUE, 0, rq->__data_len,
			 bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(joined_merge, struct request *rq)
{
	request_end_late(rq, JOINED_RQ_MERGE, 0, rq->__data_len,
			 bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/block_rq_remap")
int BPF_PROG(joined_rq_remap, struct request *rq, __u32 from, __u64 sector)
{
	struct joined_cpu *of;
	struct event e;
	__u32 cpu;

	of = cpu_get(&cpu);
	request_event(&e, rq, JOINED_RQ_REMAP);
	if (!of || !request_device(of, rq, &e))
		return 0;
	e.time = bpf_ktime_get_ns();
	event_put_origin(&e, from, disk_number(rq->q->disk), sector);
	return 0;
}

/* the kernel has functions that only programs under the GPL may call */
char licence[] SEC("license") = "Dual BSD/GPL";
