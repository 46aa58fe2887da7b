/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths of files below watched directories, by the numbers that lines have.
 * The kernel tells each once, and uses a number again after BPF_NAMES_MAX
 * others; so this is bounded by their number, and in bytes besides.
 */
#ifndef TOOLS_IOTRACER_NAMES_H
#define TOOLS_IOTRACER_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct bpf_name;		/* bpf/layout.h */

enum { NAMES_BYTES = 64 << 20 };	/* of all texts; what is beyond has none */

struct names {
	char **texts;		/* BPF_NAMES_MAX + 1 of them; NULL: no path */
	size_t bytes;		/* of all texts */
	uint64_t untold;	/* paths that there was no room for */
};

/* 0 or -ENOMEM */
int names_init(struct names *n);
void names_free(struct names *n);

/*
 * Keeps what the kernel has told, behind the directory as the user has named
 * it; parts that are missing show as "...", and what could disturb a terminal
 * or end a line as base/escape has it.  What is malformed is passed over.
 * 0 or -ENOMEM.
 */
int names_add(struct names *n, const struct bpf_name *name,
	      const char *directory);

/* of a line's file; NULL: it has none.  Good until the next names_add() */
const char *names_get(const struct names *n, uint32_t number);

#endif
