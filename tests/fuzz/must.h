/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must always hold while a fuzzer runs, also without a checker.
 */
#ifndef TESTS_FUZZ_MUST_H
#define TESTS_FUZZ_MUST_H

#include <stdbool.h>
#include <stdlib.h>

#include "file/hooks.h"

/* the fuzzer keeps the input that has broken it */
static inline void must(bool condition)
{
	if (!condition)
		abort();
}

/* a hook: a report is only any good with a name and a reason */
static inline void must_be_told(void *ctx, const struct damage *d)
{
	(void)ctx;
	must(d->file && *d->file && d->what && *d->what);
}

#endif
