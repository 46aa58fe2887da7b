/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths of files below watched directories, by the numbers that lines have.
 * The kernel tells each once, and uses a number again after BPF_NAMES_MAX
 * others; so this is bounded by their number, and in bytes besides.
 */
#ifndef TOOLS_IOTRACER_BELOW_H
#define TOOLS_IOTRACER_BELOW_H

#include <stddef.h>
#include <stdint.h>

struct bpf_name;		/* bpf/layout.h */

enum { BELOW_BYTES = 64 << 20 };	/* of all texts; what is beyond has none */

struct below {
	char **texts;		/* BPF_NAMES_MAX + 1 of them; NULL: no path */
	size_t bytes;		/* of all texts */
	uint64_t untold;	/* paths that there was no room for */
};

/* 0 or -ENOMEM */
int below_init(struct below *n);
void below_free(struct below *n);

/*
 * Keeps what the kernel has told, behind the directory as the user has named
 * it; parts that are missing show as "...", and what could disturb a terminal
 * or end a line as base/escape has it.  What is malformed is passed over.
 * 0 or -ENOMEM.
 */
int below_add(struct below *n, const struct bpf_name *name,
	      const char *directory);

/* of a line's file; NULL: it has none.  Good until the next below_add() */
const char *below_get(const struct below *n, uint32_t number);

#endif
