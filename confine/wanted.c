/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether to confine at all; see wanted.h. */
#include <stdlib.h>
#include <string.h>

#include "confine/wanted.h"

#ifndef __has_feature		/* clang's; gcc defines macros instead */
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	__has_feature(address_sanitizer) || \
	__has_feature(thread_sanitizer) || \
	__has_feature(undefined_behavior_sanitizer)
static const bool has_sanitizer = true;
#else
static const bool has_sanitizer;
#endif

bool confine_is_wanted(void)
{
	const char *off = getenv("BLKTRACE_NO_SANDBOX");

	return !has_sanitizer && !(off && *off && strcmp(off, "0"));
}
