/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of processes.  A trace has a name at the process's first event; the
 * first one stays for the whole run.
 */
#ifndef RUN_NAMES_H
#define RUN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum {
	NAME_SIZE = 16,		/* with its NUL, as in the kernel */
	NAMES_MAX = 1 << 20,	/* 48 MiB; further names are dropped */
};

struct names {
	struct hash by_pid;	/* to the name, each allocated */
	uint64_t left_out;	/* names dropped */
};

/* an all-zero struct names is an empty table */
void names_free(struct names *n);

/* Names pid by text, up to its NUL or len bytes, unless it has a name.  1:
 * named; 0: not; -ENOMEM. */
int names_learn(struct names *n, uint16_t origin, uint32_t pid,
		const char *text, size_t len);

/* pid's name, NAME_SIZE bytes that are valid as long as *n; or NULL */
const char *names_get(const struct names *n, uint16_t origin, uint32_t pid);

#endif
