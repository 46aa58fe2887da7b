/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of the level BLK: a bio with data, when it is submitted.  At the
 * tracepoint, partitions have been resolved, but the bio still names the
 * partition.
 */
#ifndef CAPTURE_BPF_BIOS_H
#define CAPTURE_BPF_BIOS_H

#include "bpf/lines.bpf.h"
#include "bpf/owner.bpf.h"
#include "bpf/registers.bpf.h"

/* `start` is what has been added to the bio's sector already, or 0 */
INLINE void bio_line(struct bio *bio, __u64 start)
{
	struct bpf_config *c = config_get();
	struct bpf_line line = { .level = LEVEL_BLK };
	struct bpf_file *f;

	if (!c || !bio_has_data(bio))
		return;
	line.time = bpf_ktime_get_ns();
	f = owner_at_queue(c, bio, false, &line.file);
	if (!f)
		return;
	line.address = BPF_CORE_READ(bio, bi_iter.bi_sector) - start;
	line.sector = line.address + BPF_CORE_READ(bio, bi_bdev,
						   bd_start_sect);
	line.size = BPF_CORE_READ(bio, bi_iter.bi_size);
	line.flags = BPF_CORE_READ(bio, bi_opf);
	line.writes = line.flags & 1;
	line.disk = disk_of_bio(bio);
	line_put(c, f, &line);
}

/*
 * At submit_bio_noacct, before partitions are resolved.  From 6.19 on
 * a task may be preempted inside a tracepoint's program, which no other task
 * of the CPU can run meanwhile: what they do is missed.  Not so in a probe's.
 */
INLINE void bio_submit(struct pt_regs *ctx)
{
	bio_line((void *)function_argument(ctx, 0), 0);
}

#endif
