/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs: loads and attaches them, and pins them to outlive us.  They
 * make lines or records of files for iotracer, and records of devices for
 * blktrace --via=bpf.
 *
 *	bpf_load, or bpf_open another process' pins
 *	config, bpf_file_add, bpf_trace_device	what to trace
 *	bpf/ring for every CPU			the output
 *	bpf_attach				starts
 *	bpf_detach				stops
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

/* attached together */
enum bpf_group {
	BPF_BIOS,		/* lines of bios, by the tracepoint */
	BPF_CALLS,		/* lines of system calls in `calls` */
	BPF_URING,		/* lines of io_uring */
	BPF_RECORDS,		/* records of the block layer */
};

struct bpf {
	int maps[BPF_MAP_NAMES];
	struct bpf_config *config;	/* the kernel's, live */
	struct bpf_file *files;		/* BPF_FILES_MAX of them, live */
	struct programs *programs;	/* NULL: opened from pins */
	int iterator;			/* find_files */
	int probe_enter, probe_exit;	/* of functions */
	int *links;			/* attachments */
	unsigned int link_count;
	char why[BPF_WHY];		/* the reason of the last failure */
};

/*
 * Loads all, attaches nothing.  directories: allocates memory to find files
 * below directories.  On failure, only b->why is left.
 */
int bpf_load(struct bpf *b, bool directories);

/* why a kernel does not take programs, by the error of loading them */
void bpf_explain(char why[BPF_WHY], int err);

/* detaches all that is not pinned, and closes all */
void bpf_free(struct bpf *b);

/* --- what is wanted ---------------------------------------------------- */

/* the kernel's description of the open file fd */
int bpf_file_find(struct bpf *b, int fd, struct bpf_found *found);

/* adds *f to the watch list: 0 and its number; -EEXIST: listed already, and its
 * number; -ENOSPC: full */
int bpf_file_add(struct bpf *b, const struct bpf_file *f, uint32_t *number);
void bpf_file_remove(struct bpf *b, uint32_t number);

/*
 * Also watches the files below the directory *found, or of its whole filesystem
 * if it is the root, by the directory's number in `files`.  It must stay open.
 */
int bpf_tree_add(struct bpf *b, const struct bpf_found *found, uint32_t number);

/* -EEXIST: we trace the disk, or a partition of it, already */
int bpf_trace_device(struct bpf *b, uint32_t disk,
		     const struct bpf_device *device);

/* --- beginning and end ------------------------------------------------- */

int bpf_attach(struct bpf *b, enum bpf_group group);

/* lines of bios by a probe, where possible and if it misses fewer */
int bpf_attach_submit(struct bpf *b);

/* lines of page faults, by tracepoints, or by `address` of filemap_fault */
int bpf_attach_faults(struct bpf *b);

/* lines of a file's function at `address`; -EOPNOTSUPP: this kernel has no
 * probes there */
int bpf_attach_probe(struct bpf *b, enum bpf_probe probe, uint64_t address);

void bpf_detach(struct bpf *b);

/*
 * Lines and records lost for lack of room, or for a missed return; exact once
 * all is detached and the traced tasks have ended.
 */
uint64_t bpf_lost(const struct bpf *b);

/*
 * Runs of a tracepoint's program skipped because it was running already on that
 * CPU, in a preempted or interrupted task, and no second one replaced it: at
 * most that many lines or records are missing.
 */
uint64_t bpf_missed(const struct bpf *b);

/* --- pins -------------------------------------------------------------- */

/* pins maps, programs that later files need, and links, below dir */
int bpf_pin_all(struct bpf *b, const char *dir);

/* the same for links made since, under new names */
int bpf_pin_links(struct bpf *b, const char *dir);

/* opens another process' pins; -ENOENT: none */
int bpf_open(struct bpf *b, const char *dir);

#endif
