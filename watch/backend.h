/*
 * Where lines of the levels come from.  For VFS there are two ways: probes on
 * the functions of the files' own filesystems, or all system calls.
 */
#ifndef WATCH_BACKEND_H
#define WATCH_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/bpf/layout.h"

struct bpf;			/* capture/bpf.h */
struct bpf_found;

enum backend {
	BACKEND_AUTO,		/* probes if they can be had */
	BACKEND_ITER,
	BACKEND_SYSCALL,
};

extern const char backend_names[3][8];

struct backend_state {
	enum backend wanted;
	enum backend used;	/* BACKEND_AUTO: nothing attached so far */
	uint64_t probed[64];	/* addresses that have their probes */
	unsigned int count;
};

/*
 * Makes the calls and functions of one more file known; several files may
 * share functions.  0 or -errno, b->why has the reason.
 */
int backend_add(struct backend_state *s, struct bpf *b,
		const struct bpf_found *found);

/* system calls only, whatever file: for what needs to know who flushes */
int backend_calls(struct bpf *b);

/* the lines of levels other than VFS */
int backend_levels(struct bpf *b, uint32_t levels);

#endif
