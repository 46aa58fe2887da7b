/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files below watched directories.  A file is below one if that is among its
 * ancestors now: so what is made or moved there is found at once, and what is
 * moved away is not any more.  Only the names that the kernel has in its cache
 * are looked at, which an open file has for certain.
 *
 * Who prints paths is told the file's path, once, when it is first seen and
 * when it has changed; from then on the file is a number.
 */
#ifndef CAPTURE_BPF_TREES_H
#define CAPTURE_BPF_TREES_H

#include "bpf/lines.bpf.h"

enum {
	MODE_TYPE = 0170000,
	MODE_DIRECTORY = 0040000,
	MODE_REGULAR = 0100000,
	STEPS_MAX = 4096,	/* up to the root, by all of a file's names */
	PARTS_MAX = 32,		/* of a path that is told */
	PART_MAX = 256,		/* bytes of one, its end included */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2 * BPF_FILES_MAX);
	__type(key, __u64);
	__type(value, struct bpf_tree);
} trees SEC(".maps");

/* a file below one: those that were used last, so that it is never full */
struct member {
	__u64 path;		/* a hash of its path */
	__u32 number;
	__u32 serial;
};

/* whoever loads the programs to watch directories makes it larger */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, struct bpf_key);
	__type(value, struct member);
} members SEC(".maps");

/* from a file up to a watched directory */
struct walk {
	__u64 dentry;
	__u64 alias;		/* its next name, if this leads nowhere */
	__u64 first;		/* where the way began that led somewhere */
	__u64 path;		/* a hash of what is on the way */
	__u32 file;		/* the directory, in `files`, or NO_FILE */
};

/* a link in an inode's list of names, as the name that has it */
INLINE __u64 dentry_of(__u64 link)
{
	struct dentry *dentry = NULL;
	struct dentry___flat *flat = NULL;

	if (!link)
		return 0;
	if (bpf_core_field_exists(dentry->d_u.d_alias))
		return link - bpf_core_field_offset(dentry->d_u.d_alias);
	if (bpf_core_field_exists(flat->d_alias))
		return link - bpf_core_field_offset(flat->d_alias);
	return 0;
}

/* for bpf_loop(): 1 ends it */
static long walk_step(__u32 i, struct walk *w)
{
	struct dentry *dentry = (void *)w->dentry;
	__u64 inode = (__u64)BPF_CORE_READ(dentry, d_inode);
	struct dentry *parent = BPF_CORE_READ(dentry, d_parent);
	struct bpf_tree *tree = bpf_map_lookup_elem(&trees, &inode);
	struct hlist_node *alias = (void *)w->alias;

	if (tree) {
		w->file = tree->file;
		return 1;
	}
	if (parent && parent != dentry) {
		w->path = (w->path ^ BPF_CORE_READ(dentry, d_name.hash_len)) *
			0x9e3779b97f4a7c15 + (__u64)dentry;
		w->dentry = (__u64)parent;
		return 0;
	}
	w->first = w->dentry = dentry_of(w->alias);
	w->path = 0;
	w->alias = (__u64)BPF_CORE_READ(alias, next);
	return !w->dentry;
}

/* whether the inode has names at all; w is about the first that leads up */
INLINE bool walk_up(struct walk *w, struct inode *inode)
{
	struct hlist_node *link = BPF_CORE_READ(inode, i_dentry.first);

	w->file = NO_FILE;
	w->first = w->dentry = dentry_of((__u64)link);
	w->alias = (__u64)BPF_CORE_READ(link, next);
	if (w->dentry)
		bpf_loop(STEPS_MAX, walk_step, w, 0);
	return link;
}

/* the parts from the file up to the directory, which is not among them */
INLINE void name_fill(struct bpf_name *name, const struct walk *w)
{
	struct dentry *dentry = (void *)w->first;
	__u32 at = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < PARTS_MAX; i++) {
		long got;

		if ((__u64)dentry == w->dentry || at > BPF_NAME - PART_MAX)
			break;
		got = bpf_probe_read_kernel_str(name->text + at, PART_MAX,
				BPF_CORE_READ(dentry, d_name.name));
		if (got <= 0)
			break;
		at += got;
		dentry = BPF_CORE_READ(dentry, d_parent);
	}
	name->bytes = at;
	name->cut = (__u64)dentry != w->dentry;
}

/* Whether there was room; else it is tried again when the file is next seen. */
INLINE bool name_tell(struct bpf_config *c, __u32 number, const struct walk *w)
{
	__u32 cpu = bpf_get_smp_processor_id();
	void *ring = bpf_map_lookup_elem(&rings, &cpu);
	struct bpf_name *name;

	if (!ring)
		return false;
	name = bpf_ringbuf_reserve(ring, sizeof(*name), 0);
	if (!name)
		return false;
	name->file = number;
	name->zero = 0;
	name_fill(name, w);
	bpf_ringbuf_submit(name, wake_flags(c, ring));
	return true;
}

/*
 * The number of a file below a directory.  It gets another one when so many
 * others have been given that the reader is about to forget it.
 */
INLINE __u32 member_number(struct bpf_config *c, struct inode *inode,
			   const struct walk *w, bool has_names)
{
	struct bpf_key key;
	struct member *known, m = { .path = w->path, .number = w->file };

	key_read(&key, inode);
	known = bpf_map_lookup_elem(&members, &key);
	if (w->file == NO_FILE) {
		/* the cache has forgotten its name, we have not */
		if (known && !has_names)
			return known->number;
		if (known)
			bpf_map_delete_elem(&members, &key);
		return NO_FILE;
	}
	if (known && known->path == w->path &&
	    BPF_FILE_OF(known->number) == w->file &&
	    (__u32)c->named - known->serial < BPF_MEMBERS_MAX)
		return known->number;
	if (c->names) {
		m.serial = __sync_fetch_and_add(&c->named, 1);
		m.number |= (m.serial % BPF_NAMES_MAX + 1) * BPF_FILES_MAX;
		if (!name_tell(c, m.number, w))
			return w->file;
	}
	bpf_map_update_elem(&members, &key, &m, BPF_ANY);
	return m.number;
}

/*
 * A number by which lines name a file that is below a watched directory or on
 * a watched filesystem; or NO_FILE.  Neither inline nor static, and the inode as
 * a number: so the kernel looks through it once, not for each of its many
 * callers.
 */
__noinline __u32 tree_number(__u64 at)
{
	struct inode *inode = (void *)at;
	__u64 sb = (__u64)BPF_CORE_READ(inode, i_sb);
	struct bpf_tree *tree = bpf_map_lookup_elem(&trees, &sb);
	struct bpf_config *c = config_get();
	__u16 type;
	struct walk w;
	bool has_names;

	if (!tree || !c)
		return NO_FILE;
	type = BPF_CORE_READ(inode, i_mode) & MODE_TYPE;
	if (type != MODE_REGULAR && type != MODE_DIRECTORY)
		return NO_FILE;
	if (!c->names && tree->file != NO_FILE && tree->below == 1)
		return tree->file;
	w.path = 0;
	has_names = walk_up(&w, inode);
	if (w.file == NO_FILE && tree->file != NO_FILE)
		return tree->file;
	return member_number(c, inode, &w, has_names);
}

/* the file that is watched behind the inode, or NULL */
INLINE struct bpf_file *watch_get(struct inode *inode, __u32 *number)
{
	const struct bpf_config *c = config_get();
	struct bpf_file *f = watch_named(inode, number);
	__u32 n;

	if (f || !c || !c->trees)
		return f;
	n = tree_number((__u64)inode);
	if (n == NO_FILE)
		return NULL;
	*number = n;
	return file_get(n);
}

#endif
