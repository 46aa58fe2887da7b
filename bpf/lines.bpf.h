/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines on their way out: to the ring of this CPU, or to the log of the file,
 * where the newest take the places of the oldest.
 */
#ifndef CAPTURE_BPF_LINES_H
#define CAPTURE_BPF_LINES_H

#include "bpf/state.bpf.h"

INLINE void lost_add(struct bpf_config *c)
{
	__sync_fetch_and_add(&c->lost, 1);
}

/* Waking the reader for every line would cost more than the line. */
INLINE __u64 wake_flags(const struct bpf_config *c, void *ring)
{
	return bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) >= c->wake ?
		BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

INLINE void line_to_ring(struct bpf_config *c, struct bpf_line *line)
{
	__u32 cpu = bpf_get_smp_processor_id();
	void *ring = bpf_map_lookup_elem(&rings, &cpu);

	if (!ring || bpf_ringbuf_output(ring, line, sizeof(*line),
					wake_flags(c, ring)))
		lost_add(c);
}

/* The order is written last: until then readers see that it is not whole. */
INLINE void line_to_log(struct bpf_config *c, struct bpf_file *f,
			struct bpf_line *line)
{
	__u32 number = line->file, at;
	void *log = bpf_map_lookup_elem(&logs, &number);
	struct bpf_line *place;
	__u64 order;

	if (!log || !f->room)
		return;
	order = __sync_fetch_and_add(&f->logged, 1);
	at = order % f->room;
	place = bpf_map_lookup_elem(log, &at);
	if (!place)
		return;
	place->order = 0;
	barrier();
	*place = *line;
	barrier();
	place->order = order + 1;
}

/* whether lines of the file and level are wanted */
INLINE bool line_wanted(const struct bpf_config *c, const struct bpf_file *f,
			const struct bpf_line *line)
{
	return !f->stopped && c->levels & LEVEL_BIT(line->level);
}

/* a line with its task */
INLINE void line_send(struct bpf_config *c, struct bpf_file *f,
		      struct bpf_line *line)
{
	if (c->to_logs)
		line_to_log(c, f, line);
	else
		line_to_ring(c, line);
}

/* a line whose level, file and numbers are there: the task is this one */
INLINE void line_put(struct bpf_config *c, struct bpf_file *f,
		     struct bpf_line *line)
{
	__u64 task = bpf_get_current_pid_tgid();

	if (!line_wanted(c, f, line))
		return;
	line->tgid = task >> 32;
	line->tid = (__u32)task;
	bpf_get_current_comm(line->comm, sizeof(line->comm));
	line_send(c, f, line);
}

#endif
