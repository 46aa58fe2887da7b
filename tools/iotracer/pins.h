/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is pinned: all that watches on, once the process that began it has
 * ended.  It is in one directory of the BPF filesystem, which comes with the
 * first watched file and goes with the last.
 */
#ifndef TOOLS_IOTRACER_PINS_H
#define TOOLS_IOTRACER_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"

struct pins {
	struct bpf bpf;
	bool open;		/* bpf is there: loaded or adopted */
	bool fresh;		/* loaded, and nothing of it pinned yet */
	int paths;		/* the map of paths: tools/iotracer/paths.h */
	int lock;		/* one of us at a time; -1: not taken */
};

/*
 * Takes the lock, and what is there.  -ENOENT: nothing is, and p->open is
 * false; else 0, or -errno, reported on stderr.
 */
int pins_open(struct pins *p);

/* loads what was not there; 0 or -errno, reported on stderr */
int pins_new(struct pins *p);

/* pins all, or what was attached since; 0 or -errno, reported on stderr */
int pins_write(struct pins *p);

/* unpins all: nothing is left in the kernel once p is closed */
void pins_remove(void);

void pins_close(struct pins *p);

#endif
