/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sources of each level's lines.  VFS lines come from probes on the files'
 * filesystems' functions, or from all system calls; the programs' configuration
 * has which, for processes that open the pins.
 */
#ifndef TOOLS_IOTRACER_BACKEND_H
#define TOOLS_IOTRACER_BACKEND_H

#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_found;		/* bpf/layout.h */

enum backend {
	BACKEND_AUTO,		/* probes if possible */
	BACKEND_ITER,
	BACKEND_SYSCALL,
};

extern const char backend_names[3][8];

/* All return 0, or -errno with the reason in b->why. */

/*
 * Attaches the calls or functions of one more file, which files may share.  The
 * first file decides the source, by wanted, and detaches everything if probes
 * fail halfway.
 */
int backend_add(struct bpf *b, enum backend wanted,
		const struct bpf_found *found);

/* only system calls, of any file, for records of the flushes that they cause */
int backend_calls(struct bpf *b);

/* only calls that wait for the disk */
int backend_syncs(struct bpf *b);

/* other levels than VFS; after the first file */
int backend_levels(struct bpf *b, enum backend wanted, uint32_t levels);

#endif
