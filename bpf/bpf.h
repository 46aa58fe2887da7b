/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs in the kernel: loaded, attached, and pinned where they are to
 * outlive us.  For iotracer they make lines or records of some files, for
 * blktrace --via=bpf records of some devices.
 *
 *	bpf_load, or bpf_open what another process has pinned
 *	config, bpf_file_add, bpf_trace_device	what is wanted
 *	bpf/ring for every CPU			where it comes out
 *	bpf_attach				it begins
 *	bpf_detach				it ends
 *	bpf_free
 *
 * Functions return 0 or -errno.
 */
#ifndef BPF_BPF_H
#define BPF_BPF_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/layout.h"

enum { BPF_WHY = 512 };

enum bpf_map_name {
	BPF_MAP_CONFIG,
	BPF_MAP_FILES,
	BPF_MAP_WATCH,
	BPF_MAP_LOGS,
	BPF_MAP_RINGS,
	BPF_MAP_DEVICES,
	BPF_MAP_CALLS,
	BPF_MAP_TREES,
	BPF_MAP_RUNNING,
	BPF_MAP_NAMES
};

/* what is attached together */
enum bpf_group {
	BPF_BIOS,		/* lines of bios, by the tracepoint */
	BPF_CALLS,		/* lines of system calls that are in `calls` */
	BPF_URING,		/* lines of io_uring */
	BPF_RECORDS,		/* records of the block layer */
};

struct bpf {
	int maps[BPF_MAP_NAMES];
	struct bpf_config *config;	/* the kernel's own, live */
	struct bpf_file *files;		/* BPF_FILES_MAX of them, live */
	struct programs *programs;	/* NULL: opened where pinned */
	int iterator;			/* find_files */
	int probe_enter, probe_exit;	/* of functions */
	int *links;			/* what is attached */
	unsigned int link_count;
	char why[BPF_WHY];		/* the reason of the last failure */
};

/*
 * Loads all, attaches nothing.  Files below directories are only found if
 * `directories`: there is memory for them then.  On failure nothing is left
 * but b->why.
 */
int bpf_load(struct bpf *b, bool directories);

/* detaches what is not pinned, and closes all */
void bpf_free(struct bpf *b);

/* --- what is wanted ---------------------------------------------------- */

/* what the open file fd is to the kernel */
int bpf_file_find(struct bpf *b, int fd, struct bpf_found *found);

/*
 * Puts a file on the watch list, as *f describes it: 0, and its number.
 * -EEXIST: it is there, and *number is its number.  -ENOSPC: no more fit.
 */
int bpf_file_add(struct bpf *b, const struct bpf_file *f, uint32_t *number);
void bpf_file_remove(struct bpf *b, uint32_t number);

/*
 * Watches what is below the directory *found, too, or all of its filesystem if
 * it is the root of that, under its own number in `files`.  It has to stay open.
 */
int bpf_tree_add(struct bpf *b, const struct bpf_found *found, uint32_t number);

/* -EEXIST: the disk, or a partition of it, is traced by us already */
int bpf_trace_device(struct bpf *b, uint32_t disk,
		     const struct bpf_device *device);

/* --- beginning and end ------------------------------------------------- */

int bpf_attach(struct bpf *b, enum bpf_group group);

/* lines of bios by a probe, where that is to be had and misses less */
int bpf_attach_submit(struct bpf *b);

/* lines of page faults, by tracepoints, or by `address` of filemap_fault */
int bpf_attach_faults(struct bpf *b);

/*
 * Lines of a file's function at `address`: -EOPNOTSUPP if this kernel has no probes
 * to be set there.
 */
int bpf_attach_probe(struct bpf *b, enum bpf_probe probe, uint64_t address);

void bpf_detach(struct bpf *b);

/*
 * Lines and records that are missing, for want of room or as a return was
 * missed; exact once all is detached and the tasks that were traced are gone.
 */
uint64_t bpf_lost(const struct bpf *b);

/*
 * How often a tracepoint's program was not run, as it was running already on
 * that CPU, in a task that had been preempted or interrupted, and no other took
 * its place: at most that many lines or records are missing.
 */
uint64_t bpf_missed(const struct bpf *b);

/* --- pins -------------------------------------------------------------- */

/* pins maps, the programs that later files need, and all links, below dir */
int bpf_pin_all(struct bpf *b, const char *dir);

/* the same for links made since; each under a name of its own */
int bpf_pin_links(struct bpf *b, const char *dir);

/* what another process has pinned there: -ENOENT if that is nothing */
int bpf_open(struct bpf *b, const char *dir);

#endif
