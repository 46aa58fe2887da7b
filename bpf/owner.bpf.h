/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that a bio is for.  A bio does not name one; these are the ways to
 * it, the surest first.
 */
#ifndef CAPTURE_BPF_OWNER_H
#define CAPTURE_BPF_OWNER_H

#include "bpf/trees.bpf.h"

enum {
	OP_MASK = 0xff,		/* of bi_opf and cmd_flags */
	OP_READ = 0,
	OP_WRITE = 1,
	OP_META = 1 << 12,
	CHAIN_MAX = 4,
	MAPPING_FLAGS = 3,	/* anonymous and other pages have them set */
};

/* functions of the kernel that mark its own bios */
extern const void iomap_dio_bio_end_io __ksym __weak;
extern const void bio_chain_endio __ksym __weak;

/* A part that was split off names no file, but the whole bio behind it. */
INLINE struct bio *bio_whole(struct bio *bio)
{
	for (int i = 0; i < CHAIN_MAX; i++) {
		if (BPF_CORE_READ(bio, bi_end_io) != &bio_chain_endio)
			break;
		bio = BPF_CORE_READ(bio, bi_private);
	}
	return bio;
}

/*
 * The first page of several that belong together; the others do not know
 * their file.  Bit 0 says that this is one of those others.  The rest was the
 * head's address until 7.0; since then it may also be a mask that makes the
 * head's address out of this one's, which no address of a page looks like.
 */
INLINE struct page *page_head(struct page *page)
{
	struct page___info *other = (void *)page;
	__u64 info = 0;

	if (bpf_core_field_exists(page->compound_head))
		info = BPF_CORE_READ(page, compound_head);
	else if (bpf_core_field_exists(other->compound_info))
		info = BPF_CORE_READ(other, compound_info);
	if (!(info & 1))
		return page;
	if (info >> 32 == 0xffffffff)
		return (void *)((__u64)page & info);
	return (void *)(info - 1);
}

/* Other bios carry none, even if their fields point somewhere. */
INLINE bool bio_has_data(struct bio *bio)
{
	__u32 op = BPF_CORE_READ(bio, bi_opf) & OP_MASK;

	return (op == OP_READ || op == OP_WRITE) &&
		BPF_CORE_READ(bio, bi_iter.bi_size);
}

/* A clone starts behind the pages that others have taken: so not page 0. */
INLINE struct inode *inode_of_page(struct bio *bio)
{
	struct bio_vec *vec = BPF_CORE_READ(bio, bi_io_vec);
	struct page *page = NULL;
	__u64 mapping;

	if (!vec)
		return NULL;
	vec += BPF_CORE_READ(bio, bi_iter.bi_idx);
	page = BPF_CORE_READ(vec, bv_page);
	if (!page)
		return NULL;
	mapping = (__u64)BPF_CORE_READ(page_head(page), mapping);
	if (!mapping || mapping & MAPPING_FLAGS)
		return NULL;
	return BPF_CORE_READ((struct address_space *)mapping, host);
}

/*
 * Direct I/O comes first: its pages are the user's, and these may well be a
 * mapping of another file.
 */
INLINE struct inode *inode_of_bio(struct bio *bio)
{
	struct iomap_dio *dio;

	if (!bio_has_data(bio))
		return NULL;
	if (BPF_CORE_READ(bio, bi_end_io) != &iomap_dio_bio_end_io)
		return inode_of_page(bio);
	dio = BPF_CORE_READ(bio, bi_private);
	return inode_of(BPF_CORE_READ(dio, iocb, ki_filp));
}

/*
 * When nothing in the bio leads to a file: the call that this task is inside.
 * Data is the call's only if that is direct, as else a read may just as well be
 * one of the filesystem's own.  A bio without data is caused by fsync and the
 * like.
 */
INLINE struct bpf_file *owner_by_call(struct bio *bio, __u32 *number)
{
	__u64 task = bpf_get_current_pid_tgid();
	struct bpf_running *r = bpf_map_lookup_elem(&running, &task);
	__u32 meta = BPF_CORE_READ(bio, bi_opf) & OP_META;

	if (!r || r->file == NO_FILE)
		return NULL;
	if (bio_has_data(bio) && (!r->direct || meta))
		return NULL;
	*number = r->file;
	return file_get(r->file);
}

INLINE struct bpf_file *owner_known(struct bio *bio, __u32 *number)
{
	__u64 key = (__u64)bio;
	__u32 *known = bpf_map_lookup_elem(&bios, &key);

	if (!known)
		return NULL;
	*number = *known;
	return file_get(*known);
}

INLINE __u32 disk_number(struct gendisk *disk)
{
	return (__u32)BPF_CORE_READ(disk, major) << 20 |
		BPF_CORE_READ(disk, first_minor);
}

INLINE __u32 disk_of_bio(struct bio *bio)
{
	return disk_number(BPF_CORE_READ(bio, bi_bdev, bd_disk));
}

/* Devices below the filesystem's see the same data once more. */
INLINE bool owner_wants(const struct bpf_config *c, const struct bpf_file *f,
			struct bio *bio)
{
	if (c->lower || !f->bdev)
		return true;
	return BPF_CORE_READ(bio, bi_bdev, bd_dev) == f->bdev;
}

/*
 * The watched file of a bio that is just being submitted, or NULL.  If
 * `remember`, a file that cannot be found later is remembered.
 */
INLINE struct bpf_file *owner_at_queue(const struct bpf_config *c,
				       struct bio *bio, bool remember,
				       __u32 *number)
{
	struct bpf_file *f = watch_get(inode_of_bio(bio), number);
	__u64 key = (__u64)bio;

	if (!f) {
		f = c->running ? owner_by_call(bio, number) : NULL;
		if (f && remember)
			bpf_map_update_elem(&bios, &key, number, BPF_ANY);
		else if (remember)
			bpf_map_delete_elem(&bios, &key);
	}
	return f && owner_wants(c, f, bio) ? f : NULL;
}

/* The same for a bio that has been queued before, in any task. */
INLINE struct bpf_file *owner_later(const struct bpf_config *c,
				    struct bio *bio, __u32 *number)
{
	struct bio *whole = bio_whole(bio);
	struct bpf_file *f = watch_get(inode_of_bio(whole), number);

	if (!f)
		f = owner_known(whole, number);
	return f && owner_wants(c, f, bio) ? f : NULL;
}

#endif
