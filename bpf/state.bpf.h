/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps that hold all there is to remember, and the questions that are
 * asked of them.  There are no global variables: what is pinned must have a
 * name, and only maps have.
 */
#ifndef CAPTURE_BPF_STATE_H
#define CAPTURE_BPF_STATE_H

#include "bpf/kernel.bpf.h"
#include "bpf/layout.h"

enum {
	RUNNING_MAX = 16384,	/* tasks inside a watched call */
	BIOS_MAX = 16384,
	PLUGS_MAX = 4096,
	DEVICES_MAX = 4096,
};

#define INLINE static __always_inline

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_config);
} config SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, BPF_FILES_MAX);
	__type(key, __u32);
	__type(value, struct bpf_file);
} files SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BPF_FILES_MAX);
	__type(key, struct bpf_key);
	__type(value, __u32);
} watch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DEVICES_MAX);
	__type(key, __u32);
	__type(value, struct bpf_device);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BPF_CALLS_MAX);
	__type(key, __u32);
	__type(value, __u32);
} calls SEC(".maps");

/* --- where lines and records go ---------------------------------------- */

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BPF_RINGS_MAX);
	__type(key, __u32);
	__array(values, struct ring);
} rings SEC(".maps");

struct log {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct bpf_line));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BPF_FILES_MAX);
	__type(key, __u32);
	__array(values, struct log);
} logs SEC(".maps");

/* --- what is under way ------------------------------------------------- */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, RUNNING_MAX);
	__type(key, __u64);	/* pid and thread */
	__type(value, struct bpf_running);
} running SEC(".maps");

/* files of bios that are known only when they are submitted */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, BIOS_MAX);
	__type(key, __u64);
	__type(value, __u32);
} bios SEC(".maps");

/*
 * The kernel does not run a program that is running already: what an interrupt
 * brings meanwhile would be missed.  So events that come in interrupts have a
 * second program, which records them if it finds the first one busy, and counts
 * that.  What comes just before the first one is marked busy, or just after, is
 * missed by both: the kernel's count is then larger than ours.  Of programs
 * there is no more room than for a few: a light skeleton holds 32, the
 * functions that are called from several places counted.
 */
enum { BUSY_ISSUE, BUSY_COMPLETE, BUSY_COUNT };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BUSY_COUNT);
	__type(key, __u32);
	__type(value, __u32);
} busy SEC(".maps");

/* a task that has got a request for a watched file, and its queue */
struct plug {
	__u64 queue;
	__u32 file;
	__u32 recorded;	/* its plug has been */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PLUGS_MAX);
	__type(key, __u64);
	__type(value, struct plug);
} plugs SEC(".maps");

/* --- questions --------------------------------------------------------- */

INLINE struct bpf_config *config_get(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&config, &zero);
}

INLINE struct bpf_file *file_get(__u32 number)
{
	number = BPF_FILE_OF(number);
	return bpf_map_lookup_elem(&files, &number);
}

INLINE void key_read(struct bpf_key *key, struct inode *inode)
{
	struct super_block *sb = BPF_CORE_READ(inode, i_sb);

	key->inode = BPF_CORE_READ(inode, i_ino);
	key->device = BPF_CORE_READ(sb, s_dev);
	key->generation = BPF_CORE_READ(inode, i_generation);
	bpf_core_read(key->uuid, sizeof(key->uuid), &sb->s_uuid);
}

/* the file that is watched by its own name behind the inode, or NULL */
INLINE struct bpf_file *watch_named(struct inode *inode, __u32 *number)
{
	const struct bpf_config *c = config_get();
	struct bpf_key key;
	struct bpf_file *f;
	__u32 *found;

	/* what is not even alike needs no more looking at */
	if (!c || !(c->alike & 1ull << (BPF_CORE_READ(inode, i_ino) & 63)))
		return NULL;
	key_read(&key, inode);
	found = bpf_map_lookup_elem(&watch, &key);
	if (!found)
		return NULL;
	*number = *found;
	f = file_get(*number);
	/* a snapshot of btrfs has inodes of the same key */
	if (!f || (f->inode && f->inode != (__u64)inode))
		return NULL;
	return f;
}

INLINE void busy_set(__u32 which, __u32 value)
{
	volatile __u32 *is = bpf_map_lookup_elem(&busy, &which);

	if (is)
		*is = value;
}

/* Whether a second program runs instead of the first one, which is counted. */
INLINE bool second_must(__u32 which)
{
	volatile __u32 *is = bpf_map_lookup_elem(&busy, &which);
	struct bpf_config *c = config_get();

	if (!is || !*is || !c)
		return false;
	__sync_fetch_and_add(&c->seconded, 1);
	return true;
}

INLINE struct inode *inode_of(struct file *filp)
{
	return BPF_CORE_READ(filp, f_mapping, host);
}

#endif
