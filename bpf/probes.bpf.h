/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of the levels VFS and MAP by probing the functions that a file's own
 * operations name, where the kernel has probes.  Other files cost nothing then.
 * The probes are set on addresses, which the iterator at the end finds.
 */
#ifndef CAPTURE_BPF_PROBES_H
#define CAPTURE_BPF_PROBES_H

#include "bpf/bios.bpf.h"
#include "bpf/calls.bpf.h"

enum {
	KIOCB_APPEND = 1 << 4,	/* of ki_flags */
	KIOCB_DIRECT = 1 << 17,
};

/* An append knows its place only afterwards; a queued kiocb may be gone. */
INLINE __u64 iter_position(const struct bpf_running *r, long result)
{
	struct kiocb *kiocb = (void *)r->buffer;
	struct file *filp = (void *)r->filp;
	bool appends = r->append && r->writes;

	if (appends && result > 0)
		return BPF_CORE_READ(kiocb, ki_pos) - result;
	if (appends)
		return BPF_CORE_READ(filp, f_mapping, host, i_size);
	return r->position;
}

INLINE void function_line(struct bpf_config *c, const struct bpf_running *r,
			  long result)
{
	struct bpf_file *f = file_get(r->file);
	struct bpf_line line = {
		.time = r->time,
		.duration = bpf_ktime_get_ns() - r->time,
		.address = iter_position(r, result),
		.size = r->count,
		.file = r->file,
		.level = LEVEL_VFS,
		.writes = r->writes,
	};

	if (f)
		line_put(c, f, &line);
}

/*
 * Up to 6.4 splice_read may call read_iter for the same file: one I/O, and the
 * line is the outer one's.  Any other call that seems to be under way is over:
 * the kernel can probe only so many returns at a time, and missed this one.
 */
INLINE bool is_inner(struct bpf_config *c, struct file *filp, bool splices)
{
	__u64 task = bpf_get_current_pid_tgid();
	struct bpf_running *r = bpf_map_lookup_elem(&running, &task);

	if (!r || r->kind)
		return false;
	if (r->splices && !splices && !r->inner && r->filp == (__u64)filp) {
		r->inner = 1;
		return true;
	}
	function_line(c, r, 0);
	bpf_map_delete_elem(&running, &task);
	__sync_fetch_and_add(&c->running, -1);
	return false;
}

INLINE void call_begin(struct bpf_running *r, struct file *filp)
{
	struct bpf_config *c = config_get();
	__u64 task = bpf_get_current_pid_tgid();

	if (!c || is_inner(c, filp, r->splices) ||
	    !watch_get(inode_of(filp), &r->file))
		return;
	r->time = bpf_ktime_get_ns();
	r->filp = (__u64)filp;
	r->other_file = NO_FILE;
	if (bpf_map_update_elem(&running, &task, r, BPF_ANY))
		lost_add(c);
	else
		__sync_fetch_and_add(&c->running, 1);
}

INLINE void iter_enter(struct pt_regs *ctx, bool writes)
{
	struct kiocb *kiocb = (void *)function_argument(ctx, 0);
	struct iov_iter *iter = (void *)function_argument(ctx, 1);
	int flags = BPF_CORE_READ(kiocb, ki_flags);
	struct bpf_running r = { .writes = writes };

	r.buffer = (__u64)kiocb;
	r.position = BPF_CORE_READ(kiocb, ki_pos);
	r.count = BPF_CORE_READ(iter, count);
	r.direct = !!(flags & KIOCB_DIRECT);
	r.append = !!(flags & KIOCB_APPEND);
	call_begin(&r, BPF_CORE_READ(kiocb, ki_filp));
}

INLINE void splice_enter(struct pt_regs *ctx)
{
	__u64 position = function_argument(ctx, 1);
	struct bpf_running r = { .splices = 1 };

	r.count = function_argument(ctx, 3);
	bpf_probe_read_kernel(&r.position, sizeof(r.position),
			      (void *)position);
	call_begin(&r, (void *)function_argument(ctx, 0));
}

/*
 * io_uring first tries without waiting, and comes again when that does not do:
 * so an I/O that would have had to wait has not been yet.
 */
SEC("kprobe")
int function_exit(struct pt_regs *ctx)
{
	struct bpf_config *c = config_get();
	__u64 task = bpf_get_current_pid_tgid();
	long result = function_result(ctx);
	struct bpf_running *r;

	if (!c || !c->running)
		return 0;
	r = bpf_map_lookup_elem(&running, &task);
	if (!r || r->kind)
		return 0;
	if (r->inner) {
		r->inner = 0;
		return 0;
	}
	if (call_is_done(result))
		function_line(c, r, result);
	bpf_map_delete_elem(&running, &task);
	__sync_fetch_and_add(&c->running, -1);
	return 0;
}

/* --- faults on mappings ------------------------------------------------ */

INLINE void fault_line(struct inode *inode, __u64 page, __u64 pages)
{
	struct bpf_config *c = config_get();
	struct bpf_line line = {
		.address = page * PAGE_BYTES,
		.size = pages * PAGE_BYTES,
		.level = LEVEL_MAP,
	};
	struct bpf_file *f = watch_get(inode, &line.file);

	if (!c || !f)
		return;
	line.time = bpf_ktime_get_ns();
	line_put(c, f, &line);
}

INLINE void fault_enter(struct pt_regs *ctx)
{
	struct vm_fault *fault = (void *)function_argument(ctx, 0);

	fault_line(inode_of(BPF_CORE_READ(fault, vma, vm_file)),
		   BPF_CORE_READ(fault, pgoff), 1);
}

/* One program for all functions, as there is room for a few only. */
SEC("kprobe")
int function_enter(struct pt_regs *ctx)
{
	switch (bpf_get_attach_cookie(ctx)) {
	case BPF_READ_ITER:
		iter_enter(ctx, false);
		break;
	case BPF_WRITE_ITER:
		iter_enter(ctx, true);
		break;
	case BPF_SPLICE_READ:
		splice_enter(ctx);
		break;
	case BPF_SUBMIT:
		bio_submit(ctx);
		break;
	case BPF_FAULT:
		fault_enter(ctx);
		break;
	}
	return 0;
}

/* mm_filemap_fault, since 6.10: a page that has to be waited for */
SEC("raw_tp/mm_filemap_fault")
int fault_page(struct bpf_raw_tracepoint_args *args)
{
	struct address_space *mapping = (void *)args->args[0];

	fault_line(BPF_CORE_READ(mapping, host), args->args[1], 1);
	return 0;
}

/* mm_filemap_map_pages: some that are there already, from one to another */
SEC("raw_tp/mm_filemap_map_pages")
int fault_pages(struct bpf_raw_tracepoint_args *args)
{
	struct address_space *mapping = (void *)args->args[0];
	__u64 first = args->args[1], last = args->args[2];

	fault_line(BPF_CORE_READ(mapping, host), first, last - first + 1);
	return 0;
}

/* --- what a descriptor stands for -------------------------------------- */

SEC("iter/task_file")
int find_files(struct bpf_iter__task_file *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct file *filp = ctx->file;
	struct bpf_found found = {};
	struct inode *inode;

	if (!filp)
		return 0;
	inode = inode_of(filp);
	found.inode = (__u64)inode;
	key_read(&found.key, inode);
	found.bdev = BPF_CORE_READ(inode, i_sb, s_bdev, bd_dev);
	found.read_iter = (__u64)BPF_CORE_READ(filp, f_op, read_iter);
	found.write_iter = (__u64)BPF_CORE_READ(filp, f_op, write_iter);
	found.splice_read = (__u64)BPF_CORE_READ(filp, f_op, splice_read);
	found.superblock = (__u64)BPF_CORE_READ(inode, i_sb);
	found.root = BPF_CORE_READ(filp, f_path.dentry) ==
		BPF_CORE_READ(inode, i_sb, s_root);
	found.fd = ctx->fd;
	bpf_seq_write(seq, &found, sizeof(found));
	return 0;
}

#endif
