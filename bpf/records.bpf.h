/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block layer's events as the records that blktrace gets from the kernel:
 * the same tracepoints, words and fields.  Either of some devices, all files
 * included, or of the watched files.  Numbering them and naming processes is
 * left to the reader.
 */
#ifndef CAPTURE_BPF_RECORDS_H
#define CAPTURE_BPF_RECORDS_H

#include "blktrace.h"
#include "bpf/bios.bpf.h"
#include "bpf/lines.bpf.h"
#include "bpf/owner.bpf.h"

enum {
	OP_DRV_IN = 34,		/* commands that pass through */
	OP_DRV_OUT = 35,
	FLAG_SYNC = 1 << 11,
	FLAG_META = 1 << 12,
	FLAG_FUA = 1 << 17,
	FLAG_PREFLUSH = 1 << 18,
	FLAG_AHEAD = 1 << 19,
	OP_DISCARD = 3,
	OP_SECURE_ERASE = 5,
	OP_FLUSH = 2,
};

/* what a record will hold, before it is known whether it is wanted */
struct draft {
	__u64 sector;
	__u32 bytes, flags, action, disk;
	__u16 status;		/* the block layer's; the reader knows errno */
	__u16 pdu_len;
	__u64 pdu[2];
};

#define QUEUED(action) ((action) | BLK_TC_ACT(BLK_TC_QUEUE))

/* --- any record -------------------------------------------------------- */

INLINE __u32 category_if(__u32 flags, __u32 flag, int category)
{
	return flags & flag ? BLK_TC_ACT(category) : 0;
}

INLINE __u32 action_word(const struct draft *d)
{
	__u32 op = d->flags & OP_MASK, word = d->action;

	word |= op & 1 ? BLK_TC_ACT(BLK_TC_WRITE) : BLK_TC_ACT(BLK_TC_READ);
	word |= category_if(d->flags, FLAG_SYNC, BLK_TC_SYNC);
	word |= category_if(d->flags, FLAG_META, BLK_TC_META);
	word |= category_if(d->flags, FLAG_FUA, BLK_TC_FUA);
	word |= category_if(d->flags, FLAG_PREFLUSH, BLK_TC_FLUSH);
	word |= category_if(d->flags, FLAG_AHEAD, BLK_TC_AHEAD);
	if (op == OP_DISCARD || op == OP_SECURE_ERASE)
		word |= BLK_TC_ACT(BLK_TC_DISCARD);
	if (op == OP_FLUSH)
		word |= BLK_TC_ACT(BLK_TC_FLUSH);
	return word;
}

/* Whether the device is traced, and how its records are to call it. */
INLINE bool device_wanted(const struct bpf_config *c, const struct draft *d,
			  __u32 *number)
{
	struct bpf_device *device;

	*number = d->disk;
	if (!c->all)
		return true;
	device = bpf_map_lookup_elem(&devices, &d->disk);
	if (!device)
		return false;
	*number = device->number;
	return !d->sector || (d->sector >= device->start &&
			      d->sector <= device->end);
}

/* The time is taken last, when its place among the others is settled. */
INLINE void record_fill(struct bpf_record *r, const struct draft *d,
			__u32 action, __u32 device, __u32 cpu)
{
	r->magic = BLK_MAGIC | BLK_VERSION_7;
	r->sequence = 0;
	r->sector = d->sector;
	r->bytes = d->bytes;
	r->action = action;
	r->pid = (__u32)bpf_get_current_pid_tgid();
	r->device = device;
	r->cpu = cpu;
	r->error = d->status;
	r->pdu_len = d->pdu_len;
	__builtin_memcpy(r->pdu, d->pdu, sizeof(r->pdu));
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	r->time = bpf_ktime_get_ns();
}

/* by the kernel's own rule a record with any wanted category is wanted */
INLINE void record_put(struct bpf_config *c, const struct draft *d)
{
	__u32 cpu = bpf_get_smp_processor_id(), device;
	__u32 action = action_word(d);
	struct bpf_record *r;
	void *ring;

	if (!(c->mask << 16 & action) || !device_wanted(c, d, &device))
		return;
	ring = bpf_map_lookup_elem(&rings, &cpu);
	r = ring ? bpf_ringbuf_reserve(ring, sizeof(*r), 0) : NULL;
	if (!r) {
		lost_add(c);
		return;
	}
	record_fill(r, d, action, device, cpu);
	bpf_ringbuf_submit(r, wake_flags(c, ring));
}

/* --- of bios ----------------------------------------------------------- */

INLINE bool bio_wanted(const struct bpf_config *c, struct bio *bio)
{
	__u32 number;

	return c->all || owner_later(c, bio, &number);
}

INLINE struct draft bio_draft(struct bio *bio, __u32 action)
{
	struct draft d = {
		.sector = BPF_CORE_READ(bio, bi_iter.bi_sector),
		.bytes = BPF_CORE_READ(bio, bi_iter.bi_size),
		.flags = BPF_CORE_READ(bio, bi_opf),
		.status = BPF_CORE_READ(bio, bi_status),
		.action = action,
		.disk = disk_of_bio(bio),
	};

	return d;
}

/* an event of a bio that has been queued before; its status is old */
INLINE void bio_record(struct bio *bio, __u32 action)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !bio_wanted(c, bio))
		return;
	d = bio_draft(bio, action);
	d.status = 0;
	record_put(c, &d);
}

INLINE void queue_record(struct bpf_config *c, struct bio *bio)
{
	struct draft d;
	__u32 number;

	if (!c->all && !owner_at_queue(c, bio, true, &number))
		return;
	d = bio_draft(bio, QUEUED(BLK_TA_QUEUE));
	d.status = 0;
	record_put(c, &d);
}

/* Lines or records: there is no room for a program of each (bpf/state). */
SEC("tp_btf/block_bio_queue")
int BPF_PROG(bio_queue, struct bio *bio)
{
	struct bpf_config *c = config_get();

	if (!c)
		return 0;
	if (c->levels & LEVEL_BIT(LEVEL_BLK))
		bio_line(bio, BPF_CORE_READ(bio, bi_bdev, bd_start_sect));
	if (c->mask)
		queue_record(c, bio);
	return 0;
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(record_backmerge, struct bio *bio)
{
	bio_record(bio, QUEUED(BLK_TA_BACKMERGE));
	return 0;
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(record_frontmerge, struct bio *bio)
{
	bio_record(bio, QUEUED(BLK_TA_FRONTMERGE));
	return 0;
}

SEC("tp_btf/block_bio_complete")
int BPF_PROG(record_bio_complete, struct request_queue *q, struct bio *bio)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !bio_wanted(c, bio))
		return 0;
	d = bio_draft(bio, BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE));
	record_put(c, &d);
	return 0;
}

SEC("tp_btf/block_split")
int BPF_PROG(record_split, struct bio *bio, unsigned int sector)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !bio_wanted(c, bio))
		return 0;
	d = bio_draft(bio, BLK_TA_SPLIT);
	d.pdu_len = 8;
	d.pdu[0] = __builtin_bswap64(sector);
	record_put(c, &d);
	return 0;
}

/* where an I/O came from: device, device and sector in the order of networks */
INLINE void draft_remap(struct draft *d, __u32 from, __u32 to, __u64 sector)
{
	d->action = QUEUED(BLK_TA_REMAP);
	d->pdu_len = 16;
	d->pdu[0] = __builtin_bswap32(from) |
		(__u64)__builtin_bswap32(to) << 32;
	d->pdu[1] = __builtin_bswap64(sector);
}

SEC("tp_btf/block_bio_remap")
int BPF_PROG(record_bio_remap, struct bio *bio, __u32 from, __u64 sector)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c)
		return 0;
	/* this is the first that is heard of the bio: it is not queued yet */
	if (!c->all) {
		__u32 number;

		if (!owner_at_queue(c, bio, true, &number))
			return 0;
	}
	d = bio_draft(bio, 0);
	draft_remap(&d, from, BPF_CORE_READ(bio, bi_bdev, bd_dev), sector);
	record_put(c, &d);
	return 0;
}

/* --- of requests ------------------------------------------------------- */

/* A request belongs to the file of its first bio. */
INLINE bool request_wanted(const struct bpf_config *c, struct request *rq)
{
	struct bio *bio = BPF_CORE_READ(rq, bio);

	return c->all || (bio && bio_wanted(c, bio));
}

INLINE bool request_passes_through(struct request *rq)
{
	__u32 op = BPF_CORE_READ(rq, cmd_flags) & OP_MASK;

	return op == OP_DRV_IN || op == OP_DRV_OUT;
}

/* commands that pass through have no sector, and no filesystem */
INLINE struct draft request_draft(struct request *rq, __u32 action)
{
	bool passes = request_passes_through(rq);
	__u64 sector = BPF_CORE_READ(rq, __sector);
	struct draft d = {
		.sector = passes || sector == (__u64)-1 ? 0 : sector,
		.bytes = BPF_CORE_READ(rq, __data_len),
		.flags = BPF_CORE_READ(rq, cmd_flags),
		.action = action | BLK_TC_ACT(passes ? BLK_TC_PC : BLK_TC_FS),
		.disk = disk_number(BPF_CORE_READ(rq, q, disk)),
	};

	return d;
}

INLINE void request_record(struct request *rq, __u32 action)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !request_wanted(c, rq))
		return;
	d = request_draft(rq, action);
	record_put(c, &d);
}

SEC("tp_btf/block_rq_insert")
int BPF_PROG(record_insert, struct request *rq)
{
	request_record(rq, QUEUED(BLK_TA_INSERT));
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(record_issue, struct request *rq)
{
	busy_set(BUSY_ISSUE, 1);
	request_record(rq, BLK_TA_ISSUE | BLK_TC_ACT(BLK_TC_ISSUE));
	busy_set(BUSY_ISSUE, 0);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(nested_issue, struct request *rq)
{
	if (second_must(BUSY_ISSUE))
		request_record(rq, BLK_TA_ISSUE | BLK_TC_ACT(BLK_TC_ISSUE));
	return 0;
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(record_merge, struct request *rq)
{
	request_record(rq, QUEUED(BLK_TA_BACKMERGE));
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int BPF_PROG(record_requeue, struct request *rq)
{
	request_record(rq, BLK_TA_REQUEUE | BLK_TC_ACT(BLK_TC_REQUEUE));
	return 0;
}

INLINE void request_complete(struct request *rq, __u8 status, __u32 bytes)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !request_wanted(c, rq))
		return;
	d = request_draft(rq, BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE));
	d.bytes = bytes;
	d.status = status;
	record_put(c, &d);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(record_complete, struct request *rq, __u8 status,
	     unsigned int bytes)
{
	busy_set(BUSY_COMPLETE, 1);
	request_complete(rq, status, bytes);
	busy_set(BUSY_COMPLETE, 0);
	return 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(nested_complete, struct request *rq, __u8 status,
	     unsigned int bytes)
{
	if (second_must(BUSY_COMPLETE))
		request_complete(rq, status, bytes);
	return 0;
}

SEC("tp_btf/block_rq_remap")
int BPF_PROG(record_rq_remap, struct request *rq, __u32 from, __u64 sector)
{
	struct bpf_config *c = config_get();
	struct draft d;

	if (!c || !request_wanted(c, rq))
		return 0;
	d = request_draft(rq, 0);
	draft_remap(&d, from, d.disk, sector);
	record_put(c, &d);
	return 0;
}

/* --- of plugs ---------------------------------------------------------- */

/* Remembers the file of this task's request: a plug names none. */
INLINE void plug_note(struct bio *bio, bool ours, __u32 file)
{
	__u64 task = bpf_get_current_pid_tgid();
	struct plug plug = { .file = file }, *known;

	known = bpf_map_lookup_elem(&plugs, &task);
	plug.queue = (__u64)BPF_CORE_READ(bio, bi_bdev, bd_disk, queue);
	if (known && known->recorded && known->queue == plug.queue)
		return;
	if (ours)
		bpf_map_update_elem(&plugs, &task, &plug, BPF_ANY);
	else if (known)
		bpf_map_delete_elem(&plugs, &task);
}

SEC("tp_btf/block_getrq")
int BPF_PROG(record_getrq, struct bio *bio)
{
	struct bpf_config *c = config_get();
	__u32 number = NO_FILE;
	struct draft d;

	if (!c)
		return 0;
	if (!c->all) {
		bool ours = owner_later(c, bio, &number);

		plug_note(bio, ours, number);
		if (!ours)
			return 0;
	}
	d = bio_draft(bio, QUEUED(BLK_TA_GETRQ));
	d.status = 0;
	record_put(c, &d);
	return 0;
}

/* the plug that this task's watched file has begun on the queue, or NULL */
INLINE struct plug *plug_get(struct request_queue *q, __u64 task)
{
	struct plug *plug = bpf_map_lookup_elem(&plugs, &task);

	return plug && plug->queue == (__u64)q ? plug : NULL;
}

SEC("tp_btf/block_plug")
int BPF_PROG(record_plug, struct request_queue *q)
{
	struct bpf_config *c = config_get();
	struct plug *plug = plug_get(q, bpf_get_current_pid_tgid());
	struct draft d = { .action = QUEUED(BLK_TA_PLUG) };

	if (!c || (!c->all && (!plug || plug->recorded)))
		return 0;
	if (plug)
		plug->recorded = 1;
	d.disk = disk_number(BPF_CORE_READ(q, disk));
	record_put(c, &d);
	return 0;
}

SEC("tp_btf/block_unplug")
int BPF_PROG(record_unplug, struct request_queue *q, unsigned int depth,
	     bool explicitly)
{
	struct bpf_config *c = config_get();
	__u64 task = bpf_get_current_pid_tgid();
	struct plug *plug = plug_get(q, task);
	struct draft d = { .pdu_len = 8, .pdu = { __builtin_bswap64(depth) } };

	if (!c || (!c->all && (!plug || !plug->recorded)))
		return 0;
	bpf_map_delete_elem(&plugs, &task);
	d.action = QUEUED(explicitly ? BLK_TA_UNPLUG_IO : BLK_TA_UNPLUG_TIMER);
	d.disk = disk_number(BPF_CORE_READ(q, disk));
	record_put(c, &d);
	return 0;
}

#endif
