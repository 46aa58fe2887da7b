/*
 * Lines of the level BLK: a bio with data, when it is submitted.  Partitions
 * have been resolved by then, but the bio still names the partition.
 */
#ifndef CAPTURE_BPF_BIOS_H
#define CAPTURE_BPF_BIOS_H

#include "capture/bpf/lines.bpf.h"
#include "capture/bpf/owner.bpf.h"

SEC("tp_btf/block_bio_queue")
int STILL_PROG(line_bio_queue, struct bio *bio)
{
	struct bpf_config *c = config_get();
	struct bpf_line line = { .level = LEVEL_BLK };
	struct bpf_file *f;

	if (!c || !bio_has_data(bio))
		return 0;
	line.time = bpf_ktime_get_ns();
	f = owner_at_queue(c, bio, false, &line.file);
	if (!f)
		return 0;
	line.sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	line.address = line.sector -
		BPF_CORE_READ(bio, bi_bdev, bd_start_sect);
	line.size = BPF_CORE_READ(bio, bi_iter.bi_size);
	line.flags = BPF_CORE_READ(bio, bi_opf);
	line.writes = line.flags & 1;
	line.disk = disk_of_bio(bio);
	line_put(c, f, &line);
	return 0;
}

#endif
