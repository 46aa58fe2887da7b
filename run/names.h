/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Program names of process ids.  A trace has each once, at the process's
 * first event; the first name that comes stays for the whole run.
 */
#ifndef RUN_NAMES_H
#define RUN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum {
	NAME_SIZE = 16,		/* with its NUL, as in the kernel */
	NAMES_MAX = 1 << 20,	/* later ones stay nameless: 48 MiB at most */
};

struct names {
	struct hash by_pid;	/* to the name, each allocated */
	uint64_t left_out;	/* names that there was no place for */
};

/* an all-zero struct names is an empty table */
void names_free(struct names *n);

/* text, up to its NUL or len bytes, is pid's name, unless it has one already.
 * 1: learnt; 0: not; -ENOMEM. */
int names_learn(struct names *n, uint16_t origin, uint32_t pid,
		const char *text, size_t len);

/* the name of pid, in NAME_SIZE bytes, good as long as the table; NULL: it has
 * none */
const char *names_get(const struct names *n, uint16_t origin, uint32_t pid);

#endif
