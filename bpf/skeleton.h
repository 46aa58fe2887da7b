/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that the generated programs.lskel needs: they run its program
 * that loads the others, and attach these.  Names and layouts are the
 * generator's (bpftool gen skeleton -L).
 */
#ifndef BPF_SKELETON_H
#define BPF_SKELETON_H

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/syscall.h"

/* the loader finds maps here, and leaves their descriptors */
struct bpf_map_desc {
	int map_fd;
	__u32 max_entries;	/* 0: as declared */
	__aligned_u64 initial_value;
};

struct bpf_prog_desc {
	int prog_fd;
};

struct bpf_loader_ctx {
	__u32 sz;
	__u32 flags;
	__u32 log_level;
	__u32 log_size;
	__u64 log_buf;
};

struct bpf_load_and_run_opts {
	struct bpf_loader_ctx *ctx;
	const void *data;
	const void *insns;
	__u32 data_sz;
	__u32 insns_sz;
	const char *errstr;	/* the failed step */
};

static inline void *skel_alloc(size_t size)
{
	return calloc(1, size);
}

static inline void skel_free(void *p)
{
	free(p);
}

/* 0: never opened */
static inline void skel_closenz(int fd)
{
	if (fd > 0)
		close(fd);
}

static inline int skel_raw_tracepoint_open(const char *name, int prog)
{
	return bpf_tracepoint_open(prog, name);
}

static inline int skel_link_create(int prog, int target,
				   enum bpf_attach_type type)
{
	return bpf_link_new(prog, target, type);
}

/* a map of one entry that holds the loader's data */
static inline int skel_data(const struct bpf_load_and_run_opts *o)
{
	const __u32 zero = 0;
	int fd = bpf_map_new(BPF_MAP_TYPE_ARRAY, sizeof(zero), o->data_sz, 1,
			     0);
	int err = fd < 0 ? fd : bpf_map_set(fd, &zero, o->data);

	if (fd >= 0 && err)
		close(fd);
	return err ? err : fd;
}

static inline int skel_loader(const struct bpf_load_and_run_opts *o, int data)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SYSCALL,
		.insns = (uintptr_t)o->insns,
		.insn_cnt = o->insns_sz / (__u32)sizeof(struct bpf_insn),
		.license = (uintptr_t)"Dual BSD/GPL",
		.prog_name = "loader",
		.fd_array = (uintptr_t)&data,
		.prog_flags = BPF_F_SLEEPABLE,
	};

	return bpf_call(BPF_PROG_LOAD, &attr, sizeof(attr));
}

static inline int skel_run(const struct bpf_load_and_run_opts *o, int loader)
{
	union bpf_attr attr = {
		.test = {
			.prog_fd = (__u32)loader,
			.ctx_in = (uintptr_t)o->ctx,
			.ctx_size_in = o->ctx->sz,
		},
	};
	int err = bpf_call(BPF_PROG_RUN, &attr, sizeof(attr));

	return err < 0 ? err : (int)attr.test.retval;
}

/* 0, or -errno and the failed step in errstr */
static inline int bpf_load_and_run(struct bpf_load_and_run_opts *o)
{
	int data = skel_data(o), loader, err;

	o->errstr = "the loader's data";
	if (data < 0)
		return data;
	o->errstr = "the loader";
	loader = skel_loader(o, data);
	close(data);
	if (loader < 0)
		return loader;
	o->errstr = "the programs";
	err = skel_run(o, loader);
	close(loader);
	return err;
}

#endif
