/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where lines of the levels come from.  For VFS there are two ways: probes on
 * the functions of the files' own filesystems, or all system calls.  Which it
 * is stands in the programs' configuration, for processes that open the pins.
 */
#ifndef TOOLS_IOTRACER_BACKEND_H
#define TOOLS_IOTRACER_BACKEND_H

#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_found;		/* bpf/layout.h */

enum backend {
	BACKEND_AUTO,		/* probes if they can be had */
	BACKEND_ITER,
	BACKEND_SYSCALL,
};

extern const char backend_names[3][8];

/* All return 0 or -errno, and then b->why has the reason. */

/*
 * Makes the calls and functions of one more file known; several files may
 * share functions.  The first decides which way it is, by what is wanted;
 * that undoes what else is attached, should probes fail halfway.
 */
int backend_add(struct bpf *b, enum backend wanted,
		const struct bpf_found *found);

/* system calls only, of any file: for records of flushes that they cause */
int backend_calls(struct bpf *b);

/* the lines of levels other than VFS; after the first file */
int backend_levels(struct bpf *b, enum backend wanted, uint32_t levels);

#endif
