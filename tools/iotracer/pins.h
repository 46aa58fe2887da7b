/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pins, which keep watching after the process that made them: a directory
 * of the BPF filesystem, made with the first watched file and removed with the
 * last.
 */
#ifndef TOOLS_IOTRACER_PINS_H
#define TOOLS_IOTRACER_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"

struct pins {
	struct bpf bpf;
	bool open;		/* bpf is loaded or adopted */
	bool fresh;		/* loaded, not pinned yet */
	int paths;		/* the map of paths: tools/iotracer/paths.h */
	int lock;		/* of one process at a time; -1: not taken */
};

/* takes the lock, and opens the pins; -ENOENT: none, with p->open false; else
 * 0, or -errno, reported on stderr */
int pins_open(struct pins *p);

/* loads the programs after -ENOENT; 0 or -errno, reported on stderr */
int pins_new(struct pins *p);

/* pins all, or what has been attached since; 0 or -errno, reported on stderr */
int pins_write(struct pins *p);

/* removes all pins: nothing stays in the kernel once p is closed */
void pins_remove(void);

void pins_close(struct pins *p);

#endif
