/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types as far as the programs look into them.  Offsets are not
 * taken from here: the kernel that loads the programs puts its own in.  Names
 * behind three underscores are other shapes of one type, of which the kernel
 * at hand has one.
 */
#ifndef CAPTURE_BPF_KERNEL_H
#define CAPTURE_BPF_KERNEL_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/* or bpf_tracing.h wants the registers' names for user space */
#define __VMLINUX_H__
struct pt_regs;

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

/* --- files ------------------------------------------------------------- */

struct block_device;

struct uuid {
	__u8 b[16];
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct inode;

struct qstr {
	__u64 hash_len;
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct dentry___flat {
	struct hlist_node d_alias;	/* without a name of the union: 7.2 */
};

struct path {
	struct dentry *dentry;
};

struct super_block {
	struct dentry *s_root;
	__u32 s_dev;
	struct block_device *s_bdev;
	struct uuid s_uuid;
};

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
	__u16 i_mode;
	__u32 i_generation;
	struct hlist_head i_dentry;
	long long i_size;
};

struct address_space {
	struct inode *host;
};

struct file_operations {
	void *read_iter, *write_iter, *splice_read;
};

struct file {
	struct address_space *f_mapping;
	const struct file_operations *f_op;
	struct path f_path;
	unsigned int f_flags;
	long long f_pos;
};

struct kiocb {
	struct file *ki_filp;
	long long ki_pos;
	int ki_flags;
};

struct iov_iter {
	unsigned long count;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct task_struct {
	unsigned int flags;
	struct files_struct *files;
};

struct vm_area_struct {
	unsigned long vm_start, vm_pgoff;
	struct file *vm_file;
};

struct vm_fault {
	struct vm_area_struct *vma;
	unsigned long pgoff;
};

/* --- pages ------------------------------------------------------------- */

struct page {
	unsigned long compound_head;	/* until 7.0 */
	struct address_space *mapping;
};

struct page___info {
	unsigned long compound_info;	/* since then */
};

/* --- bios and requests ------------------------------------------------- */

struct request_queue;

struct gendisk {
	int major, first_minor;
	struct request_queue *queue;
};

struct block_device {
	__u64 bd_start_sect;
	struct gendisk *bd_disk;
	struct request_queue *bd_queue;
	__u32 bd_dev;
};

struct request_queue {
	struct gendisk *disk;
};

struct bio_vec {
	struct page *bv_page;
};

struct bvec_iter {
	__u64 bi_sector;
	unsigned int bi_size, bi_idx;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	__u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_end_io;
	void *bi_private;
	struct bio_vec *bi_io_vec;
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
};

struct iomap_dio {
	struct kiocb *iocb;
};

/* --- io_uring ---------------------------------------------------------- */

struct io_cqe {
	int fd;
};

struct io_fixed_file {
	unsigned long file_ptr;
};

struct io_rsrc_node {
	unsigned long file_ptr;
};

struct io_rsrc_data {
	unsigned int nr;
	struct io_rsrc_node **nodes;
};

struct io_file_table {
	struct io_fixed_file *files;	/* until 6.12 */
};

struct io_file_table___data {
	struct io_rsrc_data data;	/* since then */
};

struct io_ring_ctx {
	struct io_file_table file_table;
};

struct io_ring_ctx___data {
	struct io_file_table___data file_table;
};

struct io_kiocb {
	__u8 opcode;
	struct io_cqe cqe;
	struct io_ring_ctx *ctx;
};

struct io_kiocb___int {
	unsigned int flags;		/* until 6.8 */
};

struct io_sync {
	int flags;
};

struct io_rw {
	struct kiocb kiocb;
	__u64 addr;
	__u32 len;
};

/* --- iterators and registers ------------------------------------------- */

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task_file {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};

struct pt_regs___x86 {
	unsigned long di, si, dx, cx, r10, r8, r9, ax, cs;
};

struct pt_regs___arm64 {
	unsigned long regs[31];
};

#pragma clang attribute pop

#endif
