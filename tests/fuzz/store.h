/* SPDX-License-Identifier: GPL-2.0-only */
/* What the store of tests/fuzz/store.c has kept, for the fuzzer to look at. */
#ifndef TESTS_FUZZ_STORE_H
#define TESTS_FUZZ_STORE_H

#include <stdint.h>

struct store;			/* server/store.h */

/* a sum over all bytes and all cuts, in the order they came */
uint64_t store_sum(const struct store *s);

#endif
